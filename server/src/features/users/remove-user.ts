/** Taking a member out of the organisation. Who is in none is erased, the provider's people a step later: runs and the audit log keep an id. */
import type { AuditContext } from '../../kernel/audit-context.ts'
import type { Actor } from '../../kernel/http/actor.ts'
import type { AppServices } from '../../app-services.ts'
import { upgradeAuditChains } from '../../security/audit/upgrade-chain.ts'
import { isoTime } from '../../kernel/clock.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import { erase } from './erase-person.ts'
import { leave } from './leave-organisation.ts'
import { lockMember, requireMember, requireOtherAdmins, requireOtherSuperadmin, roleOf } from './lock-people.ts'

type RemoveUserServices = Pick<AppServices, 'audit' | 'clock' | 'sessions' | 'store'>

export async function removeUser(
  services: RemoveUserServices,
  auditContext: AuditContext<string, Actor>,
  userId: string,
): Promise<void> {
  const { actor, organisationId } = auditContext
  await requireMember(services, auditContext, userId)
  if (actor.userId === userId) throw new ApiFault('ownRole')
  // Of an event from before it cannot be told apart what has to go. After an update a worker has seen to it within minutes.
  await upgradeAuditChains(services.store)
  // Across: whether the person is a member anywhere else decides what is left of them.
  await services.store.across(async (db) => {
    const { target } = await lockMember(db, auditContext, userId)
    await requireOtherAdmins(db, target, [organisationId])
    const isUnattached = Object.keys(target.roles).length === 0
    if (isUnattached) await requireOtherSuperadmin(db, target)
    await leave(db, organisationId, target)
    await services.sessions.endAll(db, userId, 'removed')
    const object = { type: 'user', id: userId }
    const isErased = Object.keys(target.roles).length <= 1 && (target.providerRole === null || isUnattached)
    if (isErased) await erase(db, target, isoTime(services.clock.now()))
    // Last: whoever else writes into the log waits from the first line on until this ends.
    await services.audit.record(db, auditContext, {
      outcome: 'success',
      action: 'authz.membership_removed',
      object,
      detail: { role: roleOf(target, organisationId) },
    })
    if (isErased) await services.audit.record(db, auditContext, { outcome: 'success', action: 'user.deleted', object })
  })
}
