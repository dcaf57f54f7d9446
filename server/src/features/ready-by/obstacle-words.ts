/** What people read about a promise that cannot be kept, or was missed: what happened, and what to do. */
import type { PromiseObstacle } from '@tributary/contract/ready-by'
import type { CallLimit } from '@tributary/engine/ports/source'

export interface ObstacleFacts {
  readonly durationMs: number
  readonly maxAgeHours: number
  /** Between the first possible start and the promised time. */
  readonly timeLeftMs: number
  readonly calls: number | null
  readonly source: { readonly title: string; readonly callLimit: CallLimit | null }
}

export function describeObstacle(obstacle: PromiseObstacle, facts: ObstacleFacts): string {
  return obstacleWords[obstacle](facts)
}

const obstacleWords: Readonly<Record<PromiseObstacle, (facts: ObstacleFacts) => string>> = {
  tooLong: ({ durationMs, maxAgeHours, timeLeftMs }) =>
    timeLeftMs < maxAgeHours * hourMs - 60_000
      ? `A run takes about ${describeTime(durationMs)}, and ${describeTime(timeLeftMs)} are left. Start a run now to have the rows soon.`
      : `A run takes about ${describeTime(durationMs)}, and may begin at most ${describeTime(maxAgeHours * hourMs)} before. Allow older rows, or move fewer tables.`,
  sourceRate: ({ durationMs, source }) =>
    `${source.title} allows ${describeLimit(source.callLimit)} for one key. With what other connectors need, the run takes longer than there is time, at least ${describeTime(durationMs)}. Allow older rows, or choose another time for one of the connectors.`,
  allowance: ({ calls, source }) =>
    `${source.title} allows ${describeLimit(source.callLimit)} for one key, and too few are left for a run, which needs about ${(calls ?? 0).toLocaleString('en-GB')}. Choose a time after midnight UTC, or move fewer tables.`,
  organisationShare: () =>
    'The other connectors of the organisation need all the runs that it may execute at once. Allow older rows, or choose different times.',
  workers: () =>
    'The workers have no room before this time. Choose another time, or ask the operator of Tributary for more workers.',
  signIn: () => 'The last run could not sign in. Check the credentials and start a run.',
  awaitsApproval: () => 'The provider has not approved the hosts of the connector yet.',
  targetDown: () => 'The target does not respond. The run starts as soon as it responds again.',
  schedulesOff: () => 'Scheduled runs are switched off by the provider. Start a run yourself.',
}

const hourMs = 3_600_000

function describeLimit(limit: CallLimit | null): string {
  return limit === null ? 'a limited number of calls' : `${limit.calls.toLocaleString('en-GB')} calls a ${limit.per}`
}

/** '45 min', '4 h', '5 h 10 min'. */
export function describeTime(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / 60_000))
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  if (hours === 0) return `${rest} min`
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`
}
