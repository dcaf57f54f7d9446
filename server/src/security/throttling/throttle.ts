/** Counts attempts in the store, so that every process counts the same. An attempt is counted before it is made. */
import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { isoTime, type Clock } from '../../kernel/clock.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import type { ServerKeys } from '../keys/server-keys.ts'
import type { Db, Store } from '../../kernel/store/store.ts'

export interface Limit {
  /** What is counted, for each kind on its own: `sign-in account`. */
  readonly kind: string
  /** Attempts that pass before anybody has to wait. */
  readonly free: number
  /** The wait after the last free attempt, in ms; it doubles with every further one, up to `waitMaxMs`. */
  readonly waitMs: number
  readonly waitMaxMs: number
  /** The count starts again when this long has passed since the first attempt, in ms. */
  readonly windowMs: number
  /** Counts what the people of a trial share, as one address; not counted where the operator has switched limits off. */
  readonly isShared?: boolean
}

/** Longer than any window; what is older counts no more. */
const keptMs = 24 * 3_600_000

export class Throttle {
  readonly #store: Store
  readonly #clock: Clock
  readonly #keys: ServerKeys
  readonly #isOn: boolean

  constructor({
    store,
    clock,
    keys,
    isOn,
  }: {
    readonly store: Store
    readonly clock: Clock
    readonly keys: ServerKeys
    /** Whether limits count that are marked `isShared`. */
    readonly isOn: boolean
  }) {
    this.#isOn = isOn
    this.#store = store
    this.#clock = clock
    this.#keys = keys
  }

  /** Counts one attempt, or throws `tooMany` where this one must wait. */
  async attempt(limit: Limit, counted: string): Promise<void> {
    if (limit.isShared === true && !this.#isOn) return
    const now = this.#clock.now()
    // Across: attempts are counted before anybody is known to belong anywhere.
    const blockedUntil = await this.#store.across(async (db) => {
      const key = await this.#keyOf(db, limit, counted)
      return this.#count(db, limit, { key, now })
    })
    if (blockedUntil === null) return
    throw new ApiFault('tooMany', { values: { seconds: Math.ceil((blockedUntil - now) / 1_000) } })
  }

  /** Forgets the attempts that were counted: the last one was right. */
  async forgive(db: Db, limit: Limit, counted: string): Promise<void> {
    await db
      .deleteFrom('throttle')
      .where('key', '=', await this.#keyOf(db, limit, counted))
      .execute()
  }

  /** Takes back one attempt. */
  async refund(db: Db, limit: Limit, counted: string): Promise<void> {
    await db
      .updateTable('throttle')
      .set({ attempts: sql`greatest(attempts - 1, 0)`, blockedUntil: null })
      .where('key', '=', await this.#keyOf(db, limit, counted))
      .execute()
  }

  /** The moment until which the caller must wait, in ms, or null for an attempt that was counted. */
  async #count(db: Db, limit: Limit, { key, now }: { key: Buffer; now: number }): Promise<number | null> {
    const row = { key, attempts: 0, since: isoTime(now), blockedUntil: null }
    // One statement, which makes the row or locks it: between two a right attempt could be forgiven, and the row be gone.
    const found = await db
      .insertInto('throttle')
      .values(row)
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ key }))
      .returning(['attempts', 'since', 'blockedUntil', sql<boolean>`xmax = 0`.as('isNew')])
      .executeTakeFirstOrThrow()
    if (found.isNew)
      await db
        .deleteFrom('throttle')
        .where('since', '<', isoTime(now - keptMs))
        .execute()
    const blockedUntil = found.blockedUntil === null ? 0 : Date.parse(found.blockedUntil)
    if (blockedUntil > now) return blockedUntil

    const isOver = now - Date.parse(found.since) > limit.windowMs
    const attempts = isOver ? 1 : found.attempts + 1
    const beyond = attempts - limit.free
    const waitMs = beyond < 0 ? 0 : Math.min(limit.waitMs * 2 ** beyond, limit.waitMaxMs)
    const change = {
      attempts,
      ...(isOver && { since: isoTime(now) }),
      blockedUntil: waitMs === 0 ? null : isoTime(now + waitMs),
    }
    await db.updateTable('throttle').set(change).where('key', '=', key).execute()
    return null
  }

  /** Who is counted is not to be read in the store. After a new signing key every count begins anew. */
  async #keyOf(db: Db, limit: Limit, counted: string): Promise<Buffer> {
    const { key } = await this.#keys.newest('throttle', db)
    return createHmac('sha256', key).update(`${limit.kind}|${counted}`).digest()
  }
}
