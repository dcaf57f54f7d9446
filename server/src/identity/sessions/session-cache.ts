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

export type SessionCache = ReturnType<typeof createSessionCache>

export function createSessionCache({ store, clock, mode }: SessionCacheOptions) {
  const cache = new Map<string, CachedSession>()
  /** Incremented when a session is dropped, so that a row that was read before is not cached afterwards. */
  let evictions = 0

  /** Drops the session when the transaction commits, so that the next call reads its row. */
  function forget(db: Db, sessionId: string): void {
    afterCommit(db, () => {
      evictions += 1
      cache.delete(sessionId)
    })
  }

  return {
    forget,

    /** Throws `notSignedIn`. @param maxAgeMs the maximum age of the cached entry. */
    async load(sessionId: string, maxAgeMs = sessionCacheMs): Promise<CachedSession> {
      const known = cache.get(sessionId)
      const now = clock.now()
      if (known !== undefined && now - known.loadedAt < maxAgeMs) return known
      const evictionsBefore = evictions
      // Across: the session decides which organisations the call may see.
      const facts = await store.across((db) => findSession(db, mode, sessionId))
      if (facts === undefined) throw new ApiFault('notSignedIn')
      const loaded = {
        facts,
        loadedAt: now,
        lastActiveAt: Math.max(Date.parse(facts.lastActiveAt), known?.lastActiveAt ?? 0),
      }
      if (evictionsBefore !== evictions) return loaded
      if (cache.size >= cacheSizeMax) cache.clear()
      cache.set(sessionId, loaded)
      return loaded
    },

    async recordActivity(sessionId: string, cached: CachedSession): Promise<void> {
      cached.lastActiveAt = clock.now()
      if (cached.lastActiveAt - Date.parse(cached.facts.lastActiveAt) < activityWriteMs) return
      const lastActiveAt = isoTime(cached.lastActiveAt)
      await store.across(async (db) => {
        await db.updateTable('session').set({ lastActiveAt }).where('id', '=', sessionId).execute()
        forget(db, sessionId)
      })
    },
  }
}
