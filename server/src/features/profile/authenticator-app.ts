import { toString as drawQr } from 'qrcode'
import type { AuditContext } from '../../kernel/audit-context.ts'
import type { Actor } from '../../kernel/http/actor.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import { beginTotp, confirmTotp, type TotpServices } from '../../identity/factors/totp.ts'
import type { AppServices } from '../../app-services.ts'
import type { Db } from '../../kernel/store/store.ts'
import type { ThrottleLimit } from '../../security/throttling/throttle.ts'
import {
  getProvenOwner,
  makeFirstRecoveryCodes,
  noteWrongFactor,
  startAskingMfa,
  tellOwner,
  type AccountChangeServices,
} from './account-change.ts'
import { deleteAuthenticatorApp } from './queries.ts'

export type AuthenticatorAppServices = Pick<AppServices, 'audit' | 'devices' | 'sessions' | 'store' | 'throttle'> &
  AccountChangeServices &
  TotpServices

const firstCodes: ThrottleLimit = {
  kind: 'first code of an app',
  free: 10,
  waitMs: 900_000,
  waitMaxMs: 900_000,
  windowMs: 900_000,
}

export async function beginApp(
  services: AuthenticatorAppServices,
  auditContext: AuditContext<string | null, Actor>,
  password: string | undefined,
) {
  const { id: userId, emailAddress: label } = await getProvenOwner(services, auditContext, password)
  // Across, here and below: a person belongs to no organisation.
  const { secret, uri } = await services.store.across((db) => beginTotp(db, services, { userId, label }))
  const svg = await drawQr(uri, { type: 'svg', margin: 2 })
  return { secret, uri, qr: `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}` }
}

export async function confirmApp(
  services: AuthenticatorAppServices,
  auditContext: AuditContext<string | null, Actor>,
  typed: string,
): Promise<{ recoveryCodes: string[] }> {
  const { store, throttle } = services
  const { userId } = auditContext.actor
  await throttle.attempt(firstCodes, userId)
  const code = typed.replaceAll(/\s+/gu, '')
  const added = await store.across(async (db) => {
    if (await confirmTotp(db, services, { userId, code }))
      return noteNewFactor(services, db, auditContext, 'An authenticator app was added')
    await noteWrongFactor(services, db, auditContext)
    return null
  })
  if (added === null) throw new ApiFault('codeNotRight')
  return added
}

export async function removeApp(
  services: AuthenticatorAppServices,
  auditContext: AuditContext<string | null, Actor>,
  password: string | undefined,
): Promise<void> {
  await getProvenOwner(services, auditContext, password)
  await services.store.across(async (db) => {
    if (!(await deleteAuthenticatorApp(db, auditContext.actor.userId))) throw new ApiFault('notFound')
    await tellOwner(services, db, auditContext, {
      action: 'authn.factor_removed',
      what: 'The authenticator app was removed.',
    })
  })
}

/** It switches MFA on. Answers recovery codes, told once, to somebody who has none. */
export async function noteNewFactor(
  services: AuthenticatorAppServices,
  db: Db,
  auditContext: AuditContext<string | null, Actor>,
  what: string,
): Promise<{ recoveryCodes: string[] }> {
  await startAskingMfa(services, db, auditContext.actor)
  await tellOwner(services, db, auditContext, {
    action: 'authn.factor_added',
    what: `${what}, and multi-factor authentication is on.`,
  })
  return { recoveryCodes: await makeFirstRecoveryCodes(services, db, auditContext) }
}
