/** The second factors of one person together: which there are, and whether a code is right by any of them. */
import type { VerificationMethod } from '@tributary/contract/sign-in'
import type { Db } from '../../kernel/store/store.ts'
import type { Verification, Verifications } from './verification-codes.ts'
import { redeemRecoveryCode } from './recovery-codes.ts'
import { redeemTotp, type TotpServices } from './totp.ts'

export interface SecondFactorServices extends TotpServices {
  readonly verifications: Verifications
}

/** A code by e-mail is always among them, so that nobody is locked out. */
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

/** Whether it is the code of the mail, of the app, or a recovery code; each is used up by being right. */
export async function isRightCode(
  db: Db,
  services: SecondFactorServices,
  of: Verification,
  typed: string,
): Promise<boolean> {
  const code = typed.replaceAll(/[\s-]+/gu, '')
  if (await services.verifications.isSentCode(db, of, code)) return true
  const { userId } = of
  if (userId === null) return false
  return (await redeemTotp(db, services, { userId, code })) || redeemRecoveryCode(db, services.clock, { userId, code })
}
