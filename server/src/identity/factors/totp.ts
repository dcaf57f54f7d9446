/** Authenticator apps: RFC 6238 with six digits and steps of 30 s, of which the one before and the one after count, too. */
import { generateSecret, generateURI, verifySync } from 'otplib'
import type { SecretLocation } from '../../kernel/store/secret-unreadable.ts'
import { isoTime, type Clock } from '../../kernel/clock.ts'
import { decryptOr, type Secrets } from '../../security/secrets/secrets.ts'
import type { Db } from '../../kernel/store/store.ts'

export interface TotpServices {
  readonly clock: Clock
  readonly secrets: Secrets
}

const stepSeconds = 30

/** A new app, which counts when it has shown its first code; until then one in use stays. */
export async function beginTotp(
  db: Db,
  { secrets, clock }: TotpServices,
  { userId, label }: { userId: string; label: string },
) {
  const secret = generateSecret()
  const pendingSecret = await secrets.encrypt(db, placeOf(userId, 'pending_secret'), secret)
  await db
    .insertInto('totp')
    .values({ userId, pendingSecret, secret: null, createdAt: isoTime(clock.now()) })
    .onConflict((conflict) => conflict.column('userId').doUpdateSet({ pendingSecret }))
    .execute()
  return { secret, uri: generateURI({ issuer: 'Tributary', label, secret }) }
}

/** The first code of an app that was begun: from now on that app counts. */
export async function confirmTotp(
  db: Db,
  services: TotpServices,
  { userId, code }: { userId: string; code: string },
): Promise<boolean> {
  const found = await db
    .selectFrom('totp')
    .select('pendingSecret')
    .where('userId', '=', userId)
    .forUpdate()
    .executeTakeFirst()
  if (found === undefined || found.pendingSecret === null) return false
  const secret = await services.secrets.decrypt(db, placeOf(userId, 'pending_secret'), found.pendingSecret)
  const lastStep = stepOf(services, secret, code)
  if (lastStep === null) return false
  const sealed = await services.secrets.encrypt(db, placeOf(userId, 'secret'), secret)
  const confirmedAt = isoTime(services.clock.now())
  await db
    .updateTable('totp')
    .set({ secret: sealed, pendingSecret: null, lastStep, confirmedAt })
    .where('userId', '=', userId)
    .execute()
  return true
}

/** Takes the code's time step, so that no code counts twice: of all who try at once exactly one is right. */
export async function redeemTotp(
  db: Db,
  services: TotpServices,
  { userId, code }: { userId: string; code: string },
): Promise<boolean> {
  const found = await db.selectFrom('totp').select('secret').where('userId', '=', userId).executeTakeFirst()
  if (found === undefined || found.secret === null) return false
  const secret = await decryptOr(null, () =>
    services.secrets.decrypt(db, placeOf(userId, 'secret'), found.secret ?? ''),
  )
  // One that cannot be read any more has no code that is right; the other ways in are still there.
  const step = secret === null ? null : stepOf(services, secret, code)
  if (step === null) return false
  const { numUpdatedRows } = await db
    .updateTable('totp')
    .set({ lastStep: step })
    .where('userId', '=', userId)
    .where('lastStep', '<', step)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** The time step that the code is of, or null for one that is not right now. */
function stepOf({ clock }: { readonly clock: Clock }, secret: string, code: string): number | null {
  if (!/^\d{6}$/u.test(code)) return null
  const epoch = Math.floor(clock.now() / 1_000)
  const result = verifySync({ secret, token: code, epoch, epochTolerance: stepSeconds })
  return result.valid ? Math.floor(epoch / stepSeconds) + result.delta : null
}

function placeOf(userId: string, column: 'secret' | 'pending_secret'): SecretLocation {
  return { organisationId: null, table: 'totp', column, row: userId }
}
