/**
 * Questions for a code: made, posted and answered here, whatever they are for. A reference of 256 random bits names one; a
 * try is counted before it is looked at, so that however many guess at once only five guesses are ever compared.
 */
import { createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { verificationMs, verificationTriesMax } from '@tributary/contract/limits'
import { isoTime, type Clock } from '../../kernel/clock.ts'
import type { ServerKeys } from '../../security/keys/server-keys.ts'
import { hashOf } from '../../security/secrets/one-time-codes.ts'
import type { IdentitySchema } from '../../kernel/store/schema/identity.ts'
import type { Db, Store } from '../../kernel/store/store.ts'
import type { ThrottleLimit, Throttle } from '../../security/throttling/throttle.ts'

export type VerificationContext = IdentitySchema['verification']['context']

export interface NewVerification {
  readonly context: VerificationContext
  /** Whose it is; null for a sign-up, and for a passkey that is yet to say. */
  readonly userId?: string | null
  /** Where codes go; null where none ever does. */
  readonly sendTo: string | null
  /** The known device that asks. It has limits to itself, so that guesses from elsewhere do not use them up. */
  readonly deviceId?: string | null
  /** What follows from a right answer: `{ registrationId }` of a sign-up, `{ enable }` of the MFA switch. */
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
  /** Whether the answer is right. */
  readonly check: (db: Db, of: Verification) => Promise<boolean>
  readonly onRight: (db: Db, of: Verification) => Promise<T>
  readonly onWrong: (db: Db, of: Verification) => Promise<void>
}

const perPerson: ThrottleLimit = {
  kind: 'code person',
  free: 10,
  waitMs: 900_000,
  waitMaxMs: 900_000,
  windowMs: 900_000,
}
const perPersonDaily: ThrottleLimit = {
  kind: 'code person daily',
  free: 50,
  waitMs: 86_400_000,
  waitMaxMs: 86_400_000,
  windowMs: 86_400_000,
}
const perRecipient: ThrottleLimit = {
  kind: 'code sent',
  free: 3,
  waitMs: 900_000,
  waitMaxMs: 900_000,
  windowMs: 900_000,
}
const perRecipientDaily: ThrottleLimit = {
  kind: 'code sent daily',
  free: 10,
  waitMs: 86_400_000,
  waitMaxMs: 86_400_000,
  windowMs: 86_400_000,
}

/** A flood of mail makes providers take all of ours for spam. */
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

  /** Part of the caller's transaction. Answers the reference; no code exists yet. */
  async create(
    db: Db,
    { context, userId = null, sendTo, deviceId = null, payload = {} }: NewVerification,
  ): Promise<string> {
    const reference = randomBytes(32).toString('base64url')
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

  /** Six digits to post to the person; those made before stop working. Tries that were spent stay spent. */
  async createCode(db: Db, reference: string): Promise<string> {
    const code = String(randomInt(1_000_000)).padStart(6, '0')
    const referenceHash = hashOf(reference)
    const { key } = await this.#keys.newest('verification code', db)
    await db
      .updateTable('verification')
      .set({ codeHash: codeHashOf(key, referenceHash, code), expiresAt: isoTime(this.#clock.now() + verificationMs) })
      .where('referenceHash', '=', referenceHash)
      .execute()
    return code
  }

  /**
   * Counts one code or link that is about to be posted to that address; throws `tooMany`. Each purpose and each known device has
   * its own count, so that requests from elsewhere keep nobody from the codes of their own sign-in. Not inside a transaction.
   */
  async countSending(
    purpose: VerificationContext | 'link',
    emailAddress: string,
    deviceId: string | null = null,
  ): Promise<void> {
    const recipient = `${purpose} ${emailAddress.toLowerCase()}${deviceId === null ? '' : ` ${deviceId}`}`
    await this.#throttle.attempt(perRecipient, recipient)
    await this.#throttle.attempt(perRecipientDaily, recipient)
    await this.#throttle.attempt(globalMailLimit, '')
  }

  /** One that can still be answered, or null. */
  async find(db: Db, reference: string): Promise<Verification | null> {
    const found = await db
      .selectFrom('verification')
      .select(columns)
      .where('referenceHash', '=', hashOf(reference))
      .where('provenAt', 'is', null)
      .where('tries', '<', verificationTriesMax)
      .where('expiresAt', '>', isoTime(this.#clock.now()))
      .executeTakeFirst()
    return found === undefined ? null : read(found)
  }

  async setChallenge(db: Db, reference: string, passkeyChallenge: string): Promise<void> {
    await db
      .updateTable('verification')
      .set({ passkeyChallenge })
      .where('referenceHash', '=', hashOf(reference))
      .execute()
  }

  /**
   * Counts a try and checks it. What follows from a right answer happens in the same transaction, once, and is answered;
   * null for one that is wrong, spent or too old. Throws `tooMany` for a person who guesses too often. Not inside a transaction.
   */
  async submit<T>(
    { reference, context }: { readonly reference: string; readonly context: VerificationContext },
    { check, onRight, onWrong }: VerificationCheck<T>,
  ): Promise<T | null> {
    // Across, here and below: a verification belongs to no organisation.
    const asked = await this.#store.across((db) => this.find(db, reference))
    if (asked?.context !== context) return null
    const person = bucketOf(asked)
    await this.#throttle.attempt(perPerson, person)
    await this.#throttle.attempt(perPersonDaily, person)
    if (!(await this.#store.across((db) => this.#spendTry(db, asked.referenceHash)))) return null

    return this.#store.across(async (db) => {
      const verification = await this.#lock(db, asked.referenceHash)
      if (verification === null || !(await check(db, verification))) {
        await onWrong(db, asked)
        return null
      }
      const now = isoTime(this.#clock.now())
      await db
        .updateTable('verification')
        .set({ provenAt: now })
        .where('referenceHash', '=', asked.referenceHash)
        .execute()
      await this.#throttle.refund(db, perPerson, person)
      await this.#throttle.refund(db, perPersonDaily, person)
      return onRight(db, verification)
    })
  }

  /** Uses up one that was answered by an earlier call; null where there is none, or it was used. */
  async redeemVerified(
    db: Db,
    { reference, context }: { readonly reference: string; readonly context: VerificationContext },
  ): Promise<Verification | null> {
    const now = isoTime(this.#clock.now())
    const taken = await db
      .updateTable('verification')
      .set({ usedAt: now })
      .where('referenceHash', '=', hashOf(reference))
      .where('context', '=', context)
      .where('provenAt', 'is not', null)
      .where('usedAt', 'is', null)
      .where('expiresAt', '>', now)
      .returning(columns)
      .executeTakeFirst()
    return taken === undefined ? null : read(taken)
  }

  /** Whether this is the code that was posted, by whichever key was the newest then. */
  async isSentCode(db: Db, { referenceHash, codeHash }: Verification, code: string): Promise<boolean> {
    if (codeHash === null) return false
    const keys = await this.#keys.all('verification code', db)
    return keys.some(({ key }) => timingSafeEqual(codeHash, codeHashOf(key, referenceHash, code)))
  }

  async #spendTry(db: Db, referenceHash: Buffer): Promise<boolean> {
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
      .select(columns)
      .where('referenceHash', '=', referenceHash)
      .where('provenAt', 'is', null)
      // A new password may have ended it since the try was counted.
      .where('expiresAt', '>', isoTime(this.#clock.now()))
      .forUpdate()
      .executeTakeFirst()
    return found === undefined ? null : read(found)
  }
}

/**
 * Whose guesses are counted together. A reference is known only to the browser that it was issued to, so the tries of a known
 * device are counted apart from those of unknown browsers, and those of signed-in people apart from sign-ins.
 */
function bucketOf({ context, deviceId, referenceHash, userId }: Verification): string {
  if (deviceId !== null) return `device ${deviceId}`
  if (userId === null) return referenceHash.toString('base64url')
  return context === 'signin' ? userId : `${context} ${userId}`
}

/** Bound to its reference: the same code elsewhere is another hash. */
function codeHashOf(key: Buffer, referenceHash: Buffer, code: string): Buffer {
  return createHmac('sha256', key).update(referenceHash).update(code).digest()
}

/** `u•••@demo.example`: enough for its owner to know which mailbox to look into. */
export function maskAddress(emailAddress: string): string {
  const at = emailAddress.lastIndexOf('@')
  return `${[...emailAddress][0] ?? ''}•••${emailAddress.slice(at)}`
}

const columns = ['referenceHash', 'context', 'userId', 'codeHash', 'passkeyChallenge', 'payload'] as const

/** Questions of before this was stored have no device. */
interface StoredRecipient {
  readonly sendTo: string | null
  readonly deviceId?: string | null
}

function read(
  row: Omit<Verification, 'payload' | 'sendTo' | 'deviceId'> & { readonly payload: unknown },
): Verification {
  const { sendTo, deviceId = null, ...payload } = row.payload as Verification['payload'] & StoredRecipient
  return { ...row, payload, sendTo, deviceId }
}
