/** Changes a member's role in the organisation, status and personal details. Ignores fields that the form sends back unchanged. */
import { isAuditor } from '../../identity/people/auditor-rooms.ts'
import { may } from '@tributary/contract/capabilities'
import type { UserChange } from '@tributary/contract/users'
import type { CallerContext, OrganisationContext } from '../../kernel/audit-context.ts'
import type { AuditAction } from '@tributary/contract/audit-actions'
import { ApiFault, badField } from '../../kernel/http/api-fault.ts'
import type { AppServices } from '../../app-services.ts'
import type { Db } from '../../kernel/store/store.ts'
import { countAddressCheck, refundAddressCheck } from './address-check-limit.ts'
import { type UserDetailsChange, setDetails, type ChangeDetailsServices } from './change-details.ts'
import {
  getAssignableRole,
  isProviderRole,
  roleLevelIn,
  lockMember,
  type CallerAndTarget,
  type LockedPerson,
  requireAdministered,
  requireMember,
  requireOtherAdmins,
  requireOtherSuperadmin,
  type AssignableRole,
  roleIn,
} from './lock-people.ts'

type ChangeUserServices = Pick<AppServices, 'audit' | 'passwords' | 'sessions' | 'store' | 'throttle'> &
  ChangeDetailsServices

type AssignedStatus = NonNullable<Awaited<ReturnType<typeof resolveStatusChange>>>

export async function changeUser(
  services: ChangeUserServices,
  auditContext: CallerContext,
  userId: string,
  requested: UserChange,
): Promise<void> {
  const { actor, organisationId } = auditContext
  const mayEditMicrosoftId = may(actor.roleLevel, 'editMicrosoftId')
  const change = mayEditMicrosoftId || requested.msId !== '' ? requested : { ...requested, msId: undefined }
  if (change.msId !== undefined && !mayEditMicrosoftId) throw new ApiFault('notAllowed')
  await requireMember(services, auditContext, userId)
  const passwordHash = await hashNewPassword(services, change)
  if (change.emailAddress !== undefined) await countAddressCheck(services, actor)
  // Across: whether the caller may change the person depends on every organisation that the person is in.
  await services.store.across(async (db) => {
    const pair = await lockMember(db, auditContext, userId)
    const role = await resolveRoleChange(db, organisationId, pair, change.roleId)
    const status = await resolveStatusChange(db, pair, change.statusId)
    const details = collectDetailsChange(pair, change, passwordHash)
    if (actor.userId === userId) requireNotOwnAccount({ role, status, details })
    if (pair.target.isService) requireServiceChange({ role, details })
    if (status !== null || Object.keys(details).length > 0) requireAdministered(pair)
    if (role !== null) await assignRole(db, services, auditContext, { target: pair.target, role })
    if (status !== null) await setStatus(db, services, auditContext, { target: pair.target, status })
    if (Object.keys(details).length > 0) await setDetails(db, services, auditContext, { target: pair.target, details })
    if (change.emailAddress !== undefined) await refundAddressCheck(db, services, actor)
  })
}

/** Undefined if the password stays: the form then sends it empty. */
async function hashNewPassword(
  { passwords }: Pick<AppServices, 'passwords'>,
  { password, firstName, lastName, emailAddress }: UserChange,
): Promise<string | undefined> {
  if (password === undefined || password === '') return undefined
  const personalNames = [firstName, lastName, emailAddress].filter((name) => name !== undefined)
  await passwords.requireStrong('password', password, personalNames)
  return passwords.hash(password)
}

async function resolveRoleChange(
  db: Db,
  organisationId: string,
  { caller, target }: CallerAndTarget,
  roleId: string | undefined,
): Promise<AssignableRole | null> {
  if (roleId === undefined) return null
  const role = await getAssignableRole(db, roleId, roleLevelIn(caller, organisationId))
  return role.name === roleIn(target, organisationId) ? null : role
}

async function resolveStatusChange(db: Db, { target }: CallerAndTarget, statusId: string | undefined) {
  if (statusId === undefined || statusId === target.statusId) return null
  const status = await db.selectFrom('status').select(['id', 'name']).where('id', '=', statusId).executeTakeFirst()
  if (status === undefined) throw badField('statusId', 'is not the id of a status')
  return status
}

function collectDetailsChange(
  { target }: CallerAndTarget,
  change: UserChange,
  passwordHash: string | undefined,
): UserDetailsChange {
  const { firstName, lastName, emailAddress, msId, requireMultiFactorAuthentication: requiresMfa } = change
  const msOid = msId === '' ? null : msId
  const desired = { firstName, lastName, emailAddress, passwordHash, msOid, requiresMfa }
  const changed = Object.entries(desired).filter(
    ([name, value]) => value !== undefined && value !== Reflect.get(target, name),
  )
  return Object.fromEntries(changed)
}

/** A service account has nothing to sign in with, and the role of an administrator or of a user. Throws `serviceAccount`. */
function requireServiceChange({ role, details }: { role: AssignableRole | null; details: UserDetailsChange }): void {
  const isRenamed = Object.keys(details).every((field) => field === 'firstName')
  if (!isRenamed || (role !== null && role.name !== 'admin' && role.name !== 'user'))
    throw new ApiFault('serviceAccount')
}

/**
 * The profile re-authenticates people before it changes how they sign in. An unattended browser must not bypass that here.
 * Throws `ownRole` or `badInput`.
 */
function requireNotOwnAccount({
  role,
  status,
  details,
}: {
  role: AssignableRole | null
  status: AssignedStatus | null
  details: UserDetailsChange
}): void {
  if (role !== null || status !== null) throw new ApiFault('ownRole')
  // Sign-in codes and password reset links go to the address.
  if (details.emailAddress !== undefined)
    throw badField('emailAddress', 'is your own; ask another administrator to change it')
  if (details.passwordHash !== undefined) throw badField('password', 'is your own; change it in your profile')
  if (details.requiresMfa !== undefined)
    throw badField('requireMultiFactorAuthentication', 'is your own; switch it in your profile')
}

async function assignRole(
  db: Db,
  services: Pick<AppServices, 'audit' | 'sessions'>,
  auditContext: OrganisationContext,
  { target, role }: { readonly target: LockedPerson; readonly role: AssignableRole },
): Promise<void> {
  const { organisationId } = auditContext
  if (await isAuditor(db, organisationId, target.id)) throw new ApiFault('auditorRole')
  // A person with a provider role no longer counts as an administrator of the organisation.
  if (role.name !== 'admin') await requireOtherAdmins(db, target, [organisationId])
  if (role.name !== 'superadmin') await requireOtherSuperadmin(db, target)
  const providerRoleId = isProviderRole(role) ? role.id : null
  await db.updateTable('portalUser').set({ providerRoleId }).where('id', '=', target.id).execute()
  if (providerRoleId === null) {
    // A provider's person without a membership gets one here.
    await db
      .insertInto('membership')
      .values({ organisationId, userId: target.id, roleId: role.id })
      .onConflict((conflict) => conflict.columns(['organisationId', 'userId']).doUpdateSet({ roleId: role.id }))
      .execute()
  }
  await services.sessions.endAll(db, target.id, 'new role')
  const detail = { before: roleIn(target, organisationId), after: role.name }
  await services.audit.record(db, auditContext, {
    action: 'authz.role_changed',
    object: { type: 'user', id: target.id },
    detail,
  })
}

async function setStatus(
  db: Db,
  services: Pick<AppServices, 'audit' | 'sessions'>,
  auditContext: OrganisationContext,
  { target, status }: { readonly target: LockedPerson; readonly status: AssignedStatus },
): Promise<void> {
  const action = await applyStatus(db, services, target, status)
  await services.audit.record(db, auditContext, {
    action,
    object: { type: 'user', id: target.id },
    detail: { before: target.status },
  })
}

/** Returns the action for the audit log. Throws `lastAdmin` if the organisation would lose its last administrator. */
export async function applyStatus(
  db: Db,
  { sessions }: Pick<AppServices, 'sessions'>,
  target: LockedPerson,
  { id, name }: AssignedStatus,
): Promise<AuditAction> {
  if (name === 'locked' || name === 'archived') {
    await requireOtherAdmins(db, target, Object.keys(target.roles))
    await requireOtherSuperadmin(db, target)
    await sessions.endAll(db, target.id, name)
  }
  await db.updateTable('portalUser').set({ statusId: id }).where('id', '=', target.id).execute()
  return name === 'active' ? 'user.activated' : name === 'locked' ? 'user.locked' : 'user.archived'
}
