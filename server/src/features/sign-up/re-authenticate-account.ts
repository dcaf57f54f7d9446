/** Re-authentication during a sign-up or an invitation: the caller must own the account of the address. */
import { type AuditContext, withActor } from '../../kernel/audit-context.ts'
import { addressBlock } from '../../security/throttling/network-prefix.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import type { AppServices } from '../../app-services.ts'
import { passwordsPerAccount, passwordsPerAddress } from '../../security/throttling/password-attempt-limits.ts'
import { findAccount } from '../../identity/people/accounts.ts'

export type ReAuthenticateAccountServices = Pick<AppServices, 'audit' | 'passwords' | 'store' | 'throttle'>

interface AccountCredentials {
  readonly emailAddress: string
  readonly password: string
  readonly auditContext: AuditContext
}

/**
 * Must not run inside a transaction.
 *
 * @returns the id of the account.
 * @throws `wrongSecret`, `passwordNotOwn`, `tooMany`.
 */
export async function reAuthenticateAccount(
  services: ReAuthenticateAccountServices,
  { emailAddress, password, auditContext }: AccountCredentials,
): Promise<string> {
  const { audit, passwords, store, throttle } = services
  const accountAddress = emailAddress.toLowerCase()
  const address = addressBlock(auditContext.address)
  await throttle.attempt(passwordsPerAddress, address)
  await throttle.attempt(passwordsPerAccount, accountAddress)

  // Across: an account may belong to several organisations.
  const found = await store.across((db) => findAccount(db, accountAddress))
  const isRight = await passwords.matches(found?.passwordHash, password)
  await store.across(async (db) => {
    if (isRight && found?.status === 'active') {
      await throttle.forgive(db, passwordsPerAccount, accountAddress)
      await throttle.refund(db, passwordsPerAddress, address)
      return
    }
    const reason = isRight ? found?.status : 'wrong password'
    const event = { organisationId: null, action: 'authn.login_fail', outcome: 'failure', detail: { reason } } as const
    await audit.record(db, withActor(auditContext, { userId: found?.id ?? null }), event)
  })
  if (found === undefined || !isRight || found.status !== 'active') throw new ApiFault('wrongSecret')
  // Prevents an administrator of one organisation from joining another one as the account's owner.
  if (!found.isProven) throw new ApiFault('passwordNotOwn')
  return found.id
}
