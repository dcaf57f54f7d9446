/** Counts the calls of a run to the API of its source, and limits those that its verification may take. */
import type { CallMeter } from '@tributary/engine/ports/call-meter'
import { processRateLimiter, type RateLimiters, type RateLimitRule } from '@tributary/engine/ports/rate-limit'
import type { ConnectionContext } from '@tributary/engine/ports/source'
import { dailyAllowanceOf, guardDailyAllowance } from '../../../connections/rate-budgets/daily-allowance.ts'
import { callsOfShare, limitToShare } from '../../../connections/rate-budgets/limit-to-share.ts'
import { readDailyCalls } from '../../../connections/rate-budgets/daily-calls.ts'
import type { AppServices } from '../../../app-services.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { RunClaim } from '../claiming/claim-run.ts'
import type { ProgressReport } from './progress.ts'

/** Of a limit by day: what one verification takes at most, and what runs and verifications together have used when it takes none. */
const verificationPart = 1 / 20
const leftToRuns = 1 / 2

export interface VerificationCalls {
  readonly context: Pick<ConnectionContext, 'calls' | 'rateLimiters'>
  /**
   * The calls from now on are those of the verification. Returns how many it has left.
   * @param withinMs it may take no more calls than the rate allows in this time; null: it may wait
   */
  readonly begin: (withinMs: number | null) => () => number
}

/** @param progress counts each call of the run, whatever it is for */
export async function limitVerificationCalls(
  { store, clock, rateLimiters, settings }: Pick<AppServices, 'clock' | 'rateLimiters' | 'settings' | 'store'>,
  claim: RunClaim,
  { countCalls, flush }: Pick<ProgressReport, 'countCalls' | 'flush'>,
): Promise<VerificationCalls> {
  const allowance = dailyAllowanceOf(claim.type)
  const perDay = allowance?.calls ?? null
  const today = perDay === null ? 0 : await store.within(claim.organisationId, (db) => readDailyCalls(db, claim))
  let calls = 0
  let isVerifying = false
  const meter: CallMeter = {
    admit: allowance === null ? async () => {} : guardDailyAllowance({ store, settings, allowance, flush }),
    sent(call) {
      calls += 1
      countCalls({ ...call, calls: 1, bytes: 0 })
    },
    received: (call, bytes) => countCalls({ ...call, calls: 0, bytes }),
  }
  const rules: RateLimitRule[] = []
  const begin = (withinMs: number | null) => {
    isVerifying = true
    const inTime = withinMs === null ? Infinity : Math.min(...rules.map((rule) => callsOfShare(rule, withinMs)))
    const before = calls
    const leftToday = perDay === null ? Infinity : perDay * leftToRuns - today - before
    const ofDay = perDay === null ? Infinity : Math.floor(Math.min(perDay * verificationPart, leftToday))
    const most = Math.min(ofDay, inTime)
    return () => most - (calls - before)
  }
  const shared = limitToShare(rateLimiters ?? ofProcess(clock), () => isVerifying)
  const limiters: RateLimiters = {
    of(key, rule) {
      rules.push(rule)
      return shared.of(key, rule)
    },
  }
  return { context: { calls: meter, rateLimiters: limiters }, begin }
}

function ofProcess(clock: Clock): RateLimiters {
  return { of: (key, rule) => processRateLimiter(key, rule, clock) }
}
