/**
 * Verifications: a person proves a second factor or an email address by a code. Each is named by a reference of 256
 * random bits. An attempt is counted before it is checked, so concurrent guesses cannot exceed the limit of five.
 */
import { createHmac, randomInt, timingSafeEqual } from 'node:crypto'
import { verificationMs, verificationTriesMax } from '@tributary/contract/limits'
import { isoTime, type Clock } from '../../kernel/clock.ts'
import type { ServerKeys } from '../../security/keys/server-keys.ts'
import { hashOf, randomSecret } from '../../security/secrets/one-time-codes.ts'
import type { IdentitySchema } from '../../kernel/store/schema/identity.ts'
import type { Db, Store } from '../../kernel/store/store.ts'
import type { ThrottleLimit, Throttle } from '../../security/throttling/throttle.ts'

export type VerificationContext = IdentitySchema['verification']['context']

export interface NewVerification {
  readonly context: VerificationContext
  /** Null for a sign-up, and for a passkey that has not identified its owner yet. */
  readonly userId?: string | null
  /** The email address for codes; null if none are sent. */
  readonly sendTo: string | null
  /** The known device of the request. It has its own limits, so that guesses from other browsers do not use them up. */
  readonly deviceId?: string | null
  /** Data for the action after success: `{ registrationId }` of a sign-up, `{ enable }` of the MFA switch. */
  readonly payload?: Readonly<Record<string, unknown>>
}

export interface Verification {
  readonly referenceHash: Buffer
  readonly context: VerificationContext
  readonly userId: string | null
  readonly sendTo: string | null
  readonly deviceId: string | null
  readonly codeHash: Buffer | null
  readonly passkeyChallenge: string | null
  readonly payload: Readonly<Record<string, unknown>>
}

interface VerificationCheck<T> {
  /** Whether the submitted code or response is correct. */
  readonly check: (db: Db, verification: Verification) => Promise<boolean>
  readonly onVerified: (db: Db, verification: Verification) => Promise<T>
  readonly onRejected: (db: Db, verification: Verification) => Promise<void>
}

const guessLimit: ThrottleLimit = { kind: 'code person', free: 10, waitMs: 900_000 }
const dailyGuessLimit: ThrottleLimit = { kind: 'code person daily', free: 50, waitMs: 86_400_000 }
const sendLimit: ThrottleLimit = { kind: 'code sent', free: 3, waitMs: 900_000 }
const dailySendLimit: ThrottleLimit = { kind: 'code sent daily', free: 10, waitMs: 86_400_000 }

/** A flood of codes would make mail providers treat all mail from Tributary as spam. */
const globalMailLimit: ThrottleLimit = {
  kind: 'codes sent',
  free: 1_000,
  waitMs: 60_000,
  waitMaxMs: 600_000,
  windowMs: 3_600_000,
  isShared: true,
}

export class Verifications {
  readonly #store: Store
  readonly #clock: Clock
  readonly #throttle: Throttle
  readonly #keys: ServerKeys

  constructor({
    store,
    clock,
    throttle,
    keys,
  }: {
    readonly store: Store
    readonly clock: Clock
    readonly throttle: Throttle
    readonly keys: ServerKeys
  }) {
    this.#store = store
    this.#clock = clock
    this.#throttle = throttle
    this.#keys = keys
  }

  /** Part of the caller's transaction. Returns the reference; no code exists yet. */
  async create(
    db: Db,
    { context, userId = null, sendTo, deviceId = null, payload = {} }: NewVerification,
  ): Promise<string> {
    const reference = randomSecret()
    const now = this.#clock.now()
    const row = {
      referenceHash: hashOf(reference),
      context,
      userId,
      payload: JSON.stringify({ ...payload, sendTo, deviceId }),
    }
    await db
      .insertInto('verification')
      .values({ ...row, createdAt: isoTime(now), expiresAt: isoTime(now + verificationMs) })
      .execute()
    return reference
  }

  /** Creates a code of six digits and revokes the former one. Attempts already counted stay counted. */
  async createCode(db: Db, reference: string): Promise<string> {
    const code = String(randomInt(1_000_000)).padStart(6, '0')
    const referenceHash = hashOf(reference)
    const { key } = await this.#keys.newest('verification code', db)
    await db
      .updateTable('verification')
      .set({ codeHash: hashCode(key, referenceHash, code), expiresAt: isoTime(this.#clock.now() + verificationMs) })
      .where('referenceHash', '=', referenceHash)
      .execute()
    return code
  }

  /**
   * Counts a code or link before it is sent to the address; throws `tooMany`. Each purpose and each known device has
   * its own count, so that requests from other browsers cannot block the owner's sign-in. Must not run inside a
   * transaction.
   */
  async countSending(
    purpose: VerificationContext | 'link',
    emailAddress: string,
    deviceId: string | null = null,
  ): Promise<void> {
    const recipient = `${purpose} ${emailAddress.toLowerCase()}${deviceId === null ? '' : ` ${deviceId}`}`
    await this.#throttle.attempt(sendLimit, recipient)
    await this.#throttle.attempt(dailySendLimit, recipient)
    await this.#throttle.attempt(globalMailLimit, '')
  }

  /** An open verification, or null if it is used, expired or out of attempts. */
  async find(db: Db, reference: string): Promise<Verification | null> {
    const found = await db
      .selectFrom('verification')
      .select(verificationColumns)
      .where('referenceHash', '=', hashOf(reference))
      .where('provenAt', 'is', null)
      .where('tries', '<', verificationTriesMax)
      .where('expiresAt', '>', isoTime(this.#clock.now()))
      .executeTakeFirst()
    return toVerification(found)
  }

  async setChallenge(db: Db, reference: string, passkeyChallenge: string): Promise<void> {
    await db
      .updateTable('verification')
      .set({ passkeyChallenge })
      .where('referenceHash', '=', hashOf(reference))
      .execute()
  }

  /**
   * Counts an attempt and checks it. On success calls `onVerified` once, in the same transaction, and returns its
   * result. Returns null if the attempt is wrong, or the verification is used or expired. Throws `tooMany` after too
   * many guesses of a person. Must not run inside a transaction.
   */
  async submit<T>(
    { reference, context }: { readonly reference: string; readonly context: VerificationContext },
    { check, onVerified, onRejected }: VerificationCheck<T>,
  ): Promise<T | null> {
    // Across, here and below: a verification belongs to no organisation.
    const found = await this.#store.across((db) => this.find(db, reference))
    if (found?.context !== context) return null
    const bucket = guessBucket(found)
    await this.#throttle.attempt(guessLimit, bucket)
    await this.#throttle.attempt(dailyGuessLimit, bucket)
    if (!(await this.#store.across((db) => this.#countAttempt(db, found.referenceHash)))) return null

    return this.#store.across(async (db) => {
      const verification = await this.#lock(db, found.referenceHash)
      if (verification === null || !(await check(db, verification))) {
        await onRejected(db, found)
        return null
      }
      const now = isoTime(this.#clock.now())
      await db
        .updateTable('verification')
        .set({ provenAt: now })
        .where('referenceHash', '=', found.referenceHash)
        .execute()
      await this.#throttle.refund(db, guessLimit, bucket)
      await this.#throttle.refund(db, dailyGuessLimit, bucket)
      return onVerified(db, verification)
    })
  }

  /** Redeems a verification that succeeded in an earlier call. Null if it does not exist or was redeemed before. */
  async redeemVerified(db: Db, reference: string, context: VerificationContext): Promise<Verification | null> {
    const now = isoTime(this.#clock.now())
    const redeemed = await db
      .updateTable('verification')
      .set({ usedAt: now })
      .where('referenceHash', '=', hashOf(reference))
      .where('context', '=', context)
      .where('provenAt', 'is not', null)
      .where('usedAt', 'is', null)
      .where('expiresAt', '>', now)
      .returning(verificationColumns)
      .executeTakeFirst()
    return toVerification(redeemed)
  }

  /** Whether this is the code that was sent. Accepts every key that is still valid, because keys rotate. */
  async isSentCode(db: Db, { referenceHash, codeHash }: Verification, code: string): Promise<boolean> {
    if (codeHash === null) return false
    const keys = await this.#keys.all('verification code', db)
    return keys.some(({ key }) => timingSafeEqual(codeHash, hashCode(key, referenceHash, code)))
  }

  async #countAttempt(db: Db, referenceHash: Buffer): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('verification')
      .set((row) => ({ tries: row('tries', '+', 1) }))
      .where('referenceHash', '=', referenceHash)
      .where('provenAt', 'is', null)
      .where('tries', '<', verificationTriesMax)
      .where('expiresAt', '>', isoTime(this.#clock.now()))
      .executeTakeFirstOrThrow()
    return numUpdatedRows === 1n
  }

  async #lock(db: Db, referenceHash: Buffer): Promise<Verification | null> {
    const found = await db
      .selectFrom('verification')
      .select(verificationColumns)
      .where('referenceHash', '=', referenceHash)
      .where('provenAt', 'is', null)
      // A new password may have ended it since the attempt was counted.
      .where('expiresAt', '>', isoTime(this.#clock.now()))
      .forUpdate()
      .executeTakeFirst()
    return toVerification(found)
  }
}

/**
 * The bucket in which guesses are counted. Only the browser that a reference was issued to knows it, so guesses of a
 * known device are counted separately from those of unknown browsers, and guesses of signed-in people separately from
 * sign-ins.
 */
function guessBucket({ context, deviceId, referenceHash, userId }: Verification): string {
  if (deviceId !== null) return `device ${deviceId}`
  if (userId === null) return referenceHash.toString('base64url')
  return context === 'signin' ? userId : `${context} ${userId}`
}

/** Includes the reference, so the same code has another hash in every verification. */
function hashCode(key: Buffer, referenceHash: Buffer, code: string): Buffer {
  return createHmac('sha256', key).update(referenceHash).update(code).digest()
}

/** Masks an address as `u•••@demo.example`, so that only its owner recognises the mailbox. */
export function maskAddress(emailAddress: string): string {
  const at = emailAddress.lastIndexOf('@')
  return `${[...emailAddress][0] ?? ''}•••${emailAddress.slice(at)}`
}

const verificationColumns = ['referenceHash', 'context', 'userId', 'codeHash', 'passkeyChallenge', 'payload'] as const

/** Verifications from before devices were stored have no `deviceId`. */
interface StoredRecipient {
  readonly sendTo: string | null
  readonly deviceId?: string | null
}

function toVerification(
  row: (Omit<Verification, 'payload' | 'sendTo' | 'deviceId'> & { readonly payload: unknown }) | undefined,
): Verification | null {
  if (row === undefined) return null
  const { sendTo, deviceId = null, ...payload } = row.payload as Verification['payload'] & StoredRecipient
  return { ...row, payload, sendTo, deviceId }
}
