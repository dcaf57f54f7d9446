/**
 * Circuit breaker against distributed password guessing: many accounts, many addresses, a few attempts each. While failures are
 * far above the usual rate, every unknown browser must pass a captcha.
 */
import { sql } from 'kysely'
import { isoTime, type Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log/log.ts'
import type { Db, Store } from '../../kernel/store/store.ts'

const bucketMs = 10 * 60_000
/** The usual rate is learnt from the last seven days. */
const learntMs = 7 * 86_400_000
/** Opens at this multiple of the usual rate. */
const factor = 5
/** Fewer failures in ten minutes never open the breaker. */
export const failuresMin = 100
/** How long each process caches the state. */
const cacheMs = 5_000

interface SignInBreakerOptions {
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  readonly isOn: boolean
}

export type SignInBreaker = ReturnType<typeof openSignInBreaker>

export function openSignInBreaker({ store, clock, log, isOn }: SignInBreakerOptions) {
  let known = { isOpen: false, readAt: Number.NEGATIVE_INFINITY }

  return {
    /** Runs in the transaction that records the failed sign-in. */
    async countFailure(db: Db): Promise<void> {
      const now = clock.now()
      const { failures } = await db
        .insertInto('signInFailure')
        .values({ since: isoTime(bucketOf(now)), failures: 1 })
        .onConflict((conflict) => conflict.column('since').doUpdateSet({ failures: sql`signInFailure.failures + 1` }))
        .returning('failures')
        .executeTakeFirstOrThrow()
      if (failures > 1) return
      await db
        .deleteFrom('signInFailure')
        .where('since', '<', isoTime(now - learntMs))
        .execute()
    },

    /** True if an unknown browser must pass a captcha. */
    async isOpen(): Promise<boolean> {
      if (!isOn) return false
      const now = clock.now()
      if (now - known.readAt >= cacheMs) {
        // Across: failures are counted before the caller's organisation is known.
        const isOpen = await store.across((db) => read(db, now))
        if (isOpen && !known.isOpen)
          log.warn('far more sign-ins fail than usual: unknown browsers are asked for a captcha')
        known = { isOpen, readAt: now }
      }
      return known.isOpen
    },
  }
}

async function read(db: Db, now: number): Promise<boolean> {
  const current = bucketOf(now)
  const rows = await db
    .selectFrom('signInFailure')
    .select(['since', 'failures'])
    .where('since', '>', isoTime(now - learntMs))
    .execute()
  const earlier = rows.filter(({ since }) => Date.parse(since) < current - bucketMs).map(({ failures }) => failures)
  // Includes the previous bucket; otherwise an attack could start unnoticed every ten minutes.
  const latest = rows.filter(({ since }) => Date.parse(since) >= current - bucketMs).map(({ failures }) => failures)
  return Math.max(0, ...latest) > Math.max(failuresMin, factor * usual(earlier))
}

function bucketOf(now: number): number {
  return now - (now % bucketMs)
}

/** The median, which an attack of under half a week does not shift. Intervals without failures have no row. */
function usual(failures: readonly number[]): number {
  const buckets = learntMs / bucketMs
  const ascending = failures.toSorted((one, other) => one - other)
  return ascending[Math.floor(buckets / 2) - (buckets - ascending.length)] ?? 0
}
