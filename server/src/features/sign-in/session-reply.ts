import type { SessionReply } from '@tributary/contract/sign-in'
import type { Camel } from '@tributary/contract/wire'
import { listReadableTables } from '../../access/query/readable-tables.ts'
import { readMfaRequirement } from '../../identity/factors/mfa-requirement.ts'
import { getPreferences } from '../../identity/people/preferences.ts'
import { roomIn } from '../../kernel/http/actor.ts'
import type { AppServices } from '../../app-services.ts'
import type { IssuedSession } from '../../identity/sessions/sessions.ts'
import type { Db } from '../../kernel/store/store.ts'

/** @param tokens device tokens from the browser's cookie. */
export async function sessionReply(
  { config, devices }: Pick<AppServices, 'config' | 'devices'>,
  db: Db,
  { actor, accessToken }: IssuedSession,
  tokens: readonly string[],
): Promise<Camel<SessionReply>> {
  const room = roomIn(actor, actor.organisationId)
  const { isRequired } = await readMfaRequirement(db, config.mode, actor.userId)
  return {
    accessToken,
    firstName: actor.firstName,
    lastName: actor.lastName,
    email: actor.emailAddress,
    role: actor.role,
    roleLevel: actor.roleLevel,
    mayReadData: actor.organisationId !== null && (await listReadableTables(db, actor.organisationId, actor)).mayRead,
    organisationId: actor.organisationId,
    ...(room !== undefined && { auditorUntil: room.endsAt }),
    requireMultiFactorAuthentication: isRequired,
    mustChangePassword: actor.passwordIsTemporary,
    verificationDevices: await devices.list(db, actor.userId, tokens),
    preferences: await getPreferences(db, actor.userId),
  }
}
