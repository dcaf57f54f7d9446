/** A cache of open sessions, so that not every call reads its session's row. */
import { sessionCacheMs } from '@tributary/contract/limits'
import type { ServerMode } from '../../kernel/config/setting.ts'
import { isoTime, type Clock } from '../../kernel/clock.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import { findSession, type SessionFacts } from './session-queries.ts'
import { afterCommit, type Db, type Store } from '../../kernel/store/store.ts'

export interface CachedSession {
  readonly facts: SessionFacts
  readonly loadedAt: number
  lastActiveAt: number
}

/** Activity is written at most once a minute per session, not with every call. */
const activityWriteMs = 60_000
const cacheSizeMax = 10_000

interface SessionCacheOptions {
  readonly store: Store
  readonly clock: Clock
  readonly mode: ServerMode
}

export class SessionCache {
  readonly #store: Store
  readonly #clock: Clock
  readonly #mode: ServerMode
  readonly #cache = new Map<string, CachedSession>()
  /** Incremented when a session is dropped, so that a row that was read before is not cached afterwards. */
  #evictions = 0

  constructor({ store, clock, mode }: SessionCacheOptions) {
    this.#store = store
    this.#clock = clock
    this.#mode = mode
  }

  /** Throws `notSignedIn`. @param maxAgeMs the maximum age of the cached entry. */
  async load(sessionId: string, maxAgeMs = sessionCacheMs): Promise<CachedSession> {
    const known = this.#cache.get(sessionId)
    const now = this.#clock.now()
    if (known !== undefined && now - known.loadedAt < maxAgeMs) return known
    const evictions = this.#evictions
    // Across: the session decides which organisations the call may see.
    const facts = await this.#store.across((db) => findSession(db, this.#mode, sessionId))
    if (facts === undefined) throw new ApiFault('notSignedIn')
    const loaded = {
      facts,
      loadedAt: now,
      lastActiveAt: Math.max(Date.parse(facts.lastActiveAt), known?.lastActiveAt ?? 0),
    }
    if (evictions !== this.#evictions) return loaded
    if (this.#cache.size >= cacheSizeMax) this.#cache.clear()
    this.#cache.set(sessionId, loaded)
    return loaded
  }

  async recordActivity(sessionId: string, cached: CachedSession): Promise<void> {
    cached.lastActiveAt = this.#clock.now()
    if (cached.lastActiveAt - Date.parse(cached.facts.lastActiveAt) < activityWriteMs) return
    const lastActiveAt = isoTime(cached.lastActiveAt)
    await this.#store.across(async (db) => {
      await db.updateTable('session').set({ lastActiveAt }).where('id', '=', sessionId).execute()
      this.forget(db, sessionId)
    })
  }

  /** Drops the session when the transaction commits, so that the next call reads its row. */
  forget(db: Db, sessionId: string): void {
    afterCommit(db, () => {
      this.#evictions += 1
      this.#cache.delete(sessionId)
    })
  }
}
