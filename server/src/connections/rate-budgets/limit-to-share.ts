/** Verification takes calls that no run needs: a share of the rate of its source, so that runs with the same key continue meanwhile. */
import type { RateLimiters, RateLimitRule } from '@tributary/engine/ports/rate-limit'

/** Of the calls that a source allows in its window. */
const verificationShare = 1 / 4

function shareOf({ calls }: RateLimitRule): number {
  return Math.max(1, Math.floor(calls * verificationShare))
}

/** How many calls of the share can be sent within a time, if none was sent before. */
export function callsOfShare(rule: RateLimitRule, ms: number): number {
  return shareOf(rule) * Math.max(1, Math.floor(ms / rule.windowMs))
}

/**
 * Limiters for a verification. All verifications with one key share the same part of its rate, over all processes.
 * @param isVerifying false while the calls are those of a run that moves rows: these have the whole rate
 */
export function limitToShare(limiters: RateLimiters, isVerifying: () => boolean = () => true): RateLimiters {
  return {
    of(key, rule) {
      const all = limiters.of(key, rule)
      const own = limiters.of(`${key} verification`, { ...rule, calls: shareOf(rule), atOnce: 1 })
      let ownCalls = 0
      return {
        ...all,
        // First the part, because a call that waits for it must not hold a permit that a run could use.
        async acquire(signal) {
          if (!isVerifying()) return await all.acquire(signal)
          await own.acquire(signal)
          try {
            const grantedAt = await all.acquire(signal)
            ownCalls += 1
            return grantedAt
          } catch (error) {
            own.release()
            throw error
          }
        },
        release() {
          all.release()
          if (ownCalls === 0) return
          ownCalls -= 1
          own.release()
        },
      }
    },
  }
}
