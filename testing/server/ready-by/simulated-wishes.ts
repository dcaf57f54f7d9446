/**
 * Organisations that want their rows by a time of the morning: how long their runs took so far and will take today, and which keys of
 * sources their connectors share.
 */
import type { PromisedRun, SourceLimit } from '../../../server/src/connections/ready-by/planned-start.ts'
import { type RandomSource, seededRandom } from './random.ts'

export interface SimulatedRun {
  /** As the planner knows it, from twenty former runs. */
  readonly promise: PromisedRun
  /** How long the run takes today if it waits for nothing. */
  readonly takesMs: number
}

export interface SimulatedWishes {
  readonly runs: readonly SimulatedRun[]
  readonly sources: ReadonlyMap<string, SourceLimit>
  /** Runs that the workers execute at once. */
  readonly concurrentRuns: number
}

export interface WishOptions {
  readonly organisations: number
  /** The part of the workers that is used in the busiest half hour. Above 1 there are too few. */
  readonly load: number
  readonly seed?: number
}

const hourMs = 3_600_000
export const simulatedDay = Date.UTC(2026, 10, 30)

export function simulateWishes({ organisations, load, seed = 1 }: WishOptions): SimulatedWishes {
  const random = seededRandom(seed)
  const shared = new SharedKeys(random)
  const runs: SimulatedRun[] = []
  for (let at = 0; at < organisations; at += 1) {
    const organisationId = `organisation ${at}`
    const dueAt = simulatedDay + random.pick(offsets) * hourMs + random.pick(clockTimes) * hourMs
    const connectors = random.pick(connectorCounts)
    for (let of = 0; of < connectors; of += 1)
      runs.push(simulateRun({ id: `${organisationId}, connector ${of}`, organisationId, dueAt }, random, shared))
  }
  return { runs, sources: shared.limits, concurrentRuns: Math.ceil(mostDemand(runs) / load) }
}

/** How far behind UTC, or ahead of it if negative, the clocks of organisations are: Europe, America, Asia and the Pacific. */
const offsets = [
  [30, 0],
  [30, -1],
  [10, -2],
  [10, 5],
  [8, 8],
  [4, -8],
  [8, -13],
] as const
const clockTimes = [
  [15, 6],
  [60, 7.5],
  [15, 8],
  [10, 9],
] as const
const connectorCounts = [
  [78, 1],
  [12, 2],
  [6, 3],
  [3, 6],
  [1, 12],
] as const
const maxAgeMs = 4 * hourMs

/** The runs at once in the busiest half hour, if each run is spread over the hours in which it can take place. */
function mostDemand(runs: readonly SimulatedRun[]): number {
  const demand = new Map<number, number>()
  for (const { promise } of runs) {
    const part = Math.min(1, promise.durationMs / maxAgeMs)
    for (let at = promise.earliestAt; at < promise.dueAt; at += hourMs / 2) demand.set(at, (demand.get(at) ?? 0) + part)
  }
  return Math.max(...demand.values())
}

type SimulatedConnector = Pick<PromisedRun, 'dueAt' | 'id' | 'organisationId'>

function simulateRun(connector: SimulatedConnector, random: RandomSource, shared: SharedKeys): SimulatedRun {
  const medianMs = 1_000 * Math.exp(Math.log(75) + 1.2 * random.normal())
  const spread = 0.1 + 0.25 * random.next()
  const draw = () => drawDuration({ medianMs, spread }, random)
  const former = Array.from({ length: 20 }, draw).toSorted((one, other) => one - other)
  const durationMs = former[18] ?? medianMs
  const calls = shared.callsOf(medianMs)
  const promise = { ...connector, earliestAt: connector.dueAt - maxAgeMs, durationMs, calls }
  return { promise, takesMs: draw() }
}

interface DurationShape {
  readonly medianMs: number
  readonly spread: number
}

/** One run of two hundred takes two and a half times as long, because of a slow source or network. */
function drawDuration({ medianMs, spread }: DurationShape, random: RandomSource): number {
  const usual = medianMs * Math.exp(spread * random.normal())
  return random.next() < 1 / 200 ? usual * 2.5 : usual
}

const callsPerMinute = 60
const callsPerDay = 5_000

/** A tenth of the connectors share a key with others, as the clients of one accountant do. Some keys allow less than their runs need. */
class SharedKeys {
  readonly limits = new Map<string, SourceLimit>()
  readonly #random: RandomSource
  #current = { key: '', free: 0 }
  #count = 0

  constructor(random: RandomSource) {
    this.#random = random
  }

  callsOf(medianMs: number): PromisedRun['calls'] {
    const kind = this.#random.next()
    if (kind > 0.6) return null
    const count = Math.max(1, Math.round((medianMs / 60_000) * callsPerMinute * (0.2 + 0.5 * this.#random.next())))
    if (kind > 0.1) return { key: this.#open(), count }
    if (this.#current.free === 0) this.#current = { key: this.#open(), free: this.#random.pick(sharers) }
    this.#current.free -= 1
    return { key: this.#current.key, count }
  }

  #open(): string {
    this.#count += 1
    const key = `key ${this.#count}`
    this.limits.set(key, { callsPerMinute, callsLeftOn: this.#count % 2 === 0 ? () => callsPerDay : null })
    return key
  }
}

const sharers = [
  [50, 3],
  [30, 10],
  [15, 40],
  [5, 150],
] as const
