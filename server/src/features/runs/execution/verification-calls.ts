/** Counts the calls of a run to the API of its source, and limits those that its verification may take. */
import type { CallMeter } from '@tributary/engine/ports/call-meter'
import { processRateLimiter, type RateLimiters } from '@tributary/engine/ports/rate-limit'
import type { ConnectionContext } from '@tributary/engine/ports/source'
import { dailyAllowanceOf, guardDailyAllowance } from '../../../connections/rate-budgets/daily-allowance.ts'
import { limitToShare } from '../../../connections/rate-budgets/limit-to-share.ts'
import { readDailyCalls } from '../../../connections/rate-budgets/daily-calls.ts'
import type { AppServices } from '../../../app-services.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { RunClaim } from './claim-run.ts'
import type { ProgressReport } from './progress.ts'

/** Of a limit by day: what one verification takes at most, and what runs and verifications together have used when it takes none. */
const verificationPart = 1 / 20
const leftToRuns = 1 / 2

export interface VerificationCalls {
  readonly context: Pick<ConnectionContext, 'calls' | 'rateLimiters'>
  /** The calls from now on are those of the verification. Returns how many it has left. */
  readonly begin: () => () => number
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
  const begin = () => {
    isVerifying = true
    const before = calls
    const leftToday = perDay === null ? Infinity : perDay * leftToRuns - today - before
    const most = perDay === null ? Infinity : Math.floor(Math.min(perDay * verificationPart, leftToday))
    return () => most - (calls - before)
  }
  const limiters = limitToShare(rateLimiters ?? ofProcess(clock), () => isVerifying)
  return { context: { calls: meter, rateLimiters: limiters }, begin }
}

function ofProcess(clock: Clock): RateLimiters {
  return { of: (key, rule) => processRateLimiter(key, rule, clock) }
}
