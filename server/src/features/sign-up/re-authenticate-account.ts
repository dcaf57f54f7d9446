/** Somebody who signed up or was invited proves that the account of that address is theirs. */
import { type AuditContext, withActor } from '../../kernel/audit-context.ts'
import { addressBlock } from '../../security/throttling/network-prefix.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import type { AppServices } from '../../app-services.ts'
import { passwordsPerAccount, passwordsPerAddress } from '../../security/throttling/password-attempt-limits.ts'
import { findAccount } from './queries.ts'

export type ReAuthenticateAccountServices = Pick<AppServices, 'audit' | 'passwords' | 'store' | 'throttle'>

interface AccountCredentials {
  readonly emailAddress: string
  readonly password: string
  readonly auditContext: AuditContext
}

/** The id of the account; throws `wrongSecret`, `passwordNotOwn`, and `tooMany` as signing in does. Not inside a transaction. */
export async function proveAccount(
  services: ReAuthenticateAccountServices,
  { emailAddress, password, auditContext }: AccountCredentials,
): Promise<string> {
  const { audit, passwords, store, throttle } = services
  const account = emailAddress.toLowerCase()
  const address = addressBlock(auditContext.address)
  await throttle.attempt(passwordsPerAddress, address)
  await throttle.attempt(passwordsPerAccount, account)

  // Across: a person may be of several organisations.
  const found = await store.across((db) => findAccount(db, account))
  const isRight = await passwords.matches(found?.passwordHash, password)
  await store.across(async (db) => {
    if (isRight && found?.status === 'active') {
      await throttle.forgive(db, passwordsPerAccount, account)
      await throttle.refund(db, passwordsPerAddress, address)
      return
    }
    const reason = isRight ? found?.status : 'wrong password'
    const event = { organisationId: null, action: 'authn.login_fail', outcome: 'failure', detail: { reason } } as const
    await audit.record(db, withActor(auditContext, { userId: found?.id ?? null }), event)
  })
  if (found === undefined || !isRight || found.status !== 'active') throw new ApiFault('wrongSecret')
  // Else an administrator of one organisation could come into another one as somebody else.
  if (!found.isProven) throw new ApiFault('passwordNotOwn')
  return found.id
}
