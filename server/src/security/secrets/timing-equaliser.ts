/** Equalises response times, so that they do not reveal whether an account exists. */
import { sql } from 'kysely'
import type { Db } from '../../kernel/store/store.ts'

/** Runs the work in the caller's transaction; for a decoy, rolls it back. */
export async function runOrDiscard(purpose: 'real' | 'decoy', db: Db, work: () => Promise<void>): Promise<void> {
  await sql`savepoint decoy`.execute(db)
  await work()
  await (purpose === 'real' ? sql`release savepoint decoy` : sql`rollback to savepoint decoy`).execute(db)
}
