/**
 * Ends rooms: the membership goes, with the assignments that depend on it, and the sessions of the person end. The keeper of logins
 * follows the membership.
 */
import { deleteInvitations } from '../../identity/people/invitations.ts'
import { systemAuditContext, type AuditContext, type CallerContext } from '../../kernel/audit-context.ts'
import { isoTime } from '../../kernel/clock.ts'
import type { Db } from '../../kernel/store/store.ts'
import type { AppServices } from '../../app-services.ts'
import { type LockedRoom, lockRoom } from './queries.ts'

type EndServices = Pick<AppServices, 'audit' | 'clock' | 'sessions' | 'store'>

/** Does nothing to a room that has ended. */
export async function endRoom(services: EndServices, auditContext: CallerContext, roomId: string): Promise<void> {
  // Across: sessions belong to no organisation.
  await services.store.across(async (db) => {
    const room = await lockRoom(db, auditContext.organisationId, roomId)
    if (room.endedAt === null) await end(services, db, { room, auditContext, at: isoTime(services.clock.now()) })
  })
}

/** A worker polls it. From the end of a room on its person reads nothing, whether or not this has run. */
export async function endRoomsThatAreOver(services: EndServices): Promise<void> {
  const now = isoTime(services.clock.now())
  // Across: rooms of all organisations.
  const over = await services.store.across((db) =>
    db
      .selectFrom('auditorRoom')
      .select(['id', 'organisationId'])
      .where('endedAt', 'is', null)
      .where('endsAt', '<=', now)
      .execute(),
  )
  for (const { id, organisationId } of over)
    await services.store.across(async (db) => {
      const room = await lockRoom(db, organisationId, id)
      // It may have been extended meanwhile.
      if (room.endedAt !== null || room.endsAt > now) return
      await end(services, db, { room, auditContext: { ...systemAuditContext, organisationId }, at: room.endsAt })
    })
}

interface EndedRoom {
  readonly room: LockedRoom
  readonly auditContext: AuditContext
  readonly at: string
}

async function end({ audit, sessions }: EndServices, db: Db, { room, auditContext, at }: EndedRoom): Promise<void> {
  const { id, organisationId, userId, emailAddress } = room
  await db
    .updateTable('auditorRoom')
    .set({ endedAt: at })
    .where('organisationId', '=', organisationId)
    .where('id', '=', id)
    .execute()
  if (userId === null) await deleteInvitations(db, organisationId, { emailAddress })
  else {
    await db
      .deleteFrom('membership')
      .where('organisationId', '=', organisationId)
      .where('userId', '=', userId)
      .where('expiresAt', 'is not', null)
      .execute()
    await sessions.endAll(db, userId, 'removed')
  }
  await audit.record(db, auditContext, { action: 'auditor_room.ended', object: { type: 'auditor_room', id } })
}
