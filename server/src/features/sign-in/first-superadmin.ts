/** Creates the first superadmin with the setup code from the console. Refuses as soon as there is a superadmin. */
import type { FirstSuperadmin } from '@tributary/contract/sign-in'
import { type AuditContext, withActor } from '../../kernel/audit-context.ts'
import { isoTime } from '../../kernel/clock.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import type { AppServices } from '../../app-services.ts'
import { hashOf } from '../../security/secrets/one-time-codes.ts'
import type { ThrottleLimit } from '../../security/throttling/throttle.ts'
import { hasSuperadmin, insertSuperadmin, redeemSetupCode } from './queries.ts'

type FirstSuperadminServices = Pick<AppServices, 'audit' | 'clock' | 'passwords' | 'store' | 'throttle'>

/** The code has 120 bits, so guessing is hopeless: the limit only saves log lines and password hashing. */
const attemptsPerAddress: ThrottleLimit = {
  kind: 'first superadmin',
  free: 10,
  waitMs: 60_000,
  waitMaxMs: 600_000,
  windowMs: 3_600_000,
  isShared: true,
}

export async function createFirstSuperadmin(
  services: FirstSuperadminServices,
  body: FirstSuperadmin,
  auditContext: AuditContext,
): Promise<void> {
  const { audit, clock, passwords, store, throttle } = services
  await throttle.attempt(attemptsPerAddress, auditContext.address ?? '')
  await passwords.requireStrong('password', body.password, [body.firstName, body.lastName, body.emailAddress])
  const passwordHash = await passwords.hash(body.password)
  const { code, password: _, ...person } = body
  // Across: the first superadmin belongs to no organisation.
  await store.across(async (db) => {
    const isRight = await redeemSetupCode(db, hashOf(code), isoTime(clock.now()))
    if (!isRight || (await hasSuperadmin(db))) throw new ApiFault('codeWrong')
    const id = await insertSuperadmin(db, { ...person, passwordHash })
    if (id === undefined) throw new ApiFault('addressTaken', { fields: { emailAddress: 'is in use' } })
    const event = {
      organisationId: null,
      action: 'user.created',
      object: { type: 'user', id },
    } as const
    await audit.record(db, withActor(auditContext, { userId: id, role: 'superadmin' }), event)
  })
}
