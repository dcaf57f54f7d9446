/** What every change to one's own protection shares: the password again, a line in the audit log, a mail to the owner. */
import type { Origin } from '../../platform/audit.ts'
import type { Actor } from '../../platform/actor.ts'
import { ApiFault } from '../../platform/fault.ts'
import { accountChanged } from '../../platform/mail/letters.ts'
import type { Parts } from '../../platform/parts.ts'
import type { Db } from '../../platform/store.ts'
import type { Limit } from '../../platform/throttle.ts'
import { getOwner, type Owner } from './queries.ts'

/** One's own call: who, and through which request. */
export interface OwnCall {
  readonly actor: Actor
  readonly origin: Origin
}

const ownPasswords: Limit = { kind: 'own password', free: 5, waitMs: 1_000, waitMaxMs: 900_000, windowMs: 3_600_000 }

/** Throws `passwordNeeded` where the person has a password and this is not it. */
export async function requirePassword(parts: Parts, { userId }: Actor, password: string | undefined): Promise<Owner> {
  const { passwords, store, throttle } = parts
  // Across, here and below: a person belongs to no organisation.
  const owner = await store.across((db) => getOwner(db, userId))
  if (owner.passwordHash === null) return owner
  await throttle.attempt(ownPasswords, userId)
  if (password === undefined || !(await passwords.matches(owner.passwordHash, password))) throw new ApiFault('passwordNeeded')
  await store.across((db) => throttle.forgive(db, ownPasswords, userId))
  return owner
}

interface Change {
  readonly action: string
  /** For the owner: what happened, as a sentence. */
  readonly what: string
}

/** Part of the transaction that makes the change. */
export async function tellOwner(
  { audit, config, mailer }: Parts,
  db: Db,
  { actor, origin }: OwnCall,
  { action, what }: Change,
): Promise<void> {
  const object = { type: 'user', id: actor.userId }
  await audit.record(db, origin, { organisationId: null, action, outcome: 'success', object })
  await mailer.post(db, actor.emailAddress, accountChanged({ what, url: `${config.publicUrl}/reset-password` }))
}

/** Whoever is signed in elsewhere has to prove the second factor, too. */
export async function startAskingMfa({ devices, sessions }: Parts, db: Db, actor: Actor): Promise<void> {
  await db.updateTable('portalUser').set({ requiresMfa: true }).where('id', '=', actor.userId).execute()
  await devices.distrustAll(db, actor.userId)
  await sessions.noteMfa(db, actor.sessionId)
  await sessions.endOthersOf(db, actor, 'second factor')
}
