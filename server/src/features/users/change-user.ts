/** Changing a member: their role here, their status, their own details. What the form sends unchanged is no change. */
import { may } from '@tributary/contract/capabilities'
import type { UserChange } from '@tributary/contract/users'
import type { AuditAction } from '../../security/audit/audit-actions.ts'
import { ApiFault, badField } from '../../kernel/http/api-fault.ts'
import { accountChanged } from '../../identity/people/account-email-templates.ts'
import type { AppServices } from '../../app-services.ts'
import type { Db } from '../../kernel/store/store.ts'
import { endHalfFinished } from '../../identity/people/revoke-sign-in-methods.ts'
import { countAddress, refundAddress } from './address-check-limit.ts'
import { followAddress } from './follow-address-change.ts'
import { type Hand, record } from './audit-context.ts'
import {
  getGivenRole,
  isProviderRole,
  levelIn,
  lockMember,
  type Pair,
  type Person,
  requireAdministered,
  requireMember,
  requireOtherAdmins,
  requireOtherSuperadmin,
  type Role,
  roleOf,
} from './lock-people.ts'

interface Details {
  readonly firstName?: string
  readonly lastName?: string
  readonly emailAddress?: string
  readonly passwordHash?: string
  readonly msOid?: string | null
  readonly requiresMfa?: boolean
}

interface Status {
  readonly id: string
  readonly name: string
}

export async function changeUser(hand: Hand, userId: string, sent: UserChange): Promise<void> {
  const { services, actor } = hand
  const mayEditMicrosoftId = may(actor.roleLevel, 'editMicrosoftId')
  const change = mayEditMicrosoftId || sent.msId !== '' ? sent : { ...sent, msId: undefined }
  if (change.msId !== undefined && !mayEditMicrosoftId) throw new ApiFault('notAllowed')
  await requireMember(hand, userId)
  const passwordHash = await hashOf(hand, change)
  if (change.emailAddress !== undefined) await countAddress(hand)
  // Across: whether the caller may change the person depends on every organisation that the person is in.
  await services.store.across(async (db) => {
    const pair = await lockMember(db, hand, userId)
    const role = await newRole(db, hand, pair, change.roleId)
    const status = await newStatus(db, pair, change.statusId)
    const details = newDetails(pair, change, passwordHash)
    if (actor.userId === userId) requireNotOwn({ role, status, details })
    if (status !== null || Object.keys(details).length > 0) requireAdministered(pair)
    if (role !== null) await giveRole(db, hand, pair, role)
    if (status !== null) await setStatus(db, hand, pair, status)
    if (Object.keys(details).length > 0) await setDetails(db, hand, pair, details)
    if (change.emailAddress !== undefined) await refundAddress(db, hand)
  })
}

/** The form leaves the password empty where it is to stay. */
async function hashOf(
  { services }: Hand,
  { password, firstName, lastName, emailAddress }: UserChange,
): Promise<string | undefined> {
  if (password === undefined || password === '') return undefined
  const about = [firstName, lastName, emailAddress].filter((name) => name !== undefined)
  await services.passwords.requireGood('password', password, about)
  return services.passwords.hash(password)
}

async function newRole(
  db: Db,
  { organisationId }: Hand,
  { caller, target }: Pair,
  roleId: string | undefined,
): Promise<Role | null> {
  if (roleId === undefined) return null
  const role = await getGivenRole(db, roleId, levelIn(caller, organisationId))
  return role.name === roleOf(target, organisationId) ? null : role
}

async function newStatus(db: Db, { target }: Pair, statusId: string | undefined): Promise<Status | null> {
  if (statusId === undefined || statusId === target.statusId) return null
  const status = await db.selectFrom('status').select(['id', 'name']).where('id', '=', statusId).executeTakeFirst()
  if (status === undefined) throw badField('statusId', 'is not the id of a status')
  return status
}

function newDetails({ target }: Pair, change: UserChange, passwordHash: string | undefined): Details {
  const { firstName, lastName, emailAddress, msId, requireMultiFactorAuthentication: requiresMfa } = change
  const msOid = msId === '' ? null : msId
  const wished = { firstName, lastName, emailAddress, passwordHash, msOid, requiresMfa }
  const changed = Object.entries(wished).filter(
    ([name, value]) => value !== undefined && value !== Reflect.get(target, name),
  )
  return Object.fromEntries(changed)
}

/** The profile asks for the password or a code before it changes how one signs in; an open browser must not get round that here. */
function requireNotOwn({
  role,
  status,
  details,
}: {
  role: Role | null
  status: Status | null
  details: Details
}): void {
  if (role !== null || status !== null) throw new ApiFault('ownRole')
  // Codes and links to a new password go to the address.
  if (details.emailAddress !== undefined)
    throw badField('emailAddress', 'is your own; ask another administrator to change it')
  if (details.passwordHash !== undefined) throw badField('password', 'is your own; change it in your profile')
  if (details.requiresMfa !== undefined)
    throw badField('requireMultiFactorAuthentication', 'is your own; switch it in your profile')
}

async function giveRole(db: Db, hand: Hand, { target }: Pair, role: Role): Promise<void> {
  const { organisationId, services } = hand
  // Who rises to a provider role is no longer the organisation's own.
  if (role.name !== 'admin') await requireOtherAdmins(db, target, [organisationId])
  if (role.name !== 'superadmin') await requireOtherSuperadmin(db, target)
  const providerRoleId = isProviderRole(role) ? role.id : null
  await db.updateTable('portalUser').set({ providerRoleId }).where('id', '=', target.id).execute()
  if (providerRoleId === null) {
    // One of the provider's people who was a member nowhere becomes one here.
    await db
      .insertInto('membership')
      .values({ organisationId, userId: target.id, roleId: role.id })
      .onConflict((conflict) => conflict.columns(['organisationId', 'userId']).doUpdateSet({ roleId: role.id }))
      .execute()
  }
  await services.sessions.endAllOf(db, target.id, 'new role')
  const detail = { before: roleOf(target, organisationId), after: role.name }
  await record(db, hand, { action: 'authz.role_changed', object: { type: 'user', id: target.id }, detail })
}

async function setStatus(db: Db, hand: Hand, { target }: Pair, status: Status): Promise<void> {
  const action = await applyStatus(db, hand.services, target, status)
  await record(db, hand, { action, object: { type: 'user', id: target.id }, detail: { before: target.status } })
}

/** Answers what the audit log calls it. Throws `lastAdmin` for one who must not go. */
export async function applyStatus(
  db: Db,
  { sessions }: Pick<AppServices, 'sessions'>,
  target: Person,
  { id, name }: Status,
): Promise<AuditAction> {
  if (name === 'locked' || name === 'archived') {
    await requireOtherAdmins(db, target, Object.keys(target.roles))
    await requireOtherSuperadmin(db, target)
    await sessions.endAllOf(db, target.id, name)
  }
  await db.updateTable('portalUser').set({ statusId: id }).where('id', '=', target.id).execute()
  return name === 'active' ? 'user.activated' : name === 'locked' ? 'user.locked' : 'user.archived'
}

async function setDetails(db: Db, hand: Hand, { target }: Pair, details: Details): Promise<void> {
  try {
    await db
      .updateTable('portalUser')
      .set({
        ...details,
        ...(isTakenInHand(target, details) && { isProven: false }),
        ...(details.passwordHash !== undefined && { passwordIsTemporary: hand.services.config.temporaryPasswords }),
      })
      .where('id', '=', target.id)
      .execute()
  } catch (error) {
    throw takenFault(error)
  }
  const object = { type: 'user', id: target.id }
  await record(db, hand, { action: 'user.updated', object, detail: { fields: Object.keys(details) } })
  if (details.emailAddress !== undefined)
    await tellNewAddress(db, hand, { userId: target.id, former: target.emailAddress, current: details.emailAddress })
  const reachedAt = details.emailAddress ?? target.emailAddress
  if (details.msOid !== undefined && target.msOid !== null)
    await endMicrosoft(db, hand, { userId: target.id, reachedAt })
  if (details.passwordHash !== undefined) await renewTrust(db, hand, { userId: target.id, reachedAt })
  if (details.requiresMfa !== undefined) {
    const [action, what] = details.requiresMfa
      ? (['authn.mfa_enabled', 'on'] as const)
      : (['authn.mfa_disabled', 'off'] as const)
    await record(db, hand, { action, object })
    await tell(db, hand, reachedAt, `An administrator switched the second factor of your account ${what}.`)
  }
}

/** Whether an administrator could be the one who signs in from now on: with the password, or with what goes to the address. */
function isTakenInHand({ emailAddress: former }: Person, { emailAddress = former, passwordHash }: Details): boolean {
  return passwordHash !== undefined || emailAddress.toLowerCase() !== former.toLowerCase()
}

/** The two unique indexes decide, so that two who want the same at once cannot both have it. */
function takenFault(error: unknown): unknown {
  const { code, constraint } = error as { readonly code?: string; readonly constraint?: string }
  if (code !== '23505') return error
  return constraint === 'portal_user_email'
    ? new ApiFault('addressTaken', { fields: { emailAddress: 'is in use' } })
    : badField('msId', 'belongs to another user')
}

/** To both addresses: whoever has lost the account must hear of it. What went to the former one stops working. */
async function tellNewAddress(
  db: Db,
  hand: Hand,
  { userId, former, current }: { userId: string; former: string; current: string },
): Promise<void> {
  await endHalfFinished(db, hand.services.clock, userId)
  await followAddress(db, former, current)
  const addresses = former.toLowerCase() === current.toLowerCase() ? [current] : [former, current]
  for (const address of addresses)
    await tell(
      db,
      hand,
      address,
      `An administrator changed the email address of your account from ${former} to ${current}.`,
    )
}

/** What was on its way to a session with the former password ends: sessions, known browsers, half-finished sign-ins, links. */
async function renewTrust(
  db: Db,
  hand: Hand,
  { userId, reachedAt }: { userId: string; reachedAt: string },
): Promise<void> {
  const { services } = hand
  await services.sessions.endAllOf(db, userId, 'new password')
  await db.deleteFrom('device').where('userId', '=', userId).execute()
  await endHalfFinished(db, services.clock, userId)
  await record(db, hand, { action: 'authn.password_changed', object: { type: 'user', id: userId } })
  await tell(
    db,
    hand,
    reachedAt,
    'An administrator set a new password for your account. You were signed out everywhere.',
  )
}

/** Who has signed in by the account that was entered is known by it: taking it away, or entering another, takes that too. */
async function endMicrosoft(
  db: Db,
  hand: Hand,
  { userId, reachedAt }: { userId: string; reachedAt: string },
): Promise<void> {
  const { services } = hand
  const tellingIt = services.providers.filter(({ tellsMicrosoftId }) => tellsMicrosoftId).map(({ name }) => name)
  if (tellingIt.length > 0)
    await db.deleteFrom('externalIdentity').where('userId', '=', userId).where('provider', 'in', tellingIt).execute()
  await services.sessions.endAllOf(db, userId, 'ended by an administrator')
  await endHalfFinished(db, services.clock, userId)
  await record(db, hand, { action: 'authn.oidc_unlinked', object: { type: 'user', id: userId } })
  await tell(
    db,
    hand,
    reachedAt,
    'An administrator took the Microsoft account away that opened your account. You were signed out everywhere.',
  )
}

async function tell(db: Db, { services }: Hand, address: string, what: string): Promise<void> {
  await services.mailer.post(db, address, accountChanged({ what, url: `${services.config.publicUrl}/reset-password` }))
}
