/** Invites people to the organisation. Replies the same whether or not the address has an account in another organisation. */
import type * as z from 'zod'
import type { users } from '@tributary/contract/users'
import type { CallerContext, OrganisationContext } from '../../kernel/audit-context.ts'
import type { AppServices } from '../../app-services.ts'
import { isoTime } from '../../kernel/clock.ts'
import { ApiFault, badField } from '../../kernel/http/api-fault.ts'
import {
  deleteInvitations,
  insertInvitation,
  type InvitationServices,
  isMemberAddress,
  limitInvitations,
  sendInvitation,
} from '../../identity/people/invitations.ts'
import type { ThrottleLimit } from '../../security/throttling/throttle.ts'
import { getAssignableRole, isProviderRole } from './lock-people.ts'
import { getInvitation } from './queries.ts'

const resendLimit: ThrottleLimit = { kind: 'invitation', free: 5, waitMs: 3_600_000 }

/** Returns the id of the invitation. Throws `alreadyMember` also for an address with an open invitation. */
export async function inviteUser(
  services: InvitationServices,
  auditContext: CallerContext,
  { firstName, lastName, emailAddress, roleId }: z.output<typeof users.invite.body>,
): Promise<string> {
  const { actor, organisationId } = auditContext
  await limitInvitations(services, organisationId)
  // Across: mail belongs to no organisation.
  return services.store.across(async (db) => {
    const role = await getAssignableRole(db, roleId, actor.roleLevel)
    if (isProviderRole(role))
      throw badField('roleId', 'is a provider role; invite with another, and give it once the person is there')
    if (await isMemberAddress(db, organisationId, emailAddress)) throw new ApiFault('alreadyMember')
    const sentAt = isoTime(services.clock.now())
    const row = { firstName, lastName, emailAddress, roleId, invitedBy: actor.userId, sentAt }
    const id = await insertInvitation(db, organisationId, row)
    if (id === undefined) throw new ApiFault('alreadyMember')
    await sendInvitation(db, services, auditContext, { id, firstName, emailAddress })
    await services.audit.record(db, auditContext, {
      action: 'user.invited',
      object: { type: 'invitation', id },
      detail: { role: role.name },
    })
    return id
  })
}

export async function resendInvitation(
  services: InvitationServices,
  auditContext: CallerContext,
  id: string,
): Promise<void> {
  const { organisationId } = auditContext
  const found = await services.store.within(organisationId, (db) => getInvitation(db, organisationId, id))
  await limitInvitations(services, organisationId)
  await services.throttle.attempt(resendLimit, id)
  // Across: mail belongs to no organisation.
  await services.store.across(async (db) => {
    const { numUpdatedRows } = await db
      .updateTable('invitation')
      .set({ sentAt: isoTime(services.clock.now()) })
      .where('organisationId', '=', organisationId)
      .where('id', '=', id)
      .where('acceptedAt', 'is', null)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw new ApiFault('notFound')
    await sendInvitation(db, services, auditContext, found)
    await services.audit.record(db, auditContext, {
      action: 'user.invited',
      object: { type: 'invitation', id },
      detail: { again: true },
    })
  })
}

export async function withdrawInvitation(
  services: Pick<AppServices, 'audit' | 'store'>,
  auditContext: OrganisationContext,
  id: string,
): Promise<void> {
  const { organisationId } = auditContext
  await services.store.within(organisationId, async (db) => {
    const deleted = await deleteInvitations(db, organisationId, { id })
    if (deleted.length === 0) throw new ApiFault('notFound')
    await services.audit.record(db, auditContext, {
      action: 'user.invitation_withdrawn',
      object: { type: 'invitation', id },
    })
  })
}
