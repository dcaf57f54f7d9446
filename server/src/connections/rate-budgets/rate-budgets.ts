/** Keeps the calls to each source key below its limit, over all processes: the budget of a key is a row of the store. */
import { randomUUID } from 'node:crypto'
import type { RateLimiter, RateLimitRule, RateLimiters } from '@tributary/engine/ports/rate-limit'
import { sql } from 'kysely'
import { systemClock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log/log.ts'
import type { Db, Store } from '../../kernel/store/store.ts'
import { emptyLedger, grantPermits, type PermitGrant, type PermitLedger, type PermitRequest } from './permits.ts'
import { SharedPace } from './shared-rate-budget.ts'

export class SourcePaces implements RateLimiters {
  readonly #store: Store
  readonly #log: Log
  readonly #leaving: AbortSignal
  readonly #holder = randomUUID()
  readonly #paces = new Map<string, SharedPace>()

  /** @param leaving aborts when the process ends: its permits then expire by themselves. */
  constructor({ store, log, leaving }: { readonly store: Store; readonly log: Log; readonly leaving: AbortSignal }) {
    this.#store = store
    this.#log = log
    this.#leaving = leaving
  }

  /** A pace of its own for one client of the key; the rule of a key that is already known stays. */
  of(key: string, rule: RateLimitRule): RateLimiter {
    const known = this.#paces.get(key) ?? this.#open(key, rule)
    this.#paces.set(key, known)
    return known.forClient()
  }

  #open(key: string, rule: RateLimitRule): SharedPace {
    // Calls wait until the store is back, or until their run is stopped because its heartbeat fails as well.
    const onError = (error: unknown) =>
      this.#log.warn('no permits for calls to a source: the store cannot be reached', { error })
    const request = (report: Omit<PermitRequest, 'holder'>) =>
      // Across: connectors of several organisations may share a key.
      this.#store.across((db) => requestPermits(db, key, rule, { ...report, holder: this.#holder }))
    return new SharedPace({ clock: systemClock, request, onError, stopSignal: this.#leaving })
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
