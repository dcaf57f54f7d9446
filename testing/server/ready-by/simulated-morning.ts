/** A simulated morning: plans the starts of all organisations, executes them, and compares what was promised with what was possible. */
import { planStarts } from '../../../server/src/connections/ready-by/plan-starts.ts'
import type { PlannedStart, SourceLimit } from '../../../server/src/connections/ready-by/planned-start.ts'
import { type ExecutedStarts, executeStarts } from './execute-starts.ts'
import { type SimulatedRun, simulatedDay, simulateWishes, type WishOptions } from './simulated-wishes.ts'

export interface SimulatedMorning {
  readonly runs: readonly SimulatedRun[]
  readonly plan: readonly PlannedStart[]
  readonly executed: ExecutedStarts
  readonly planSeconds: number
  readonly concurrentRuns: number
  /** Runs that no plan could have in time are not counted. */
  readonly possible: number
  readonly onTime: number
  /** Named before the morning. */
  readonly named: number
  /** Late, and not named. */
  readonly surprises: number
}

/** The share of an organisation in this simulation. */
const organisationRuns = 2

export function simulateMorning(options: WishOptions): SimulatedMorning {
  const { runs, sources, concurrentRuns } = simulateWishes(options)
  const limits = { concurrentRuns, sources, runsOf: () => organisationRuns }
  const since = performance.now()
  const now = simulatedDay - 24 * 3_600_000
  const plan = planStarts({ promises: runs.map(({ promise }) => promise), limits, reserved: [], now })
  const planSeconds = (performance.now() - since) / 1_000
  const executed = executeStarts(runs, plan, limits)
  const isOnTime = (at: number) => (executed.endedAt[at] ?? Infinity) <= (runs[at]?.promise.dueAt ?? 0)
  const count = (matches: (at: number) => boolean) => runs.reduce((sum, _, at) => sum + (matches(at) ? 1 : 0), 0)
  return {
    runs,
    plan,
    executed,
    planSeconds,
    concurrentRuns,
    possible: countPossible(runs, sources),
    onTime: count(isOnTime),
    named: count((at) => plan[at]?.obstacle !== null),
    surprises: count((at) => plan[at]?.obstacle === null && !isOnTime(at)),
  }
}

/** An upper bound: knows how long each run will take, and looks at each limit alone. Workers are not counted as a limit. */
function countPossible(runs: readonly SimulatedRun[], sources: ReadonlyMap<string, SourceLimit>): number {
  const fitting = runs.filter(({ promise, takesMs }) => takesMs <= promise.dueAt - promise.earliestAt)
  const byOrganisation = keepWithin(
    fitting,
    ({ promise }) => promise.organisationId,
    ({ takesMs }) => takesMs,
    (group) => organisationRuns * (lastDue(group) - firstStart(group)),
  )
  const callsOf = ({ promise }: SimulatedRun) => promise.calls?.count ?? 0
  const byKey =
    (room: (limit: SourceLimit, group: readonly SimulatedRun[]) => number) => (of: readonly SimulatedRun[]) =>
      keepWithin(
        of,
        ({ promise }) => promise.calls?.key ?? null,
        callsOf,
        (group) => {
          const limit = sources.get(group[0]?.promise.calls?.key ?? '')
          return limit === undefined ? Infinity : room(limit, group)
        },
      )
  const byMinute = byKey(({ callsPerMinute }, group) =>
    callsPerMinute === null ? Infinity : (callsPerMinute * (lastDue(group) - firstStart(group))) / 60_000,
  )
  const byDay = byKey(({ callsLeftOn }, group) => {
    if (callsLeftOn === null) return Infinity
    const [first, last] = [dayOf(firstStart(group)), dayOf(lastDue(group) - 1)]
    return Array.from({ length: last - first + 1 }, (_, at) => callsLeftOn(first + at)).reduce(
      (sum, left) => sum + left,
      0,
    )
  })
  return byDay(byMinute(byOrganisation)).length
}

/** As many of each group as there is room for, the smallest first. Those without a group stay. */
function keepWithin(
  runs: readonly SimulatedRun[],
  groupOf: (run: SimulatedRun) => string | null,
  sizeOf: (run: SimulatedRun) => number,
  roomOf: (group: readonly SimulatedRun[]) => number,
): SimulatedRun[] {
  return [...Map.groupBy(runs, groupOf)].flatMap(([key, group]) => {
    if (key === null) return group
    let room = roomOf(group)
    return group
      .toSorted((one, other) => sizeOf(one) - sizeOf(other))
      .filter((run) => {
        room -= sizeOf(run)
        return room >= 0
      })
  })
}

function firstStart(group: readonly SimulatedRun[]): number {
  return group.reduce((first, { promise }) => Math.min(first, promise.earliestAt), Infinity)
}

function lastDue(group: readonly SimulatedRun[]): number {
  return group.reduce((last, { promise }) => Math.max(last, promise.dueAt), 0)
}

function dayOf(at: number): number {
  return Math.floor(at / 86_400_000)
}
