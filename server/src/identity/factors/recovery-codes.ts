/** Recovery codes: ten on paper, for the day the phone is gone. Each has 80 random bits, so its plain SHA-256 may be kept. */
import { randomBytes } from 'node:crypto'
import { isoTime, type Clock } from '../../kernel/clock.ts'
import { hashOf } from '../../security/secrets/one-time-codes.ts'
import type { Db } from '../../kernel/store/store.ts'

const codesMade = 10
/** Without the letters that read as figures. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const length = 16

/** Ten new ones, told once; the former ones stop working. */
export async function createRecoveryCodes(db: Db, userId: string): Promise<string[]> {
  await db.deleteFrom('recoveryCode').where('userId', '=', userId).execute()
  const codes = Array.from({ length: codesMade }, () =>
    [...randomBytes(length)].map((byte) => alphabet[byte % alphabet.length]).join(''),
  )
  await db
    .insertInto('recoveryCode')
    .values(codes.map((code) => ({ userId, codeHash: hashOf(code) })))
    .execute()
  return codes.map((code) => code.replaceAll(/(?<=.)(?=(?:.{4})+$)/gu, '-'))
}

/** Uses the code up: of all who try at once exactly one is right. */
export async function redeemRecoveryCode(
  db: Db,
  clock: Clock,
  { userId, code }: { userId: string; code: string },
): Promise<boolean> {
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
