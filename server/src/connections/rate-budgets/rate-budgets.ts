/**
 * Keeps the calls to each source key below its rate limit, over all processes. The budget of a key is a row in the
 * store.
 */
import { randomUUID } from 'node:crypto'
import type { RateLimitRule, RateLimiters } from '@tributary/engine/ports/rate-limit'
import { sql } from 'kysely'
import { systemClock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log/log.ts'
import type { Db, Store } from '../../kernel/store/store.ts'
import { emptyLedger, grantPermits, type PermitGrant, type PermitLedger, type PermitRequest } from './permits.ts'
import { SharedRateBudget } from './shared-rate-budget.ts'

interface RateBudgetOptions {
  readonly store: Store
  readonly log: Log
  readonly stopSignal: AbortSignal
}

export function createRateBudgets({ store, log, stopSignal }: RateBudgetOptions): RateLimiters {
  const holder = randomUUID()
  const budgets = new Map<string, SharedRateBudget>()

  function open(key: string, rule: RateLimitRule): SharedRateBudget {
    // Calls wait until the store is available again, or until their run stops because its heartbeat fails, too.
    const onError = (error: unknown) =>
      log.warn('no permits for calls to a source: the store cannot be reached', { error })
    const request = (report: Omit<PermitRequest, 'holder'>) =>
      // Across: connectors of several organisations may share a key.
      store.across((db) => requestPermits(db, key, rule, { ...report, holder }))
    return new SharedRateBudget({ clock: systemClock, request, onError, stopSignal })
  }

  return {
    /** A rate limiter for one client of the key. The first rule of a key applies to all its clients. */
    of(key, rule) {
      const budget = budgets.get(key) ?? open(key, rule)
      budgets.set(key, budget)
      return budget.forClient()
    },
  }
}

async function requestPermits(db: Db, key: string, rule: RateLimitRule, request: PermitRequest): Promise<PermitGrant> {
  // Creates the row or locks it, and reads the store's clock once the lock is held.
  const { ledger, now } = await db
    .insertInto('sourcePace')
    .values({ key, ledger: JSON.stringify(emptyLedger) })
    .onConflict((conflict) => conflict.column('key').doUpdateSet((row) => ({ key: row.ref('excluded.key') })))
    .returning(['ledger', sql<number>`(extract(epoch FROM clock_timestamp()) * 1000)::float8`.as('now')])
    .executeTakeFirstOrThrow()
  const granted = grantPermits(ledger as PermitLedger, rule, request, now)
  await db
    .updateTable('sourcePace')
    .set({ ledger: JSON.stringify(granted.ledger), changedAt: sql`now()` })
    .where('key', '=', key)
    .execute()
  return granted.grant
}
