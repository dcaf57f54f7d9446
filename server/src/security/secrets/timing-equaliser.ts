/** Work that takes as long whether it is wanted or not, so that the time of an answer tells nothing. */
import { sql } from 'kysely'
import type { Db } from '../../kernel/store/store.ts'

/** Does the work within the caller's transaction. Of a decoy nothing stays but the time it took. */
export async function workAs(purpose: 'real' | 'decoy', db: Db, work: () => Promise<void>): Promise<void> {
  await sql`savepoint decoy`.execute(db)
  await work()
  await (purpose === 'real' ? sql`release savepoint decoy` : sql`rollback to savepoint decoy`).execute(db)
}
