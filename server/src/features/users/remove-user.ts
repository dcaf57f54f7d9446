/**
 * Removes a member from the organisation. A person without another membership is erased; one with a provider role only once they
 * have no membership at all. Runs and the audit log keep their id.
 */
import type { CallerContext } from '../../kernel/audit-context.ts'
import type { AppServices } from '../../app-services.ts'
import { upgradeAuditChains } from '../../security/audit/upgrade-chain.ts'
import { isoTime } from '../../kernel/clock.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import type { Db } from '../../kernel/store/store.ts'
import { erasePerson } from './erase-person.ts'
import { leaveOrganisation } from './leave-organisation.ts'
import { lockMember, requireMember, requireOtherAdmins, requireOtherSuperadmin, roleIn } from './lock-people.ts'

type RemoveUserServices = Pick<AppServices, 'audit' | 'clock' | 'sessions' | 'store'>

export async function removeUser(
  services: RemoveUserServices,
  auditContext: CallerContext,
  userId: string,
): Promise<void> {
  const { actor, organisationId } = auditContext
  await requireMember(services, auditContext, userId)
  if (actor.userId === userId) throw new ApiFault('ownRole')
  // Erasing needs the personal data apart from the events. A worker upgrades older chains within minutes of an update.
  await upgradeAuditChains(services.store)
  // Across: whether the person is a member anywhere else decides what is left of them.
  await services.store.across(async (db) => {
    const { target } = await lockMember(db, auditContext, userId)
    await requireOtherAdmins(db, target, [organisationId])
    const isUnattached = Object.keys(target.roles).length === 0
    if (isUnattached) await requireOtherSuperadmin(db, target)
    await leaveOrganisation(db, organisationId, target)
    await services.sessions.endAll(db, userId, 'removed')
    const object = { type: 'user', id: userId }
    // A service account keeps its name, which is not personal.
    if (target.isService) await archive(db, userId)
    const isErased =
      !target.isService && Object.keys(target.roles).length <= 1 && (target.providerRole === null || isUnattached)
    if (isErased) await erasePerson(db, target, isoTime(services.clock.now()))
    // Last, because other writers to the audit log wait from the first event until this transaction ends.
    await services.audit.record(db, auditContext, {
      action: 'authz.membership_removed',
      object,
      detail: { role: roleIn(target, organisationId) },
    })
    if (isErased) await services.audit.record(db, auditContext, { action: 'user.deleted', object })
  })
}

async function archive(db: Db, userId: string): Promise<void> {
  await db
    .updateTable('portalUser')
    .set(({ selectFrom }) => ({ statusId: selectFrom('status').select('id').where('name', '=', 'archived') }))
    .where('id', '=', userId)
    .execute()
}
