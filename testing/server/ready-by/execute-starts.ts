/**
 * Executes planned starts in simulated time: workers with a fixed number of concurrent runs, the share of each organisation, and
 * sources that delay calls above their limit.
 */
import type { PlannedStart, StartLimits } from '../../../server/src/connections/ready-by/planned-start.ts'
import type { SimulatedRun } from './simulated-wishes.ts'

export interface ExecutedStarts {
  /** When each run was over, in the order of the runs. Infinity: not in time, and not followed further. */
  readonly endedAt: readonly number[]
  /** The most of the limit of a key that was used in a minute, and in a day. */
  readonly mostOfMinute: number
  readonly mostOfDay: number
  /** The most runs at once. */
  readonly mostRuns: number
}

const tickMs = 10_000
const ticksPerMinute = 6

interface ActiveRun {
  readonly at: number
  readonly run: SimulatedRun
  workLeftMs: number
  callsLeft: number
}

/** Ends when all runs are over. Runs with one key share the calls that its source allows. */
export function executeStarts(
  runs: readonly SimulatedRun[],
  plan: readonly PlannedStart[],
  limits: StartLimits,
): ExecutedStarts {
  const endedAt = runs.map(() => Infinity)
  const usage = new SourceUsage(limits)
  const waiting = listStarts(runs, plan)
  const slots = new RunSlots(limits)
  let queue: WaitingStart[] = []
  let next = 0
  let now = alignToTick(waiting[0]?.startAt)
  while (next < waiting.length || queue.length > 0 || slots.active.length > 0) {
    for (let first = waiting[next]; first !== undefined && first.startAt <= now; first = waiting[next]) {
      queue.push(first)
      next += 1
    }
    queue = queue.filter((start) => !slots.begin(start))
    usage.beginTick(now, slots.active)
    for (const { at, workLeftMs, run } of slots.work(usage))
      endedAt[at] = now + tickMs + workLeftMs / usage.speedOf(run)
    const isBusy = slots.active.length + queue.length > 0
    now = isBusy ? now + tickMs : Math.max(now + tickMs, alignToTick(waiting[next]?.startAt))
  }
  return { endedAt, mostOfMinute: usage.mostOfMinute, mostOfDay: usage.mostOfDay, mostRuns: slots.mostRuns }
}

interface WaitingStart {
  readonly at: number
  readonly startAt: number
  readonly run: SimulatedRun
}

function listStarts(runs: readonly SimulatedRun[], plan: readonly PlannedStart[]): WaitingStart[] {
  return runs
    .flatMap((run, at) => {
      const start = plan[at]
      // Runs stop at the allowance of a day, and continue on the next one.
      return start === undefined || start.obstacle === 'allowance' ? [] : [{ at, run, startAt: start.startAt }]
    })
    .toSorted((one, other) => one.startAt - other.startAt)
}

/** The runs that workers execute, within their number and the share of each organisation. */
class RunSlots {
  active: ActiveRun[] = []
  mostRuns = 0
  readonly #limits: StartLimits
  readonly #ofOrganisation = new Map<string, number>()

  constructor(limits: StartLimits) {
    this.#limits = limits
  }

  /** False if there is no free slot. */
  begin({ at, run }: WaitingStart): boolean {
    const { organisationId, calls } = run.promise
    const running = this.#ofOrganisation.get(organisationId) ?? 0
    if (this.active.length >= this.#limits.concurrentRuns || running >= this.#limits.runsOf(organisationId))
      return false
    this.#ofOrganisation.set(organisationId, running + 1)
    this.active.push({ at, run, workLeftMs: run.takesMs, callsLeft: calls?.count ?? 0 })
    this.mostRuns = Math.max(this.mostRuns, this.active.length)
    return true
  }

  /** Returns the runs that have ended in this tick. */
  work(usage: SourceUsage): readonly ActiveRun[] {
    for (const one of this.active) {
      const speed = usage.speedOf(one.run)
      one.workLeftMs -= tickMs * speed
      one.callsLeft -= callsPerTick(one.run) * speed
    }
    const ended = this.active.filter(({ workLeftMs }) => workLeftMs <= 0)
    for (const { run } of ended) {
      const { organisationId } = run.promise
      this.#ofOrganisation.set(organisationId, (this.#ofOrganisation.get(organisationId) ?? 1) - 1)
    }
    this.active = this.active.filter(({ workLeftMs }) => workLeftMs > 0)
    return ended
  }
}

function alignToTick(at: number | undefined): number {
  return at === undefined ? 0 : Math.floor(at / tickMs) * tickMs
}

/** The calls of each key. Runs share what a source allows in a minute; each call above it waits. */
class SourceUsage {
  mostOfMinute = 0
  mostOfDay = 0
  readonly #limits: StartLimits
  readonly #days = new Map<string, number>()
  #minutes = new Map<string, number>()
  #minute = -1
  #wanted = new Map<string, number>()

  constructor(limits: StartLimits) {
    this.#limits = limits
  }

  beginTick(now: number, active: readonly ActiveRun[]): void {
    if (Math.floor(now / 60_000) !== this.#minute) {
      this.#minute = Math.floor(now / 60_000)
      this.#minutes = new Map()
    }
    this.#wanted = new Map()
    for (const one of active) {
      const { calls } = one.run.promise
      if (calls === null) continue
      const wanted = Math.max(0, Math.min(one.callsLeft, callsPerTick(one.run)))
      this.#wanted.set(calls.key, (this.#wanted.get(calls.key) ?? 0) + wanted)
    }
    for (const [key, wanted] of this.#wanted) this.#count(key, wanted, Math.floor(now / 86_400_000))
  }

  /** Of the run's own speed. */
  speedOf({ promise: { calls } }: SimulatedRun): number {
    const limit = calls === null ? null : this.#limits.sources.get(calls.key)?.callsPerMinute
    const wanted = calls === null ? 0 : (this.#wanted.get(calls.key) ?? 0)
    return limit == null || wanted === 0 ? 1 : Math.min(1, limit / ticksPerMinute / wanted)
  }

  #count(key: string, wanted: number, day: number): void {
    const { callsPerMinute = null, callsLeftOn = null } = this.#limits.sources.get(key) ?? {}
    const sent = callsPerMinute === null ? wanted : Math.min(wanted, callsPerMinute / ticksPerMinute)
    const [ofMinute, ofDay] = [(this.#minutes.get(key) ?? 0) + sent, (this.#days.get(`${key} ${day}`) ?? 0) + sent]
    this.#minutes.set(key, ofMinute)
    this.#days.set(`${key} ${day}`, ofDay)
    if (callsPerMinute !== null) this.mostOfMinute = Math.max(this.mostOfMinute, ofMinute / callsPerMinute)
    if (callsLeftOn !== null) this.mostOfDay = Math.max(this.mostOfDay, ofDay / callsLeftOn(day))
  }
}

/** A run makes its calls evenly over its time. */
function callsPerTick({ promise: { calls }, takesMs }: SimulatedRun): number {
  return ((calls?.count ?? 0) * tickMs) / Math.max(takesMs, tickMs)
}
