/**
 * Browsers that people have signed in with, each known by a cookie that changes with every sign-in. A known one has a limit
 * of attempts to itself; a trusted one is not asked for a code.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { refreshGraceMs, trustedDeviceMs } from '@tributary/contract/limits'
import type { VerificationDevice } from '@tributary/contract/sign-in'
import type { Camel } from '@tributary/contract/wire'
import { isoTime, type Clock } from '../../kernel/clock.ts'
import type { PurposeKey, ServerKeys } from '../../security/keys/server-keys.ts'
import { formatSecretWithId, parseSecretWithId } from '../../security/secrets/secret-with-id.ts'
import { RefreshChain, tokenHash } from './refresh-tokens.ts'
import type { Db } from '../../kernel/store/store.ts'

export const knownDeviceMs = 180 * 86_400_000
/** Of one person; the one that was not seen for longest is forgotten first. */
const devicesMax = 10

export interface FoundDevice {
  readonly id: string
  readonly secret: string
  readonly isLatest: boolean
  readonly signingKeyId: string | null
  readonly isTrusted: boolean
}

export interface DeviceSighting {
  readonly description: string
  readonly address: string | null
  /** From now on it is not asked for a code; else it stays as it is. */
  readonly trust: boolean
}

export class Devices {
  readonly #clock: Clock
  readonly #keys: ServerKeys

  constructor({ clock, keys }: { readonly clock: Clock; readonly keys: ServerKeys }) {
    this.#clock = clock
    this.#keys = keys
  }

  /**
   * The person's device among those of the browser's cookie. 'reused': the cookie is a former one, so somebody has a copy of
   * it. Null: a browser that this person has not used, or not for long.
   */
  async find(db: Db, userId: string, tokens: readonly string[]): Promise<FoundDevice | 'reused' | null> {
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
    const isLatest = tokenHash(secret).equals(row.tokenHash)
    const former = isLatest ? 'tolerated' : await this.#judgeFormer(db, secret, row)
    if (former !== 'tolerated') return former
    const isTrusted = row.trustedUntil !== null && Date.parse(row.trustedUntil) > this.#clock.now()
    return { id: row.id, secret, isLatest, signingKeyId: row.signingKeyId, isTrusted }
  }

  /** Notes a sign-in with the device, a new one where none was found; answers what its cookie holds from now on. */
  async note(
    db: Db,
    userId: string,
    found: FoundDevice | null,
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
    const { id: signingKeyId, key } = await this.#keyFor(db, found)
    const secret = new RefreshChain(key).successor(found.secret)
    await db
      .updateTable('device')
      .set({ ...seen, ...(found.isLatest && { tokenHash: tokenHash(secret), signingKeyId }) })
      .where('id', '=', found.id)
      .execute()
    return formatSecretWithId({ id: found.id, secret })
  }

  /** @param tokens of the browser that asks, so that it can be told which one it is. */
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

  /** False where the person has no such device. */
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

  /** They stay known, but each is asked for a code again: for a new password, and a second factor that changed. */
  async distrustAll(db: Db, userId: string): Promise<void> {
    await db.updateTable('device').set({ trustedUntil: null }).where('userId', '=', userId).execute()
  }

  /** Of a cookie from before the last change of keys it cannot be said whose it was: null, as of one that nobody knows. */
  async #judgeFormer(
    db: Db,
    secret: string,
    row: { readonly tokenHash: Buffer; readonly signingKeyId: string | null; readonly lastSeenAt: string },
  ): Promise<'tolerated' | 'reused' | null> {
    const key = row.signingKeyId === null ? undefined : await this.#keys.find('device cookie', row.signingKeyId, db)
    if (key === undefined) return null
    const chain = new RefreshChain(key)
    if (!chain.leadsTo(secret, row.tokenHash)) return null
    // Two tabs that sign in at once come with the same cookie.
    const isLast = tokenHash(chain.successor(secret)).equals(row.tokenHash)
    return isLast && this.#clock.now() - Date.parse(row.lastSeenAt) <= refreshGraceMs ? 'tolerated' : 'reused'
  }

  /** The newest; for the second of two tabs the one that the first tab's cookie was made with. */
  async #keyFor(db: Db, { isLatest, signingKeyId }: FoundDevice): Promise<PurposeKey> {
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
    const secret = randomBytes(32).toString('base64url')
    const { id: signingKeyId } = await this.#keys.newest('device cookie', db)
    const row = { id, userId, tokenHash: tokenHash(secret), signingKeyId, createdAt: seen.lastSeenAt }
    await db
      .insertInto('device')
      .values({ ...row, ...seen })
      .execute()
    const kept = db
      .selectFrom('device')
      .select('id')
      .where('userId', '=', userId)
      .orderBy('lastSeenAt', 'desc')
      .limit(devicesMax)
    await db.deleteFrom('device').where('userId', '=', userId).where('id', 'not in', kept).execute()
    return formatSecretWithId({ id, secret })
  }
}
