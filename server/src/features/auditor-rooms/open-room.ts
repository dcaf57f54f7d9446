/** Opens a room: the row, and the invitation of its person as a guest. */
import type { NewAuditorRoom } from '@tributary/contract/auditor-rooms'
import type { CallerContext } from '../../kernel/audit-context.ts'
import { isoTime } from '../../kernel/clock.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import {
  insertInvitation,
  type InvitationServices,
  isMemberAddress,
  limitInvitations,
  sendInvitation,
} from '../../identity/people/invitations.ts'
import { checkExtent } from './room-extent.ts'

/** Returns the id of the room. Throws `alreadyMember` also for an address with an open invitation or an open room. */
export async function openRoom(
  services: InvitationServices,
  auditContext: CallerContext,
  { firstName, lastName, emailAddress, ...extent }: NewAuditorRoom,
): Promise<string> {
  const { actor, organisationId } = auditContext
  const { audit, clock, store } = services
  await limitInvitations(services, organisationId)
  const now = isoTime(clock.now())
  // Across: mail belongs to no organisation.
  return store.across(async (db) => {
    const columns = await checkExtent(db, organisationId, extent, clock.now())
    if (await isMemberAddress(db, organisationId, emailAddress)) throw new ApiFault('alreadyMember')
    const person = { firstName, lastName, emailAddress }
    const guest = await db.selectFrom('role').select('id').where('name', '=', 'guest').executeTakeFirstOrThrow()
    const invitation = { ...person, roleId: guest.id, invitedBy: actor.userId, sentAt: now }
    const invitationId = await insertInvitation(db, organisationId, invitation)
    if (invitationId === undefined) throw new ApiFault('alreadyMember')
    const room = await db
      .insertInto('auditorRoom')
      .values({ organisationId, ...person, ...columns, createdBy: actor.userId, createdAt: now })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst()
    if (room === undefined) throw new ApiFault('alreadyMember')
    await sendInvitation(db, services, auditContext, { id: invitationId, ...person })
    const after = { name: `${firstName} ${lastName}`, ...columns }
    const object = { type: 'auditor_room', id: room.id }
    await audit.record(db, auditContext, { action: 'auditor_room.opened', object, detail: { after } })
    return room.id
  })
}
