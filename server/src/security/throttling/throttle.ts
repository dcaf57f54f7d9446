/** Limits attempts with exponential backoff. Counts in the store, shared by all processes, before the attempt is made. */
import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { isoTime, type Clock } from '../../kernel/clock.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import type { ServerKeys } from '../keys/server-keys.ts'
import type { Db, Store } from '../../kernel/store/store.ts'

export interface ThrottleLimit {
  /** The name of the limit: `sign-in account`. Each kind has separate counts. */
  readonly kind: string
  /** Attempts before the first wait. */
  readonly free: number
  /** The wait after the last free attempt, in ms. It doubles with each further attempt, up to `waitMaxMs`. */
  readonly waitMs: number
  /** Default: `windowMs`. */
  readonly waitMaxMs?: number
  /** The count restarts this long after the first attempt, in ms. Default: `waitMs`. */
  readonly windowMs?: number
  /** Counts something that the people of a trial share, such as an address. Off if the operator switches limits off. */
  readonly isShared?: boolean
}

/** Longer than any window; older rows are deleted. */
const keptMs = 24 * 3_600_000

interface ThrottleOptions {
  readonly store: Store
  readonly clock: Clock
  readonly keys: ServerKeys
  /** Whether limits with `isShared` apply. */
  readonly isOn: boolean
}

export type Throttle = ReturnType<typeof openThrottle>

export function openThrottle({ store, clock, keys, isOn }: ThrottleOptions) {
  /** Keys are HMACs, so the table reveals no identities. A new signing key restarts all counts. */
  async function keyOf(db: Db, limit: ThrottleLimit, subject: string): Promise<Buffer> {
    const { key } = await keys.newest('throttle', db)
    return createHmac('sha256', key).update(`${limit.kind}|${subject}`).digest()
  }

  return {
    /** Counts one attempt, or throws `tooMany` if the caller must wait. */
    async attempt(limit: ThrottleLimit, subject: string): Promise<void> {
      if (limit.isShared === true && !isOn) return
      const now = clock.now()
      // Across: attempts are subject before the caller's organisation is known.
      const blockedUntil = await store.across(async (db) => count(db, limit, await keyOf(db, limit, subject), now))
      if (blockedUntil === null) return
      throw new ApiFault('tooMany', { values: { seconds: Math.ceil((blockedUntil - now) / 1_000) } })
    },

    /** Resets the count after a successful attempt. */
    async forgive(db: Db, limit: ThrottleLimit, subject: string): Promise<void> {
      await db
        .deleteFrom('throttle')
        .where('key', '=', await keyOf(db, limit, subject))
        .execute()
    },

    /** Subtracts one attempt. */
    async refund(db: Db, limit: ThrottleLimit, subject: string): Promise<void> {
      await db
        .updateTable('throttle')
        .set({ attempts: sql`greatest(attempts - 1, 0)`, blockedUntil: null })
        .where('key', '=', await keyOf(db, limit, subject))
        .execute()
    },
  }
}

/** Returns the time until which the caller must wait, in ms, or null if the attempt was subject. */
async function count(db: Db, limit: ThrottleLimit, key: Buffer, now: number): Promise<number | null> {
  const row = { key, attempts: 0, since: isoTime(now), blockedUntil: null }
  // One atomic upsert: between two statements a concurrent success could delete the row.
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

  const { windowMs = limit.waitMs, waitMaxMs = windowMs } = limit
  const isOver = now - Date.parse(found.since) > windowMs
  const attempts = isOver ? 1 : found.attempts + 1
  const beyond = attempts - limit.free
  const waitMs = beyond < 0 ? 0 : Math.min(limit.waitMs * 2 ** beyond, waitMaxMs)
  const change = {
    attempts,
    ...(isOver && { since: isoTime(now) }),
    blockedUntil: waitMs === 0 ? null : isoTime(now + waitMs),
  }
  await db.updateTable('throttle').set(change).where('key', '=', key).execute()
  return null
}

/** Whether an attempt is within its limits: false instead of `tooMany`. */
export async function isWithinLimit(attempt: Promise<void>): Promise<boolean> {
  try {
    await attempt
    return true
  } catch (error) {
    if (error instanceof ApiFault && error.code === 'tooMany') return false
    throw error
  }
}
