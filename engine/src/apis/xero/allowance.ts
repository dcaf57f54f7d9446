/** Xero's calls of a day: the last ones are left to whatever else the company uses, and a day that is used up is waited out. */
import type { Clock } from '../../ports/clock.ts'
import { Fault } from '../../ports/faults.ts'
import type { Allowance } from '../http/client.ts'
import type { Reply } from '../http/exchange.ts'
import { retryAfter } from '../http/verdict.ts'

/** Below this nothing more is read: people and other programs need calls of the day, too. */
const reserve = 250
const lookAgainMs = 60 * 60_000
/** Who is told to wait longer than this has met no limit of a minute. */
const minuteMs = 300_000

const closed = new WeakMap<Clock, Map<string, Closed>>()

interface Closed {
  readonly until: number
  readonly why: 'day' | 'reserve'
}

/** The one allowance of this company in this process. */
export function allowanceOf(tenantId: string, clock: Clock): Allowance {
  const known = closed.get(clock) ?? new Map<string, Closed>()
  closed.set(clock, known)
  return {
    check() {
      const found = known.get(tenantId)
      if (found !== undefined && clock.now() < found.until) throw usedUp(found, clock.now())
    },
    learn(headers) {
      const found = closedBy(headers, clock.now())
      if (found !== null) known.set(tenantId, found)
    },
  }
}

/** The fault of an answer that refuses for longer than a minute; null where it is worth waiting for. */
export function dayUsedUp(reply: Reply, now: number): Fault | null {
  const found = closedBy(reply.headers, now)
  return found?.why === 'day' ? usedUp(found, now) : null
}

function closedBy(headers: Reply['headers'], now: number): Closed | null {
  const wait = retryAfter({ headers }, now)
  const isDay = String(headers['x-rate-limit-problem'] ?? '').toLowerCase() === 'day'
  if (isDay || (wait ?? 0) > minuteMs) return { until: now + (wait ?? lookAgainMs), why: 'day' }
  const left = headers['x-daylimit-remaining']
  return typeof left === 'string' && /^\d+$/.test(left) && Number(left) < reserve
    ? { until: now + lookAgainMs, why: 'reserve' }
    : null
}

const notices = {
  day: 'Xero’s calls of the day for this company are used up. What has been read is kept; the run goes on by itself when Xero’s day begins anew.',
  reserve: `Fewer than ${reserve} of the day’s calls to Xero are left for this company, and they are left to people and other programs. What has been read is kept; the run goes on by itself when Xero’s day begins anew.`,
} as const

function usedUp({ until, why }: Closed, now: number): Fault {
  return new Fault('busy', { code: 'xero.day_used_up', notice: notices[why], waitMs: until - now })
}
