/**
 * Browsers that people have signed in with, each identified by a cookie that rotates with every sign-in. A known device
 * has its own limit of attempts; a trusted device needs no second factor.
 */
import { randomUUID } from 'node:crypto'
import { refreshGraceMs, trustedDeviceMs } from '@tributary/contract/limits'
import type { VerificationDevice } from '@tributary/contract/sign-in'
import type { Camel } from '@tributary/contract/wire'
import { isoTime, type Clock } from '../../kernel/clock.ts'
import type { PurposeKey, ServerKeys } from '../../security/keys/server-keys.ts'
import { formatSecretWithId, parseSecretWithId } from '../../security/secrets/secret-with-id.ts'
import { leadsTo, successorOf } from './refresh-tokens.ts'
import { hashOf } from '../../security/secrets/one-time-codes.ts'
import type { Db } from '../../kernel/store/store.ts'
import { randomSecret } from '../../security/secrets/one-time-codes.ts'

export const knownDeviceMs = 180 * 86_400_000
/** The least recently seen device is deleted first. */
const devicesPerPersonMax = 10

export interface KnownDevice {
  readonly id: string
  readonly secret: string
  readonly isLatest: boolean
  readonly signingKeyId: string | null
  readonly isTrusted: boolean
}

export interface DeviceSighting {
  readonly description: string
  readonly address: string | null
  /** Whether to trust the device from now on. False leaves it unchanged. */
  readonly trust: boolean
}

export class KnownDevices {
  readonly #clock: Clock
  readonly #keys: ServerKeys

  constructor({ clock, keys }: { readonly clock: Clock; readonly keys: ServerKeys }) {
    this.#clock = clock
    this.#keys = keys
  }

  /**
   * Finds the person's device among the tokens of the browser's cookie. 'reused': the token is a former one, so the
   * cookie was copied. Null: the person has not signed in with this browser recently.
   */
  async find(db: Db, userId: string, tokens: readonly string[]): Promise<KnownDevice | 'reused' | null> {
    const named = tokens.map(parseSecretWithId).filter((token) => token !== null)
    const ids = named.map(({ id }) => id)
    if (ids.length === 0) return null
    const row = await db
      .selectFrom('device')
      .select(['id', 'tokenHash', 'signingKeyId', 'trustedUntil', 'lastSeenAt'])
      .where('userId', '=', userId)
      .where('id', 'in', ids)
      .where('lastSeenAt', '>', isoTime(this.#clock.now() - knownDeviceMs))
      .executeTakeFirst()
    const secret = named.find(({ id }) => id === row?.id)?.secret
    if (row === undefined || secret === undefined) return null
    const isLatest = hashOf(secret).equals(row.tokenHash)
    const verdict = isLatest ? 'tolerated' : await this.#checkFormerToken(db, secret, row)
    if (verdict !== 'tolerated') return verdict
    const isTrusted = row.trustedUntil !== null && Date.parse(row.trustedUntil) > this.#clock.now()
    return { id: row.id, secret, isLatest, signingKeyId: row.signingKeyId, isTrusted }
  }

  /** Records a sign-in with the device, or with a new one if `found` is null. Returns the new token for its cookie. */
  async recordSignIn(
    db: Db,
    userId: string,
    found: KnownDevice | null,
    { description, address, trust }: DeviceSighting,
  ): Promise<string> {
    const now = this.#clock.now()
    const seen = {
      description,
      address,
      lastSeenAt: isoTime(now),
      ...(trust && { trustedUntil: isoTime(now + trustedDeviceMs) }),
    }
    if (found === null) return this.#insert(db, userId, seen)
    const { id: signingKeyId, key } = await this.#chooseKey(db, found)
    const secret = successorOf(key, found.secret)
    await db
      .updateTable('device')
      .set({ ...seen, ...(found.isLatest && { tokenHash: hashOf(secret), signingKeyId }) })
      .where('id', '=', found.id)
      .execute()
    return formatSecretWithId({ id: found.id, secret })
  }

  /** @param tokens of the requesting browser, to mark its own entry. */
  async list(db: Db, userId: string, tokens: readonly string[]): Promise<Camel<VerificationDevice>[]> {
    const own = new Set(tokens.map((token) => parseSecretWithId(token)?.id))
    const now = this.#clock.now()
    const rows = await db
      .selectFrom('device')
      .select(['id', 'description', 'trustedUntil', 'lastSeenAt'])
      .where('userId', '=', userId)
      .where('lastSeenAt', '>', isoTime(now - knownDeviceMs))
      .orderBy('lastSeenAt', 'desc')
      .execute()
    return rows.map(({ id, description, trustedUntil, lastSeenAt }) => ({
      reference: id,
      description,
      trusted: trustedUntil !== null && Date.parse(trustedUntil) > now,
      lastSeenAtUtc: lastSeenAt,
      isThisDevice: own.has(id),
    }))
  }

  /** False if the person has no such device. */
  async forget(db: Db, userId: string, deviceId: string): Promise<boolean> {
    const { numDeletedRows } = await db
      .deleteFrom('device')
      .where('userId', '=', userId)
      .where('id', '=', deviceId)
      .executeTakeFirst()
    return numDeletedRows === 1n
  }

  async forgetAll(db: Db, userId: string): Promise<void> {
    await db.deleteFrom('device').where('userId', '=', userId).execute()
  }

  /** After a new password or a changed second factor: the devices stay known, but need a second factor again. */
  async distrustAll(db: Db, userId: string): Promise<void> {
    await db.updateTable('device').set({ trustedUntil: null }).where('userId', '=', userId).execute()
  }

  /** Null if the signing key is retired: then the token cannot be recognised as a former one. */
  async #checkFormerToken(
    db: Db,
    secret: string,
    row: { readonly tokenHash: Buffer; readonly signingKeyId: string | null; readonly lastSeenAt: string },
  ): Promise<'tolerated' | 'reused' | null> {
    const key = await this.#keys.find('device cookie', row.signingKeyId, db)
    if (key === undefined) return null
    if (!leadsTo(key, secret, row.tokenHash)) return null
    // Two tabs that sign in at the same time send the same cookie.
    const isPrevious = hashOf(successorOf(key, secret)).equals(row.tokenHash)
    return isPrevious && this.#clock.now() - Date.parse(row.lastSeenAt) <= refreshGraceMs ? 'tolerated' : 'reused'
  }

  /**
   * The newest key; for the second of two tabs the key that the first tab used, so that both get the same successor.
   */
  async #chooseKey(db: Db, { isLatest, signingKeyId }: KnownDevice): Promise<PurposeKey> {
    const newest = await this.#keys.newest('device cookie', db)
    if (isLatest || signingKeyId === null) return newest
    return { id: signingKeyId, key: (await this.#keys.find('device cookie', signingKeyId, db)) ?? newest.key }
  }

  async #insert(
    db: Db,
    userId: string,
    seen: { description: string; address: string | null; lastSeenAt: string },
  ): Promise<string> {
    const id = randomUUID()
    const secret = randomSecret()
    const { id: signingKeyId } = await this.#keys.newest('device cookie', db)
    const row = { id, userId, tokenHash: hashOf(secret), signingKeyId, createdAt: seen.lastSeenAt }
    await db
      .insertInto('device')
      .values({ ...row, ...seen })
      .execute()
    const kept = db
      .selectFrom('device')
      .select('id')
      .where('userId', '=', userId)
      .orderBy('lastSeenAt', 'desc')
      .limit(devicesPerPersonMax)
    await db.deleteFrom('device').where('userId', '=', userId).where('id', 'not in', kept).execute()
    return formatSecretWithId({ id, secret })
  }
}
