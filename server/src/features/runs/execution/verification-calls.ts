/** The calls to the API of a source that a verification may take. */
import { processRateLimiter, type RateLimiters } from '@tributary/engine/ports/rate-limit'
import type { ConnectionContext } from '@tributary/engine/ports/source'
import { findSource } from '../../../connections/connectors/connector-types.ts'
import { limitToShare } from '../../../connections/rate-budgets/limit-to-share.ts'
import { readDailyCalls } from '../../../connections/rate-budgets/daily-calls.ts'
import type { AppServices } from '../../../app-services.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { RunClaim } from './claim-run.ts'

/** Of a limit by day: what one verification takes at most, and what runs and verifications together have used when it takes none. */
const verificationPart = 1 / 20
const leftToRuns = 1 / 2

export interface VerificationCalls {
  readonly context: Pick<ConnectionContext, 'onCall' | 'rateLimiters'>
  /** The calls from now on are those of the verification. Returns how many it has left. */
  readonly begin: () => () => number
}

/** @param called counts each call of the run, whatever it is for */
export async function limitVerificationCalls(
  { store, clock, rateLimiters }: Pick<AppServices, 'clock' | 'rateLimiters' | 'store'>,
  claim: RunClaim,
  called: () => void,
): Promise<VerificationCalls> {
  const limit = findSource(claim.type)?.callLimit
  const perDay = limit?.per === 'day' ? limit.calls : null
  const today = perDay === null ? 0 : await store.within(claim.organisationId, (db) => readDailyCalls(db, claim))
  let calls = 0
  let isVerifying = false
  const onCall = (): void => {
    calls += 1
    called()
  }
  const begin = () => {
    isVerifying = true
    const before = calls
    const leftToday = perDay === null ? Infinity : perDay * leftToRuns - today - before
    const most = perDay === null ? Infinity : Math.floor(Math.min(perDay * verificationPart, leftToday))
    return () => most - (calls - before)
  }
  const limiters = limitToShare(rateLimiters ?? ofProcess(clock), () => isVerifying)
  return { context: { onCall, rateLimiters: limiters }, begin }
}

function ofProcess(clock: Clock): RateLimiters {
  return { of: (key, rule) => processRateLimiter(key, rule, clock) }
}
