/** What of a person belongs to one organisation goes with the membership, whatever they are elsewhere. */
import { sql } from 'kysely'
import type { Db } from '../../kernel/store/store.ts'
import type { LockedPerson } from './lock-people.ts'
import { deleteInvitations } from './queries.ts'

/** Part of a transaction across. */
export async function leave(db: Db, organisationId: string, { id, emailAddress }: LockedPerson): Promise<void> {
  // Their assignments to connectors, groups, tables and entities go with it.
  await db.deleteFrom('membership').where('organisationId', '=', organisationId).where('userId', '=', id).execute()
  // One that they did not use would let them in again.
  await deleteInvitations(db, organisationId, { emailAddress })
  const wasTheirs = sql<boolean>`lower(emailAddress) = ${emailAddress.toLowerCase()}`
  await db.deleteFrom('invitation').where('organisationId', '=', organisationId).where(wasTheirs).execute()
  for (const table of ['authorisation', 'loadFile'] as const)
    await db.deleteFrom(table).where('organisationId', '=', organisationId).where('userId', '=', id).execute()
  await sql`UPDATE connector SET alertUsers = nullif(array_remove(alertUsers, ${id}::uuid), '{}')
    WHERE organisationId = ${organisationId} AND ${id}::uuid = ANY (alertUsers)`.execute(db)
  await db
    .updateTable('approval')
    .set({ context: JSON.stringify({ Description: 'The applicant has left the organisation.' }) })
    .where('organisationId', '=', organisationId)
    .where('registrationId', 'in', (made) => made.selectFrom('registration').select('id').where(wasTheirs))
    .execute()
}
