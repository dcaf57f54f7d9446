/** Recovery codes for a lost second factor. Each has 80 random bits, so an unsalted SHA-256 is safe to store. */
import { randomBytes } from 'node:crypto'
import { isoTime, type Clock } from '../../kernel/clock.ts'
import { hashOf } from '../../security/secrets/one-time-codes.ts'
import type { Db } from '../../kernel/store/store.ts'

const codeCount = 10
/** Crockford's base 32: without letters that look like digits. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const codeLength = 16

/** Creates ten codes and revokes the former ones. The plain codes are available only in this return value. */
export async function createRecoveryCodes(db: Db, userId: string): Promise<string[]> {
  await db.deleteFrom('recoveryCode').where('userId', '=', userId).execute()
  const codes = Array.from({ length: codeCount }, () =>
    [...randomBytes(codeLength)].map((byte) => alphabet[byte % alphabet.length]).join(''),
  )
  await db
    .insertInto('recoveryCode')
    .values(codes.map((code) => ({ userId, codeHash: hashOf(code) })))
    .execute()
  return codes.map((code) => code.replaceAll(/(?<=.)(?=(?:.{4})+$)/gu, '-'))
}

/** Marks the code as used. Atomic: only one of several concurrent attempts succeeds. */
export async function redeemRecoveryCode(db: Db, clock: Clock, userId: string, code: string): Promise<boolean> {
  const typed = code.toUpperCase().replaceAll('O', '0').replaceAll(/[IL]/gu, '1')
  const { numUpdatedRows } = await db
    .updateTable('recoveryCode')
    .set({ usedAt: isoTime(clock.now()) })
    .where('userId', '=', userId)
    .where('codeHash', '=', hashOf(typed))
    .where('usedAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function countRecoveryCodes(db: Db, userId: string): Promise<number> {
  const { left } = await db
    .selectFrom('recoveryCode')
    .select((row) => row.fn.countAll<number>().as('left'))
    .where('userId', '=', userId)
    .where('usedAt', 'is', null)
    .executeTakeFirstOrThrow()
  return left
}
