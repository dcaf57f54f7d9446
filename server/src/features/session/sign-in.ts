/** Signing in by password: counted before it is tried, the same answer whatever was wrong, and told to the audit log. */
import { isIPv6 } from 'node:net'
import type { SignIn } from '@tributary/contract/session'
import type { Origin } from '../../platform/audit.ts'
import { ApiFault } from '../../platform/fault.ts'
import type { Parts } from '../../platform/parts.ts'
import type { Issued } from '../../platform/sessions.ts'
import type { Limit } from '../../platform/throttle.ts'
import { findAccount } from './queries.ts'

const perAccount: Limit = { kind: 'sign-in account', free: 5, waitMs: 1_000, waitMaxMs: 900_000, windowMs: 3_600_000 }
const perAddress: Limit = { kind: 'sign-in address', free: 20, waitMs: 60_000, waitMaxMs: 600_000, windowMs: 600_000 }

export async function signIn(parts: Parts, { emailAddress, password }: SignIn, origin: Origin): Promise<Issued> {
  const { audit, passwords, sessions, store, throttle } = parts
  const account = emailAddress.toLowerCase()
  const address = addressBlock(origin.address ?? '')
  await throttle.attempt(perAddress, address)
  await throttle.attempt(perAccount, account)

  // Across, here and below: the person is yet to be known, and may be of several organisations.
  const found = await store.across((db) => findAccount(db, account))
  const isRight = await passwords.matches(found?.passwordHash, password)
  if (found === undefined || !isRight || found.status !== 'active') {
    const reason = found === undefined ? 'unknown account' : isRight ? found.status : 'wrong password'
    const event = { organisationId: null, action: 'authn.login_fail', outcome: 'failure', detail: { reason } } as const
    await store.across((db) => audit.record(db, { ...origin, actorId: found?.id ?? null }, event))
    throw new ApiFault('wrongSecret')
  }
  return store.across(async (db) => {
    const issued = await sessions.start(db, found)
    const { userId: actorId, role: actorRole, sessionId, organisationId } = issued.actor
    await throttle.forgive(db, perAccount, account)
    await throttle.refund(db, perAddress, address)
    await audit.record(
      db,
      { ...origin, actorId, actorRole, sessionId },
      { organisationId, action: 'authn.login_success', outcome: 'success' },
    )
    return issued
  })
}

/** One home has a /64 of IPv6 to itself; an IPv4 address may come wrapped in IPv6. */
function addressBlock(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/iu, '')
  if (!isIPv6(plain)) return plain
  const [head = '', tail] = plain.split('::')
  const groups = head.split(':').filter((group) => group !== '')
  const missing = tail === undefined ? 0 : 4 - groups.length
  return [...groups, ...Array.from({ length: Math.max(missing, 0) }, () => '0')].slice(0, 4).join(':')
}
