/** Authenticator apps by RFC 6238: six digits, time steps of 30 s. The previous and the next step are accepted, too. */
import type { SecurityServices } from '../../security/security-services.ts'
import { generateSecret, generateURI, verifySync } from 'otplib'
import type { SecretLocation } from '../../kernel/store/secret-unreadable.ts'
import { isoTime } from '../../kernel/clock.ts'
import { decryptOr } from '../../security/secrets/secrets.ts'
import type { Db } from '../../kernel/store/store.ts'

export type TotpServices = Pick<SecurityServices, 'clock' | 'secrets'>

const stepSeconds = 30

/** Creates the secret of a new app. It replaces the present one after `confirmTotp`. */
export async function beginTotp(db: Db, { secrets, clock }: TotpServices, userId: string, label: string) {
  const secret = generateSecret()
  const pendingSecret = await secrets.encrypt(db, totpLocation(userId, 'pending_secret'), secret)
  await db
    .insertInto('totp')
    .values({ userId, pendingSecret, secret: null, createdAt: isoTime(clock.now()) })
    .onConflict((conflict) => conflict.column('userId').doUpdateSet({ pendingSecret }))
    .execute()
  return { secret, uri: generateURI({ issuer: 'Tributary', label, secret }) }
}

/** Activates the new app if the code is correct. */
export async function confirmTotp(db: Db, services: TotpServices, userId: string, code: string): Promise<boolean> {
  const found = await db
    .selectFrom('totp')
    .select('pendingSecret')
    .where('userId', '=', userId)
    .forUpdate()
    .executeTakeFirst()
  if (found === undefined || found.pendingSecret === null) return false
  const secret = await services.secrets.decrypt(db, totpLocation(userId, 'pending_secret'), found.pendingSecret)
  const lastStep = findTimeStep(services, secret, code)
  if (lastStep === null) return false
  const encrypted = await services.secrets.encrypt(db, totpLocation(userId, 'secret'), secret)
  const confirmedAt = isoTime(services.clock.now())
  await db
    .updateTable('totp')
    .set({ secret: encrypted, pendingSecret: null, lastStep, confirmedAt })
    .where('userId', '=', userId)
    .execute()
  return true
}

/**
 * Stores the code's time step, so that no code can be replayed. Atomic: only one of several concurrent attempts
 * succeeds.
 */
export async function redeemTotp(db: Db, services: TotpServices, userId: string, code: string): Promise<boolean> {
  const found = await db.selectFrom('totp').select('secret').where('userId', '=', userId).executeTakeFirst()
  if (found === undefined || found.secret === null) return false
  const secret = await decryptOr(null, () =>
    services.secrets.decrypt(db, totpLocation(userId, 'secret'), found.secret ?? ''),
  )
  // A secret that cannot be decrypted matches no code. The person can use another second factor.
  const step = secret === null ? null : findTimeStep(services, secret, code)
  if (step === null) return false
  const { numUpdatedRows } = await db
    .updateTable('totp')
    .set({ lastStep: step })
    .where('userId', '=', userId)
    .where('lastStep', '<', step)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** The time step of a code, or null if the code is not valid now. */
function findTimeStep({ clock }: TotpServices, secret: string, code: string): number | null {
  if (!/^\d{6}$/u.test(code)) return null
  const epoch = Math.floor(clock.now() / 1_000)
  const result = verifySync({ secret, token: code, epoch, epochTolerance: stepSeconds })
  return result.valid ? Math.floor(epoch / stepSeconds) + result.delta : null
}

function totpLocation(userId: string, column: 'secret' | 'pending_secret'): SecretLocation {
  return { organisationId: null, table: 'totp', column, row: userId }
}
