/** The limited resources of a plan of starts: workers, shares of organisations, and the calls that sources allow. */
import type { PlanObstacle, PlanRequest, PromisedRun, ReservedRuns } from './planned-start.ts'
import { minuteMs, Timeline } from './timeline.ts'

/** What a run takes, and from what. */
export interface RunNeeds {
  readonly minutes: number
  readonly durationMs: number
  /** The calls that the source allows in a minute decide how long it takes. */
  readonly isPaced: boolean
  readonly shares: readonly ResourceShare[]
  readonly daily: { readonly budget: DailyBudget; readonly calls: number } | null
}

interface ResourceShare {
  readonly timeline: Timeline
  readonly amount: number
  readonly obstacle: PlanObstacle
}

const minutesPerDay = 1_440

export class PlanResources {
  readonly #request: PlanRequest
  readonly #workers: Timeline
  /** Only of organisations whose share can be used up. */
  readonly #organisations = new Map<string, Timeline>()
  /** Only of keys that several runs use: one alone is paced by its source. */
  readonly #rates = new Map<string, Timeline>()
  readonly #days = new Map<string, DailyBudget>()
  readonly #scarce = new Set<string>()
  /** The minute after the last one in which anything is reserved. */
  readonly #end: number

  constructor(request: PlanRequest) {
    this.#request = request
    const { promises, limits, reserved } = request
    const all = findSpan(promises)
    this.#end = all.to
    this.#workers = new Timeline(all.from, all.to, limits.concurrentRuns)
    this.#openOrganisations()
    this.#openSources()
    for (const runs of reserved) this.#reserveRuns(runs)
  }

  needsOf(run: PromisedRun): RunNeeds {
    const pacedMs = this.#pacedMs(run)
    const durationMs = Math.max(run.durationMs, pacedMs, 1)
    const minutes = Math.ceil(durationMs / minuteMs)
    const shares: ResourceShare[] = []
    const add = (timeline: Timeline | undefined, amount: number, obstacle: PlanObstacle) => {
      if (timeline !== undefined) shares.push({ timeline, amount, obstacle })
    }
    if (run.calls !== null) add(this.#rates.get(run.calls.key), run.calls.count / minutes, 'sourceRate')
    // Several runs of some seconds fit into one minute.
    const part = Math.min(1, durationMs / minuteMs)
    add(this.#organisations.get(run.organisationId), part, 'organisationShare')
    add(this.#workers, part, 'workers')
    const budget = run.calls === null ? undefined : this.#days.get(run.calls.key)
    const daily = budget === undefined || run.calls === null ? null : { budget, calls: run.calls.count }
    return { minutes, durationMs, isPaced: pacedMs >= pacedPart * durationMs, shares, daily }
  }

  /** The latest start from `latest` back to `earliest` at which there is room for the whole run. */
  latestStart(needs: RunNeeds, earliest: number, latest: number): number | undefined {
    let start = latest
    while (start >= earliest) {
      const before = previousStart(needs, start)
      if (before === undefined) return start
      start = before
    }
    return undefined
  }

  /** The first start from `earliest` on at which there is room. There always is after the last promised time. */
  earliestStart(needs: RunNeeds, earliest: number): number {
    let start = earliest
    for (let after = nextStart(needs, start); after !== undefined && start < this.#end; after = nextStart(needs, start))
      start = after
    return start
  }

  exceedsAllowance({ daily, minutes }: RunNeeds, start: number): boolean {
    return daily?.budget.firstConflict(start, minutes, daily.calls) !== undefined
  }

  /** The calls of the key do not suffice for all of its runs. */
  isScarce({ calls }: PromisedRun): boolean {
    return calls !== null && this.#scarce.has(calls.key)
  }

  /** The resource that alone leaves no room, or else the last one of several that do together. */
  obstacleTo(needs: RunNeeds, earliest: number, latest: number): PlanObstacle {
    if (needs.daily !== null && this.latestStart({ ...needs, shares: [] }, earliest, latest) === undefined)
      return 'allowance'
    const alone = needs.shares.find(
      (share) => this.latestStart({ ...needs, shares: [share], daily: null }, earliest, latest) === undefined,
    )
    return alone?.obstacle ?? needs.shares.at(-1)?.obstacle ?? 'workers'
  }

  reserve({ shares, minutes, daily }: RunNeeds, start: number): void {
    for (const { timeline, amount } of shares) timeline.reserve(start, minutes, amount)
    daily?.budget.reserve(start, minutes, daily.calls)
  }

  #pacedMs({ calls }: PromisedRun): number {
    const rate = calls === null ? null : this.#request.limits.sources.get(calls.key)?.callsPerMinute
    return calls === null || rate == null ? 0 : (calls.count / rate) * minuteMs
  }

  #openOrganisations(): void {
    const others = countReserved(this.#request.reserved, ({ organisationId }) => organisationId)
    for (const [organisationId, runs] of groupPromises(this.#request.promises, (run) => run.organisationId)) {
      const share = this.#request.limits.runsOf(organisationId)
      if (runs.length + (others.get(organisationId) ?? 0) <= share) continue
      const { from, to } = findSpan(runs)
      this.#organisations.set(organisationId, new Timeline(from, to, share))
    }
  }

  #openSources(): void {
    const others = countReserved(this.#request.reserved, ({ calls }) => calls?.key ?? null)
    for (const [key, runs] of groupPromises(this.#request.promises, (run) => run.calls?.key ?? null)) {
      const { callsPerMinute = null, callsLeftOn = null } = this.#request.limits.sources.get(key) ?? {}
      const { from, to } = findSpan(runs)
      if (callsPerMinute !== null && runs.length + (others.get(key) ?? 0) > 1)
        this.#rates.set(key, new Timeline(from, to, callsPerMinute))
      if (callsLeftOn === null) continue
      this.#days.set(key, new DailyBudget(callsLeftOn))
      const wanted = runs.reduce((sum, { calls }) => sum + (calls?.count ?? 0), 0)
      if (wanted > callsLeftOn(Math.floor(to / minutesPerDay))) this.#scarce.add(key)
    }
  }

  #reserveRuns({ startAt, endAt, runs, organisationId, calls, isOnlyOfShare }: ReservedRuns): void {
    const start = Math.floor(startAt / minuteMs)
    const minutes = Math.max(1, Math.ceil((endAt - startAt) / minuteMs))
    const part = Math.min(1, Math.max(1, endAt - startAt) / minuteMs)
    if (isOnlyOfShare !== true) this.#workers.reserve(start, minutes, runs * part)
    if (organisationId !== null) this.#organisations.get(organisationId)?.reserve(start, minutes, runs * part)
    if (calls === null) return
    this.#rates.get(calls.key)?.reserve(start, minutes, (runs * calls.count) / minutes)
    this.#days.get(calls.key)?.reserve(start, minutes, runs * calls.count)
  }
}

function groupPromises(
  promises: readonly PromisedRun[],
  keyOf: (run: PromisedRun) => string | null,
): Map<string, PromisedRun[]> {
  const groups = new Map<string, PromisedRun[]>()
  for (const run of promises) {
    const key = keyOf(run)
    if (key === null) continue
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [run])
    else group.push(run)
  }
  return groups
}

function countReserved(
  reserved: readonly ReservedRuns[],
  keyOf: (runs: ReservedRuns) => string | null,
): Map<string, number> {
  const counts = new Map<string, number>()
  for (const runs of reserved) {
    const key = keyOf(runs)
    if (key !== null) counts.set(key, (counts.get(key) ?? 0) + runs.runs)
  }
  return counts
}

/** The minutes in which the runs can take place. */
function findSpan(promises: readonly PromisedRun[]): { readonly from: number; readonly to: number } {
  const from = promises.reduce((first, run) => Math.min(first, run.earliestAt), Infinity)
  const to = promises.reduce((last, run) => Math.max(last, run.dueAt, run.earliestAt + run.durationMs), from)
  return { from: Math.floor(from / minuteMs), to: Math.ceil(to / minuteMs) + 1 }
}

/** A run is paced by its source if the calls alone take this part of its time. */
const pacedPart = 0.8

/** The calls of a key by day. A run that spans midnight counts for both days, because it is not known when it makes its calls. */
class DailyBudget {
  readonly #left: (day: number) => number
  readonly #reserved = new Map<number, number>()

  constructor(left: (day: number) => number) {
    this.#left = left
  }

  reserve(start: number, minutes: number, calls: number): void {
    for (const day of daysOf(start, minutes)) this.#reserved.set(day, (this.#reserved.get(day) ?? 0) + calls)
  }

  /** The first day whose calls do not suffice, or undefined. */
  firstConflict(start: number, minutes: number, calls: number): number | undefined {
    return daysOf(start, minutes).find((day) => (this.#reserved.get(day) ?? 0) + calls > this.#left(day))
  }
}

function daysOf(start: number, minutes: number): number[] {
  const first = Math.floor(start / minutesPerDay)
  const last = Math.floor((start + minutes - 1) / minutesPerDay)
  return Array.from({ length: last - first + 1 }, (_, at) => first + at)
}

/** The latest start before this one that avoids what conflicts with it; undefined if nothing does. */
function previousStart({ shares, minutes, daily }: RunNeeds, start: number): number | undefined {
  const day = daily?.budget.firstConflict(start, minutes, daily.calls)
  if (day !== undefined) return day * minutesPerDay - minutes
  let first: number | undefined
  for (const { timeline, amount } of shares) {
    const conflict = timeline.firstConflict(start, minutes, amount)
    if (conflict !== undefined) first = Math.min(first ?? conflict, conflict)
  }
  return first === undefined ? undefined : first - minutes
}

/** The first start after this one that avoids what conflicts with it now; undefined if nothing does. */
function nextStart({ shares, minutes, daily }: RunNeeds, start: number): number | undefined {
  const day = daily?.budget.firstConflict(start, minutes, daily.calls)
  if (day !== undefined) return (day + 1) * minutesPerDay
  let last: number | undefined
  for (const { timeline, amount } of shares) {
    const conflict = timeline.firstConflict(start, minutes, amount)
    if (conflict !== undefined) last = Math.max(last ?? conflict, conflict)
  }
  return last === undefined ? undefined : last + 1
}
