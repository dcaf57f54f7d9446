/** Cin7's rate limit: 60 calls in any 60 seconds, and an optional daily limit. */

export interface Cin7Limits {
  /** Counts a call at `now` and returns true if it exceeds a limit. Refused calls do not count. */
  refuses(now: number): boolean
}

export function callLimits({ calls, windowMs, daily }: { calls: number; windowMs: number; daily: number }): Cin7Limits {
  const accepted: number[] = []
  const today = { day: -1, calls: 0 }
  return {
    refuses(now) {
      const day = Math.floor(now / 86_400_000)
      if (day !== today.day) Object.assign(today, { day, calls: 0 })
      while (accepted[0] !== undefined && accepted[0] <= now - windowMs) accepted.shift()
      if (accepted.length >= calls || today.calls >= daily) return true
      accepted.push(now)
      today.calls += 1
      return false
    },
  }
}
