/**
 * Shared steps of all changes to the caller's own sign-in methods: the current password, an audit event, an email to
 * the owner.
 */
import type { SignedInContext } from '../../kernel/audit-context.ts'
import type { AuditAction } from '@tributary/contract/audit-actions'
import type { Actor } from '../../kernel/http/actor.ts'
import { countRecoveryCodes, createRecoveryCodes } from '../../identity/factors/recovery-codes.ts'
import { accountChanged } from '../../identity/people/account-email-templates.ts'
import {
  requireCurrentPassword,
  type CurrentPasswordServices,
} from '../../identity/passwords/require-current-password.ts'
import type { AppServices } from '../../app-services.ts'
import type { Db } from '../../kernel/store/store.ts'
import { getOwner, type ProfileOwner } from './queries.ts'

export type AccountChangeServices = Pick<AppServices, 'audit' | 'config' | 'mailer' | 'store'> & CurrentPasswordServices

/**
 * Returns the caller's account with the hash that the password was checked against.
 *
 * @throws `passwordNeeded` if the account has another password.
 */
export async function reAuthenticateOwner(
  services: AccountChangeServices,
  auditContext: SignedInContext,
  password: string | undefined,
): Promise<ProfileOwner> {
  const passwordHash = await requireCurrentPassword(services, auditContext, password)
  // Across: users belong to no single organisation.
  const owner = await services.store.across((db) => getOwner(db, auditContext.actor.userId))
  return { ...owner, passwordHash }
}

interface AccountChange {
  readonly action: AuditAction
  /** A sentence for the owner that says what happened. */
  readonly what: string
}

/** Runs in the transaction of the change, so that none goes unnoticed. */
export async function recordAndNotifyOwner(
  { audit, config, mailer }: AccountChangeServices,
  db: Db,
  auditContext: SignedInContext,
  { action, what }: AccountChange,
): Promise<void> {
  const { actor } = auditContext
  const object = { type: 'user', id: actor.userId }
  await audit.record(db, auditContext, { organisationId: null, action, object })
  await mailer.enqueue(db, actor.emailAddress, accountChanged({ what, url: `${config.publicUrl}/reset-password` }))
}

export function recordWrongFactor(
  { audit }: Pick<AppServices, 'audit'>,
  db: Db,
  auditContext: SignedInContext,
): Promise<void> {
  return audit.record(db, auditContext, { organisationId: null, action: 'authn.mfa_fail', outcome: 'failure' })
}

/** Ends all other sessions and distrusts all devices, so that each must provide the second factor. */
export async function enableMfa(
  { devices, sessions }: Pick<AppServices, 'devices' | 'sessions'>,
  db: Db,
  actor: Actor,
): Promise<void> {
  await db.updateTable('portalUser').set({ requiresMfa: true }).where('id', '=', actor.userId).execute()
  await devices.distrustAll(db, actor.userId)
  await sessions.recordMfa(db, actor.sessionId)
  await sessions.endOthers(db, actor, 'second factor')
}

/** Returns new recovery codes, which are shown once, or none if the user still has some. */
export async function createFirstRecoveryCodes(
  { audit }: Pick<AppServices, 'audit'>,
  db: Db,
  auditContext: SignedInContext,
): Promise<string[]> {
  const { actor } = auditContext
  const { userId } = actor
  if ((await countRecoveryCodes(db, userId)) > 0) return []
  const object = { type: 'user', id: userId }
  await audit.record(db, auditContext, { organisationId: null, action: 'authn.recovery_codes_made', object })
  return createRecoveryCodes(db, userId)
}
