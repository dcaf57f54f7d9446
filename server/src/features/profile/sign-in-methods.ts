/** The caller's own sign-in methods: password, recovery codes, devices, sessions and external identities. */
import type { SignedInContext } from '../../kernel/audit-context.ts'
import { ApiFault, badField } from '../../kernel/http/api-fault.ts'
import { createRecoveryCodes } from '../../identity/factors/recovery-codes.ts'
import type { AppServices } from '../../app-services.ts'
import { revokePendingSignIns } from '../../identity/people/revoke-sign-in-methods.ts'
import { reAuthenticateOwner, recordAndNotifyOwner, type AccountChangeServices } from './account-change.ts'
import {
  listExternalIdentities,
  listOwnNamesEverywhere,
  listPasskeys,
  listSessions,
  replacePassword,
  unlinkIdentities,
} from './queries.ts'

type SignInMethodServices = Pick<
  AppServices,
  'audit' | 'clock' | 'devices' | 'passwords' | 'providers' | 'sessions' | 'store'
> &
  AccountChangeServices

/** Across, here and below: users belong to no single organisation. */
export async function changePassword(
  services: SignInMethodServices,
  auditContext: SignedInContext,
  { currentPassword, password }: { currentPassword?: string | undefined; password: string },
): Promise<void> {
  const { clock, devices, passwords, sessions, store } = services
  const owner = await reAuthenticateOwner(services, auditContext, currentPassword)
  const names = await store.across((db) => listOwnNamesEverywhere(db, owner.id))
  await passwords.requireStrong('password', password, [owner.firstName, owner.lastName, owner.emailAddress, ...names])
  if (password === currentPassword) throw badField('password', 'is your current one; choose another')
  const passwordHash = await passwords.hash(password)
  await store.across(async (db) => {
    if (!(await replacePassword(db, owner, passwordHash))) throw new ApiFault('passwordNeeded')
    await devices.distrustAll(db, owner.id)
    await revokePendingSignIns(db, clock, owner.id)
    await sessions.endOthers(db, auditContext.actor, 'new password')
    sessions.forget(db, auditContext.actor.sessionId)
    await recordAndNotifyOwner(services, db, auditContext, {
      action: 'authn.password_changed',
      what: 'Your password was changed.',
    })
  })
}

export async function renewRecoveryCodes(
  services: SignInMethodServices,
  auditContext: SignedInContext,
  password: string | undefined,
): Promise<{ recoveryCodes: string[] }> {
  const { id } = await reAuthenticateOwner(services, auditContext, password)
  return services.store.across(async (db) => {
    const recoveryCodes = await createRecoveryCodes(db, id)
    await recordAndNotifyOwner(services, db, auditContext, {
      action: 'authn.recovery_codes_made',
      what: 'New recovery codes were created; the previous ones no longer work.',
    })
    return { recoveryCodes }
  })
}

export async function forgetDevice(
  { audit, devices, store }: SignInMethodServices,
  auditContext: SignedInContext,
  deviceId: string,
): Promise<void> {
  const { actor } = auditContext
  await store.across(async (db) => {
    if (!(await devices.forget(db, actor.userId, deviceId))) throw new ApiFault('notFound')
    const object = { type: 'device', id: deviceId }
    await audit.record(db, auditContext, { organisationId: null, action: 'authn.device_removed', object })
  })
}

export async function endSession(
  { audit, sessions, store }: SignInMethodServices,
  auditContext: SignedInContext,
  sessionId: string,
): Promise<void> {
  const { actor } = auditContext
  await store.across(async (db) => {
    const own = await listSessions(db, actor.userId)
    if (!own.some(({ id }) => id === sessionId)) throw new ApiFault('notFound')
    await sessions.end(db, sessionId, 'signed out elsewhere')
    const object = { type: 'session', id: sessionId }
    await audit.record(db, auditContext, { organisationId: null, action: 'session.revoked_by_user', object })
  })
}

export async function endAllSessions(
  { audit, sessions, store }: SignInMethodServices,
  auditContext: SignedInContext,
): Promise<void> {
  const { actor } = auditContext
  await store.across(async (db) => {
    await sessions.endAll(db, actor.userId, 'signed out elsewhere')
    await audit.record(db, auditContext, { organisationId: null, action: 'session.revoked_by_user' })
  })
}

/** @throws `onlyWayIn` if it is the user's only sign-in method. */
export async function unlinkProvider(
  services: SignInMethodServices,
  auditContext: SignedInContext,
  { provider, password }: { provider: string; password: string | undefined },
): Promise<void> {
  const owner = await reAuthenticateOwner(services, auditContext, password)
  const isMicrosoft = services.providers.some(
    ({ name, hasMicrosoftId }) => name === provider.toLowerCase() && hasMicrosoftId,
  )
  await services.store.across(async (db) => {
    if (!(await unlinkIdentities(db, owner.id, { provider, isMicrosoft }))) throw new ApiFault('notFound')
    const hasOtherMethod =
      owner.passwordHash !== null ||
      (await listExternalIdentities(db, owner.id)).length > 0 ||
      (await listPasskeys(db, owner.id)).length > 0
    if (!hasOtherMethod) throw new ApiFault('onlyWayIn')
    const what = 'An account at another provider was unlinked: it no longer signs you in.'
    await recordAndNotifyOwner(services, db, auditContext, { action: 'authn.oidc_unlinked', what })
  })
}
