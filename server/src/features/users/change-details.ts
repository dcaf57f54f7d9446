/** Changes what belongs to the person, not to a membership: names, address, password, Microsoft account, second factor. */
import type { AppServices } from '../../app-services.ts'
import { accountChanged } from '../../identity/people/account-email-templates.ts'
import { revokePendingSignIns } from '../../identity/people/revoke-sign-in-methods.ts'
import type { OrganisationContext } from '../../kernel/audit-context.ts'
import { ApiFault, badField } from '../../kernel/http/api-fault.ts'
import type { Db } from '../../kernel/store/store.ts'
import { isUniqueViolation } from '../../kernel/store/unique-violation.ts'
import { moveSignUpsToAddress } from './follow-address-change.ts'
import type { LockedPerson } from './lock-people.ts'

export type ChangeDetailsServices = Pick<
  AppServices,
  'audit' | 'clock' | 'config' | 'mailer' | 'providers' | 'sessions'
>

export type UserDetailsChange = Partial<
  Pick<LockedPerson, 'firstName' | 'lastName' | 'emailAddress' | 'msOid' | 'requiresMfa'>
> & { readonly passwordHash?: string }

export async function setDetails(
  db: Db,
  services: ChangeDetailsServices,
  auditContext: OrganisationContext,
  { target, details }: { readonly target: LockedPerson; readonly details: UserDetailsChange },
): Promise<void> {
  try {
    await db
      .updateTable('portalUser')
      .set({
        ...details,
        ...(allowsAdministratorSignIn(target, details) && { isProven: false }),
        ...(details.passwordHash !== undefined && { passwordIsTemporary: services.config.temporaryPasswords }),
      })
      .where('id', '=', target.id)
      .execute()
  } catch (error) {
    throw toConflictFault(error)
  }
  const object = { type: 'user', id: target.id }
  await services.audit.record(db, auditContext, {
    action: 'user.updated',
    object,
    detail: { fields: Object.keys(details) },
  })
  if (details.emailAddress !== undefined)
    await applyNewAddress(db, services, {
      userId: target.id,
      former: target.emailAddress,
      current: details.emailAddress,
    })
  const reachedAt = details.emailAddress ?? target.emailAddress
  if (details.msOid !== undefined && target.msOid !== null)
    await unlinkMicrosoft(db, services, auditContext, { userId: target.id, reachedAt })
  if (details.passwordHash !== undefined)
    await revokeSignIns(db, services, auditContext, { userId: target.id, reachedAt })
  if (details.requiresMfa !== undefined) {
    const [action, change] = details.requiresMfa
      ? (['authn.mfa_enabled', 'on'] as const)
      : (['authn.mfa_disabled', 'off'] as const)
    await services.audit.record(db, auditContext, { action, object })
    await notifyUser(db, services, reachedAt, `An administrator switched the second factor of your account ${change}.`)
  }
}

/** True if an administrator could sign in as the person from now on, with the password or with codes sent to the address. */
function allowsAdministratorSignIn(
  { emailAddress: former }: LockedPerson,
  { emailAddress = former, passwordHash }: UserDetailsChange,
): boolean {
  return passwordHash !== undefined || emailAddress.toLowerCase() !== former.toLowerCase()
}

/** The unique indexes decide, so that of two concurrent changes to the same value only one succeeds. */
function toConflictFault(error: unknown): unknown {
  if (!isUniqueViolation(error)) return error
  return isUniqueViolation(error, 'portal_user_email')
    ? new ApiFault('addressTaken', { fields: { emailAddress: 'is in use' } })
    : badField('msId', 'belongs to another user')
}

/** Notifies both addresses, so that an owner who has lost the account learns of it. Revokes codes sent to the former address. */
async function applyNewAddress(
  db: Db,
  services: ChangeDetailsServices,
  { userId, former: formerAddress, current: newAddress }: { userId: string; former: string; current: string },
): Promise<void> {
  await revokePendingSignIns(db, services.clock, userId)
  await moveSignUpsToAddress(db, formerAddress, newAddress)
  const addresses =
    formerAddress.toLowerCase() === newAddress.toLowerCase() ? [newAddress] : [formerAddress, newAddress]
  for (const address of addresses)
    await notifyUser(
      db,
      services,
      address,
      `An administrator changed the email address of your account from ${formerAddress} to ${newAddress}.`,
    )
}

/** Revokes everything obtained with the former password: sessions, known browsers, unfinished sign-ins and links. */
async function revokeSignIns(
  db: Db,
  services: ChangeDetailsServices,
  auditContext: OrganisationContext,
  { userId, reachedAt }: { userId: string; reachedAt: string },
): Promise<void> {
  await services.sessions.endAll(db, userId, 'new password')
  await db.deleteFrom('device').where('userId', '=', userId).execute()
  await revokePendingSignIns(db, services.clock, userId)
  await services.audit.record(db, auditContext, {
    action: 'authn.password_changed',
    object: { type: 'user', id: userId },
  })
  await notifyUser(
    db,
    services,
    reachedAt,
    'An administrator set a new password for your account. You were signed out everywhere.',
  )
}

/** Deletes the identity that signing in with the former Microsoft account created, and ends the sessions. */
async function unlinkMicrosoft(
  db: Db,
  services: ChangeDetailsServices,
  auditContext: OrganisationContext,
  { userId, reachedAt }: { userId: string; reachedAt: string },
): Promise<void> {
  const microsoftProviders = services.providers.filter(({ hasMicrosoftId }) => hasMicrosoftId).map(({ name }) => name)
  if (microsoftProviders.length > 0)
    await db
      .deleteFrom('externalIdentity')
      .where('userId', '=', userId)
      .where('provider', 'in', microsoftProviders)
      .execute()
  await services.sessions.endAll(db, userId, 'ended by an administrator')
  await revokePendingSignIns(db, services.clock, userId)
  await services.audit.record(db, auditContext, { action: 'authn.oidc_unlinked', object: { type: 'user', id: userId } })
  await notifyUser(
    db,
    services,
    reachedAt,
    'An administrator removed the Microsoft account that you signed in with. You were signed out everywhere.',
  )
}

async function notifyUser(
  db: Db,
  { config, mailer }: Pick<AppServices, 'config' | 'mailer'>,
  address: string,
  change: string,
): Promise<void> {
  await mailer.enqueue(db, address, accountChanged({ what: change, url: `${config.publicUrl}/reset-password` }))
}
