/** Moves an account's sign-up and invitation to its new address, so that erasing the person later finds them. */
import { sql } from 'kysely'
import type { Db } from '../../kernel/store/store.ts'

/** Moves only completed ones, which became the account. Sent mail keeps its recipient and expires by age. */
export async function moveSignUpsToAddress(db: Db, former: string, current: string): Promise<void> {
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
