/** All second factors of a person: lists them, and checks a code against each. */
import type { IdentityServices } from '../identity-services.ts'
import type { VerificationMethod } from '@tributary/contract/sign-in'
import type { Db } from '../../kernel/store/store.ts'
import type { Verification } from './verification-codes.ts'
import { redeemRecoveryCode } from './recovery-codes.ts'
import { redeemTotp, type TotpServices } from './totp.ts'

export type SecondFactorServices = TotpServices & Pick<IdentityServices, 'verifications'>

/** Always includes a code by email, so that a person who loses a device is not locked out. */
export async function listMethods(db: Db, userId: string): Promise<VerificationMethod[]> {
  const { hasTotp, hasPasskey, hasCodes } = await db
    .selectNoFrom(({ exists, selectFrom }) => [
      exists(selectFrom('totp').select('userId').where('userId', '=', userId).where('confirmedAt', 'is not', null)).as(
        'hasTotp',
      ),
      exists(selectFrom('passkey').select('id').where('userId', '=', userId)).as('hasPasskey'),
      exists(selectFrom('recoveryCode').select('userId').where('userId', '=', userId).where('usedAt', 'is', null)).as(
        'hasCodes',
      ),
    ])
    .executeTakeFirstOrThrow()
  const has: readonly (readonly [VerificationMethod, unknown])[] = [
    ['passkey', hasPasskey],
    ['totp', hasTotp],
    ['email', true],
    ['recovery', hasCodes],
  ]
  return has.filter(([, isThere]) => isThere === true).map(([method]) => method)
}

/**
 * Whether it is the emailed code, a code of the authenticator app, or a recovery code. A correct code cannot be used
 * again.
 */
export async function redeemCode(
  db: Db,
  services: SecondFactorServices,
  verification: Verification,
  typed: string,
): Promise<boolean> {
  const code = typed.replaceAll(/[\s-]+/gu, '')
  if (await services.verifications.isSentCode(db, verification, code)) return true
  const { userId } = verification
  if (userId === null) return false
  return (await redeemTotp(db, services, userId, code)) || redeemRecoveryCode(db, services.clock, userId, code)
}
