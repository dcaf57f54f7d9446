/** Changing the own details of a member: names, address, password, Microsoft account, second factor. */
import type { AppServices } from '../../app-services.ts'
import { accountChanged } from '../../identity/people/account-email-templates.ts'
import { revokePendingSignIns } from '../../identity/people/revoke-sign-in-methods.ts'
import type { AuditContext } from '../../kernel/audit-context.ts'
import { ApiFault, badField } from '../../kernel/http/api-fault.ts'
import type { Db } from '../../kernel/store/store.ts'
import { followAddress } from './follow-address-change.ts'
import type { LockedPerson } from './lock-people.ts'

export type ChangeDetailsServices = Pick<
  AppServices,
  'audit' | 'clock' | 'config' | 'mailer' | 'providers' | 'sessions'
>

export interface UserDetailsChange {
  readonly firstName?: string
  readonly lastName?: string
  readonly emailAddress?: string
  readonly passwordHash?: string
  readonly msOid?: string | null
  readonly requiresMfa?: boolean
}

export async function setDetails(
  db: Db,
  services: ChangeDetailsServices,
  auditContext: AuditContext<string>,
  { target, details }: { readonly target: LockedPerson; readonly details: UserDetailsChange },
): Promise<void> {
  try {
    await db
      .updateTable('portalUser')
      .set({
        ...details,
        ...(isTakenInHand(target, details) && { isProven: false }),
        ...(details.passwordHash !== undefined && { passwordIsTemporary: services.config.temporaryPasswords }),
      })
      .where('id', '=', target.id)
      .execute()
  } catch (error) {
    throw takenFault(error)
  }
  const object = { type: 'user', id: target.id }
  await services.audit.record(db, auditContext, {
    outcome: 'success',
    action: 'user.updated',
    object,
    detail: { fields: Object.keys(details) },
  })
  if (details.emailAddress !== undefined)
    await tellNewAddress(db, services, {
      userId: target.id,
      former: target.emailAddress,
      current: details.emailAddress,
    })
  const reachedAt = details.emailAddress ?? target.emailAddress
  if (details.msOid !== undefined && target.msOid !== null)
    await endMicrosoft(db, services, auditContext, { userId: target.id, reachedAt })
  if (details.passwordHash !== undefined) await renewTrust(db, services, auditContext, { userId: target.id, reachedAt })
  if (details.requiresMfa !== undefined) {
    const [action, what] = details.requiresMfa
      ? (['authn.mfa_enabled', 'on'] as const)
      : (['authn.mfa_disabled', 'off'] as const)
    await services.audit.record(db, auditContext, { outcome: 'success', action, object })
    await tell(db, services, reachedAt, `An administrator switched the second factor of your account ${what}.`)
  }
}

/** Whether an administrator could be the one who signs in from now on: with the password, or with what goes to the address. */
function isTakenInHand(
  { emailAddress: former }: LockedPerson,
  { emailAddress = former, passwordHash }: UserDetailsChange,
): boolean {
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
  services: ChangeDetailsServices,
  { userId, former, current }: { userId: string; former: string; current: string },
): Promise<void> {
  await revokePendingSignIns(db, services.clock, userId)
  await followAddress(db, former, current)
  const addresses = former.toLowerCase() === current.toLowerCase() ? [current] : [former, current]
  for (const address of addresses)
    await tell(
      db,
      services,
      address,
      `An administrator changed the email address of your account from ${former} to ${current}.`,
    )
}

/** What was on its way to a session with the former password ends: sessions, known browsers, half-finished sign-ins, links. */
async function renewTrust(
  db: Db,
  services: ChangeDetailsServices,
  auditContext: AuditContext<string>,
  { userId, reachedAt }: { userId: string; reachedAt: string },
): Promise<void> {
  await services.sessions.endAll(db, userId, 'new password')
  await db.deleteFrom('device').where('userId', '=', userId).execute()
  await revokePendingSignIns(db, services.clock, userId)
  await services.audit.record(db, auditContext, {
    outcome: 'success',
    action: 'authn.password_changed',
    object: { type: 'user', id: userId },
  })
  await tell(
    db,
    services,
    reachedAt,
    'An administrator set a new password for your account. You were signed out everywhere.',
  )
}

/** Who has signed in by the account that was entered is known by it: taking it away, or entering another, takes that too. */
async function endMicrosoft(
  db: Db,
  services: ChangeDetailsServices,
  auditContext: AuditContext<string>,
  { userId, reachedAt }: { userId: string; reachedAt: string },
): Promise<void> {
  const tellingIt = services.providers.filter(({ hasMicrosoftId }) => hasMicrosoftId).map(({ name }) => name)
  if (tellingIt.length > 0)
    await db.deleteFrom('externalIdentity').where('userId', '=', userId).where('provider', 'in', tellingIt).execute()
  await services.sessions.endAll(db, userId, 'ended by an administrator')
  await revokePendingSignIns(db, services.clock, userId)
  await services.audit.record(db, auditContext, {
    outcome: 'success',
    action: 'authn.oidc_unlinked',
    object: { type: 'user', id: userId },
  })
  await tell(
    db,
    services,
    reachedAt,
    'An administrator took the Microsoft account away that opened your account. You were signed out everywhere.',
  )
}

async function tell(
  db: Db,
  { config, mailer }: Pick<AppServices, 'config' | 'mailer'>,
  address: string,
  what: string,
): Promise<void> {
  await mailer.enqueue(db, address, accountChanged({ what, url: `${config.publicUrl}/reset-password` }))
}
