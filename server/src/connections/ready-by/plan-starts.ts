/**
 * Plans backwards when runs start, so that they are over at promised times. A run takes the latest start at which there is room: in the
 * workers, in its organisation's share, and in the calls that its source allows for the key. Full minutes push others to earlier
 * starts, so starts spread. A pure function.
 */
import {
  comfortableMarginMs,
  leastMarginMs,
  type PlannedStart,
  type PlanObstacle,
  type PlanRequest,
  type PromisedRun,
} from './planned-start.ts'
import { PlanResources, type RunNeeds } from './plan-resources.ts'
import { minuteMs } from './timeline.ts'

/** One start for each promise, in their order. */
export function planStarts(request: PlanRequest): PlannedStart[] {
  // Long runs first leave the least room unused. If there is not room for all, short runs first keep more promises.
  const longFirst = planInOrder(request, (run) => -run.durationMs)
  if (!longFirst.some(({ obstacle }) => obstacle !== null && lackOfRoom.has(obstacle))) return longFirst
  const shortFirst = planInOrder(request, (run) => run.durationMs)
  return countKept(shortFirst) > countKept(longFirst) ? shortFirst : longFirst
}

const lackOfRoom: ReadonlySet<PlanObstacle> = new Set(['sourceRate', 'organisationShare', 'workers'])

function countKept(plan: readonly PlannedStart[]): number {
  return plan.reduce((sum, { obstacle }) => sum + (obstacle === null ? 1 : 0), 0)
}

function planInOrder(request: PlanRequest, order: (run: PromisedRun) => number): PlannedStart[] {
  const resources = new PlanResources(request)
  const starts = new StartOffsets()
  const plan: PlannedStart[] = []
  for (const at of sortPromises(request.promises, { order, resources })) {
    const run = request.promises[at]
    if (run !== undefined) plan[at] = planOne(run, { resources, starts, now: request.now })
  }
  return plan
}

interface PromiseOrder {
  readonly order: (run: PromisedRun) => number
  readonly resources: PlanResources
}

/**
 * First the runs of keys whose allowance does not suffice, those with the fewest calls before the others, because this keeps the most
 * promises. Then the latest promised time, because only it can use the last minutes. Then the first connector of every organisation, the
 * second of every organisation and so on: one with many does not delay the others.
 */
function sortPromises(promises: readonly PromisedRun[], { order, resources }: PromiseOrder): number[] {
  const seen = new Map<string, number>()
  const keyed = promises.map((run, at) => {
    const rank = seen.get(run.organisationId) ?? 0
    seen.set(run.organisationId, rank + 1)
    const scarce = resources.isScarce(run) ? (run.calls?.count ?? 0) : Number.MAX_SAFE_INTEGER
    return { at, scarce, dueAt: run.dueAt, rank, size: order(run), id: run.id }
  })
  keyed.sort(
    (one, other) =>
      one.scarce - other.scarce ||
      other.dueAt - one.dueAt ||
      one.rank - other.rank ||
      one.size - other.size ||
      (one.id < other.id ? -1 : 1),
  )
  return keyed.map(({ at }) => at)
}

interface PlanState {
  readonly resources: PlanResources
  readonly starts: StartOffsets
  readonly now: number
}

function planOne(run: PromisedRun, { resources, starts, now }: PlanState): PlannedStart {
  const needs = resources.needsOf(run)
  const earliest = Math.ceil(Math.max(run.earliestAt, now) / minuteMs)
  const start = findStart(run, needs, { resources, earliest })
  if (start !== undefined) {
    resources.reserve(needs, start)
    return planned(run, needs, { start, starts, obstacle: null })
  }
  const { obstacle, isTooShort } = findObstacle(run, needs, { resources, earliest })
  // If the time does not suffice, the run begins as early as it may. If there is no room, it begins when the others are over.
  const late = resources.earliestStart(
    needs,
    isTooShort ? earliest : Math.max(earliest, Math.ceil(run.dueAt / minuteMs)),
  )
  resources.reserve(needs, late)
  return planned(run, needs, { start: late, starts, obstacle })
}

interface StartSearch {
  readonly resources: PlanResources
  /** In minutes since 1970. */
  readonly earliest: number
}

function findStart(run: PromisedRun, needs: RunNeeds, { resources, earliest }: StartSearch): number | undefined {
  const ofMargin = (marginMs: number) => Math.floor((run.dueAt - marginMs) / minuteMs) - needs.minutes
  return (
    resources.latestStart(needs, earliest, ofMargin(comfortableMarginMs(needs.durationMs))) ??
    resources.latestStart(needs, earliest, ofMargin(leastMarginMs(needs.durationMs)))
  )
}

interface FoundObstacle {
  readonly obstacle: PlanObstacle
  /** The run takes longer than there is time, even without any others. */
  readonly isTooShort: boolean
}

function findObstacle(run: PromisedRun, needs: RunNeeds, { resources, earliest }: StartSearch): FoundObstacle {
  const latest = Math.floor((run.dueAt - leastMarginMs(needs.durationMs)) / minuteMs) - needs.minutes
  if (latest >= earliest) return { obstacle: resources.obstacleTo(needs, earliest, latest), isTooShort: false }
  if (resources.exceedsAllowance(needs, earliest)) return { obstacle: 'allowance', isTooShort: true }
  return { obstacle: needs.isPaced ? 'sourceRate' : 'tooLong', isTooShort: true }
}

interface ChosenStart {
  readonly start: number
  readonly starts: StartOffsets
  readonly obstacle: PlanObstacle | null
}

function planned(run: PromisedRun, needs: RunNeeds, { start, starts, obstacle }: ChosenStart): PlannedStart {
  const startAt = start * minuteMs + starts.next(start)
  return { id: run.id, startAt, endAt: startAt + needs.durationMs, obstacle }
}

/** Spreads the starts of one minute over it. The least margin is longer than a minute. */
class StartOffsets {
  readonly #counts = new Map<number, number>()

  next(minute: number): number {
    const count = this.#counts.get(minute) ?? 0
    this.#counts.set(minute, count + 1)
    // Multiples of the golden ratio fill a circle evenly, however many follow.
    return Math.floor(((count * goldenRatio) % 1) * 60) * 1_000
  }
}

const goldenRatio = 0.618_033_988_749_895
