/** What an account was made of follows its address, so that nothing of the former one is left when the person is erased. */
import { sql } from 'kysely'
import type { Db } from '../../kernel/store/store.ts'

/** Those that are over, and so have become the account. Mail says where it went to, and goes by its age. */
export async function followAddress(db: Db, former: string, current: string): Promise<void> {
  const wasTheirs = sql<boolean>`lower(emailAddress) = ${former.toLowerCase()}`
  await db
    .updateTable('registration')
    .set({ emailAddress: current })
    .where(wasTheirs)
    .where('finalisedAt', 'is not', null)
    .execute()
  await db
    .updateTable('invitation')
    .set({ emailAddress: current })
    .where(wasTheirs)
    .where('acceptedAt', 'is not', null)
    .execute()
}
