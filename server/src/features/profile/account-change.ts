/** What every change to one's own protection shares: the password again, a line in the audit log, a mail to the owner. */
import type { AuditContext } from '../../kernel/audit-context.ts'
import type { AuditAction } from '../../security/audit/audit-actions.ts'
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

/** The caller's account, with the password it was proven by; throws `passwordNeeded` where it has one and this is not it. */
export async function getProvenOwner(
  services: AccountChangeServices,
  auditContext: AuditContext<string | null, Actor>,
  password: string | undefined,
): Promise<ProfileOwner> {
  const passwordHash = await requireCurrentPassword(services, auditContext, password)
  // Across: a person belongs to no organisation.
  const owner = await services.store.across((db) => getOwner(db, auditContext.actor.userId))
  return { ...owner, passwordHash }
}

interface AccountChange {
  readonly action: AuditAction
  /** For the owner: what happened, as a sentence. */
  readonly what: string
}

/** Part of the transaction that makes the change. */
export async function tellOwner(
  { audit, config, mailer }: AccountChangeServices,
  db: Db,
  auditContext: AuditContext<string | null, Actor>,
  { action, what }: AccountChange,
): Promise<void> {
  const { actor } = auditContext
  const object = { type: 'user', id: actor.userId }
  await audit.record(db, auditContext, { organisationId: null, action, outcome: 'success', object })
  await mailer.enqueue(db, actor.emailAddress, accountChanged({ what, url: `${config.publicUrl}/reset-password` }))
}

/** What was to prove a factor of one's own did not. */
export function noteWrongFactor(
  { audit }: Pick<AppServices, 'audit'>,
  db: Db,
  auditContext: AuditContext<string | null, Actor>,
): Promise<void> {
  return audit.record(db, auditContext, { organisationId: null, action: 'authn.mfa_fail', outcome: 'failure' })
}

/** Whoever is signed in elsewhere has to prove the second factor, too. */
export async function startAskingMfa(
  { devices, sessions }: Pick<AppServices, 'devices' | 'sessions'>,
  db: Db,
  actor: Actor,
): Promise<void> {
  await db.updateTable('portalUser').set({ requiresMfa: true }).where('id', '=', actor.userId).execute()
  await devices.distrustAll(db, actor.userId)
  await sessions.recordMfa(db, actor.sessionId)
  await sessions.endOthers(db, actor, 'second factor')
}

/** Recovery codes for somebody who has none; else none. They are shown once. */
export async function makeFirstRecoveryCodes(
  { audit }: Pick<AppServices, 'audit'>,
  db: Db,
  auditContext: AuditContext<string | null, Actor>,
): Promise<string[]> {
  const { actor } = auditContext
  const { userId } = actor
  if ((await countRecoveryCodes(db, userId)) > 0) return []
  const object = { type: 'user', id: userId }
  await audit.record(db, auditContext, {
    organisationId: null,
    action: 'authn.recovery_codes_made',
    outcome: 'success',
    object,
  })
  return createRecoveryCodes(db, userId)
}
