/** Removes a person from one organisation, with everything of theirs that belongs to it. */
import { sql } from 'kysely'
import { closeRoomOf } from '../../identity/people/auditor-rooms.ts'
import type { Db } from '../../kernel/store/store.ts'
import type { LockedPerson } from './lock-people.ts'
import { deleteInvitations } from '../../identity/people/invitations.ts'

/** Call it in a transaction across organisations. */
export async function leaveOrganisation(
  db: Db,
  organisationId: string,
  { id, emailAddress }: LockedPerson,
): Promise<void> {
  // Deletes by cascade their assignments to connectors, groups, tables and entities.
  await db.deleteFrom('membership').where('organisationId', '=', organisationId).where('userId', '=', id).execute()
  await closeRoomOf(db, organisationId, id)
  // An open invitation would let them join again.
  await deleteInvitations(db, organisationId, { emailAddress })
  const wasTheirs = sql<boolean>`lower(emailAddress) = ${emailAddress.toLowerCase()}`
  await db.deleteFrom('invitation').where('organisationId', '=', organisationId).where(wasTheirs).execute()
  for (const table of ['authorisation', 'loadFile', 'alert', 'alertChannel', 'oauthCode', 'apiToken'] as const)
    await db.deleteFrom(table).where('organisationId', '=', organisationId).where('userId', '=', id).execute()
  await db.deleteFrom('queryRun').where('organisationId', '=', organisationId).where('userId', '=', id).execute()
  // What is shared with the organisation stays.
  await db
    .deleteFrom('savedQuery')
    .where('organisationId', '=', organisationId)
    .where('userId', '=', id)
    .where('isShared', '=', false)
    .execute()
  await sql`UPDATE connector SET alertUsers = nullif(array_remove(alertUsers, ${id}::uuid), '{}')
    WHERE organisationId = ${organisationId} AND ${id}::uuid = ANY (alertUsers)`.execute(db)
  await db
    .updateTable('approval')
    .set({ context: JSON.stringify({ Description: 'The applicant has left the organisation.' }) })
    .where('organisationId', '=', organisationId)
    .where('registrationId', 'in', (query) => query.selectFrom('registration').select('id').where(wasTheirs))
    .execute()
}
