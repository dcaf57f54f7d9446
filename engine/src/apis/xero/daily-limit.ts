/** Xero's daily limit of calls. The last calls are left to other programs, and an exhausted limit is waited out. */
import type { Clock } from '../../ports/clock.ts'
import { Fault } from '../../ports/faults.ts'
import type { CallAllowance } from '../http/client.ts'
import type { HttpResponse } from '../http/exchange.ts'
import { parseRetryAfter } from '../http/response-verdict.ts'

/** Below this, nothing more is read: people and other programs need calls, too. */
const reserve = 250
const recheckMs = 60 * 60_000
/** A longer Retry-After than this is not the limit per minute. */
const minuteMs = 300_000

const closed = new WeakMap<Clock, Map<string, ClosedPeriod>>()

interface ClosedPeriod {
  readonly until: number
  readonly why: 'day' | 'reserve'
}

/** Returns the allowance of this company, shared within the process. */
export function allowanceOf(tenantId: string, clock: Clock): CallAllowance {
  const closedByTenant = closed.get(clock) ?? new Map<string, ClosedPeriod>()
  closed.set(clock, closedByTenant)
  return {
    check() {
      const closedPeriod = closedByTenant.get(tenantId)
      if (closedPeriod !== undefined && clock.now() < closedPeriod.until) throw usedUpFault(closedPeriod, clock.now())
    },
    updateLimits(headers) {
      const closedPeriod = closedPeriodOf(headers, clock.now())
      if (closedPeriod !== null) closedByTenant.set(tenantId, closedPeriod)
    },
  }
}

/** Returns the fault for a daily limit; null for one that is worth waiting for. */
export function dailyLimitFault(reply: HttpResponse, now: number): Fault | null {
  const closedPeriod = closedPeriodOf(reply.headers, now)
  return closedPeriod?.why === 'day' ? usedUpFault(closedPeriod, now) : null
}

function closedPeriodOf(headers: HttpResponse['headers'], now: number): ClosedPeriod | null {
  const wait = parseRetryAfter({ headers }, now)
  const isDay = String(headers['x-rate-limit-problem'] ?? '').toLowerCase() === 'day'
  if (isDay || (wait ?? 0) > minuteMs) return { until: now + (wait ?? recheckMs), why: 'day' }
  const left = headers['x-daylimit-remaining']
  return typeof left === 'string' && /^\d+$/.test(left) && Number(left) < reserve
    ? { until: now + recheckMs, why: 'reserve' }
    : null
}

const notices = {
  day: 'Xero’s calls of the day for this company are used up. What has been read is kept; the run continues by itself when Xero’s next day begins.',
  reserve: `Fewer than ${reserve} of the day’s calls to Xero are left for this company, and they are left to people and other programs. What has been read is kept; the run continues by itself when Xero’s next day begins.`,
} as const

function usedUpFault({ until, why }: ClosedPeriod, now: number): Fault {
  return new Fault('busy', { code: 'xero.day_used_up', notice: notices[why], waitMs: until - now })
}
