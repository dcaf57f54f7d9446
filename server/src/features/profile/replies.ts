import type { Security, SignedInSession } from '@tributary/contract/profile'
import type { Camel } from '@tributary/contract/wire'
import type { Actor } from '../../kernel/http/actor.ts'
import { countRecoveryCodes } from '../../identity/factors/recovery-codes.ts'
import { readMfaRequirement } from '../../identity/factors/mfa-requirement.ts'
import type { AppServices } from '../../app-services.ts'
import { getOwner, hasAuthenticatorApp, listExternalIdentities, listPasskeys, listSessions } from './queries.ts'

type ProfileRepliesServices = Pick<AppServices, 'config' | 'devices' | 'store'>

/** @param tokens device tokens from the browser's cookie. */
export function readSecurity(
  { config, devices, store }: ProfileRepliesServices,
  { userId }: Actor,
  tokens: readonly string[],
): Promise<Camel<Security>> {
  // Across: users belong to no single organisation.
  return store.across(async (db) => {
    const { passwordHash } = await getOwner(db, userId)
    const { isRequired, requiredBy } = await readMfaRequirement(db, config.mode, userId)
    return {
      requireMultiFactorAuthentication: isRequired,
      requiredBy,
      hasPassword: passwordHash !== null,
      hasAuthenticatorApp: await hasAuthenticatorApp(db, userId),
      passkeys: await listPasskeys(db, userId),
      recoveryCodesLeft: await countRecoveryCodes(db, userId),
      verificationDevices: await devices.list(db, userId, tokens),
      externalIdentities: await listExternalIdentities(db, userId),
    }
  })
}

/** Leaves out expired sessions. */
export async function listSignedInSessions(
  { sessions, store }: Pick<AppServices, 'sessions' | 'store'>,
  actor: Actor,
): Promise<Camel<SignedInSession>[]> {
  const rows = await store.across((db) => listSessions(db, actor.userId))
  return rows
    .filter((row) => sessions.isAlive(actor, row))
    .map(({ id, deviceName, address, createdAt, lastActiveAt }) => ({
      id,
      deviceName: deviceName ?? 'Another program',
      address,
      startedAtUtc: createdAt,
      lastActiveAtUtc: lastActiveAt,
      isThisSession: id === actor.sessionId,
    }))
}
