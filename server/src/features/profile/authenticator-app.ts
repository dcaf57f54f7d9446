import { toString as drawQr } from 'qrcode'
import type { SignedInContext } from '../../kernel/audit-context.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import { beginTotp, confirmTotp, type TotpServices } from '../../identity/factors/totp.ts'
import type { AppServices } from '../../app-services.ts'
import type { Db } from '../../kernel/store/store.ts'
import type { ThrottleLimit } from '../../security/throttling/throttle.ts'
import {
  reAuthenticateOwner,
  createFirstRecoveryCodes,
  recordWrongFactor,
  enableMfa,
  recordAndNotifyOwner,
  type AccountChangeServices,
} from './account-change.ts'
import { deleteAuthenticatorApp } from './queries.ts'

export type AuthenticatorAppServices = Pick<AppServices, 'audit' | 'devices' | 'sessions' | 'store' | 'throttle'> &
  AccountChangeServices &
  TotpServices

const firstCodeLimit: ThrottleLimit = { kind: 'first code of an app', free: 10, waitMs: 900_000 }

export async function beginAuthenticatorApp(
  services: AuthenticatorAppServices,
  auditContext: SignedInContext,
  password: string | undefined,
) {
  const { id: userId, emailAddress: label } = await reAuthenticateOwner(services, auditContext, password)
  // Across, here and below: users belong to no single organisation.
  const { secret, uri } = await services.store.across((db) => beginTotp(db, services, userId, label))
  const svg = await drawQr(uri, { type: 'svg', margin: 2 })
  return { secret, uri, qr: `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}` }
}

export async function confirmAuthenticatorApp(
  services: AuthenticatorAppServices,
  auditContext: SignedInContext,
  enteredCode: string,
): Promise<{ recoveryCodes: string[] }> {
  const { store, throttle } = services
  const { userId } = auditContext.actor
  await throttle.attempt(firstCodeLimit, userId)
  const code = enteredCode.replaceAll(/\s+/gu, '')
  const added = await store.across(async (db) => {
    if (await confirmTotp(db, services, userId, code))
      return completeNewFactor(services, db, auditContext, 'An authenticator app was added')
    await recordWrongFactor(services, db, auditContext)
    return null
  })
  if (added === null) throw new ApiFault('codeNotRight')
  return added
}

export async function removeAuthenticatorApp(
  services: AuthenticatorAppServices,
  auditContext: SignedInContext,
  password: string | undefined,
): Promise<void> {
  await reAuthenticateOwner(services, auditContext, password)
  await services.store.across(async (db) => {
    if (!(await deleteAuthenticatorApp(db, auditContext.actor.userId))) throw new ApiFault('notFound')
    await recordAndNotifyOwner(services, db, auditContext, {
      action: 'authn.factor_removed',
      what: 'The authenticator app was removed.',
    })
  })
}

/** Every new factor switches MFA on. Returns recovery codes, which are shown once, if the user has none. */
export async function completeNewFactor(
  services: AuthenticatorAppServices,
  db: Db,
  auditContext: SignedInContext,
  what: string,
): Promise<{ recoveryCodes: string[] }> {
  await enableMfa(services, db, auditContext.actor)
  await recordAndNotifyOwner(services, db, auditContext, {
    action: 'authn.factor_added',
    what: `${what}, and multi-factor authentication is on.`,
  })
  return { recoveryCodes: await createFirstRecoveryCodes(services, db, auditContext) }
}
