/** A connector from a simulated API to rows in memory: reads as runs do, with kills, and compares every row. */
import { Fault } from '../../../ports/faults.ts'
import type { OpenSource, Stream } from '../../../ports/source.ts'
import { eachRow, decodeRow } from '../../../encoding/copy-text.ts'
import type { RestDescription } from '../../described/description/schema.ts'
import { describedSource } from '../../described/source.ts'
import { startSimulatedApi, type SimulatedApi } from '../simulator/simulated-api.ts'
import { expectedRows, SimulatedRecords } from '../simulator/simulated-records.ts'
import { anyJson } from '../simulator/simulated-values.ts'
import { loopbackNetwork } from './loopback-network.ts'
import { type SimulatedClock, simulatedClock } from './simulated-clock.ts'
import { StoredRows } from './stored-rows.ts'

export interface SimulationOptions {
  readonly description: RestDescription
  readonly stream: string
  readonly seed: number
  readonly lateMs: number
  readonly ties: boolean
  readonly moves: number
  readonly deletes: boolean
  readonly faults: number
  readonly signal: AbortSignal
}

const recordsAtFirst = 40
const dayMs = 86_400_000
/** A list that changes while it is read can refuse a read, as a run is repeated then. */
const attemptsMax = 6

export class Simulation implements AsyncDisposable {
  readonly records: SimulatedRecords
  readonly clock: SimulatedClock
  /** Batches of the last read. */
  batches = 0
  kills = 0
  readonly #options: SimulationOptions
  readonly #description: RestDescription
  readonly #values: Readonly<Record<string, string>>
  readonly #api: SimulatedApi
  #stored: StoredRows | null = null

  private constructor(options: SimulationOptions, parts: SimulatedParts) {
    this.#options = options
    this.records = parts.records
    this.clock = parts.clock
    this.#description = parts.description
    this.#values = parts.values
    this.#api = parts.api
  }

  static async start(options: SimulationOptions): Promise<Simulation> {
    const description = simulatedDescription(options.description)
    const stream = description.streams[options.stream]
    if (stream === undefined) throw new Error(`There is no stream ${options.stream}.`)
    const clock = simulatedClock(startOf(description, options.stream))
    const { seed, lateMs, ties, moves, faults, deletes } = options
    const records = new SimulatedRecords({ description, stream, now: () => clock.now(), seed, lateMs, ties })
    records.add(recordsAtFirst)
    clock.advance(3_600_000)
    const values = valuesOf(description)
    const api = await startSimulatedApi({
      description,
      stream,
      records,
      values,
      now: () => clock.now(),
      moves,
      movesDelete: deletes,
      faults,
    })
    return new Simulation(options, { description, records, clock, values, api })
  }

  /** One run. @param killAfter the process ends after so many batches, and another one continues */
  async run(killAfter: number | null = null): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        if (killAfter !== null && (await this.#read(killAfter)) === 'killed') this.kills += 1
        await this.#read(null)
        return
      } catch (error) {
        this.#options.signal.throwIfAborted()
        this.#stored?.kill()
        const mayRepeat = error instanceof Fault && (error.kind === 'passing' || error.kind === 'busy')
        if (!mayRepeat || attempt >= attemptsMax) throw error
      }
    }
  }

  /** A last run while nothing changes. @returns the first difference between rows and records; null if they are equal */
  async difference(): Promise<string | null> {
    this.#api.calm()
    this.clock.advance(dayMs + 3_600_000)
    await this.run()
    const described = this.#description.streams[this.#options.stream]
    if (described === undefined || this.#stored === null) return 'Nothing was read.'
    const expected = expectedRows(this.#description, { name: this.#options.stream, described }, this.records.present())
    for (const [table, rows] of expected) {
      const found = differenceOf(table, rows, this.#comparable(table))
      if (found !== null) return found
    }
    return null
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#api[Symbol.asyncDispose]()
  }

  async #read(killAfter: number | null): Promise<'killed' | 'done'> {
    await using source = await this.#open()
    const stream = (await source.streams()).find(({ name }) => name === this.#options.stream)
    if (stream === undefined) throw new Error(`There is no stream ${this.#options.stream}.`)
    const isWhole = stream.reads === 'whole'
    const stored = this.#stored === null || isWhole ? new StoredRows(stream) : this.#stored
    const request = { since: stored.checkpoint, encoding: 'text', log: () => undefined } as const
    let batches = 0
    for await (const batch of source.read(stream, request)) {
      this.#options.signal.throwIfAborted()
      stored.add(batch)
      batches += 1
      if (batches !== killAfter) continue
      stored.kill()
      // Of a replacement that was killed, nothing is kept.
      if (!isWhole) this.#stored = stored
      return 'killed'
    }
    stored.endRead()
    this.#stored = stored
    this.batches = batches
    if (!isWhole && stream.keyComparison === 'daily') await compareKeys(source, stream, stored)
    return 'done'
  }

  #open(): Promise<OpenSource> {
    const settings = { values: this.#values, lists: {}, base: this.#api.base }
    return describedSource(this.#description).open(settings, {
      network: loopbackNetwork(this.#api.port),
      clock: this.clock,
      signal: this.#options.signal,
    })
  }

  /** JSON may be spelt differently, so only whether there is some is compared. */
  #comparable(table: string): readonly string[] {
    const described = this.#description.streams[this.#options.stream]
    const { columns = {}, children = {}, rest } = described ?? {}
    const typesBehind = Object.values(children[table]?.columns ?? columns).map((column) =>
      typeof column === 'string' ? column : column.type,
    )
    const isMain = children[table] === undefined
    return (this.#stored?.rows(table) ?? []).map((row) => {
      const before = isMain ? 0 : row.length - typesBehind.length
      const texts = row.map((value, index) =>
        value !== null && typesBehind[index - before] === 'json' ? anyJson : value,
      )
      return JSON.stringify(isMain && rest !== undefined ? [...texts.slice(0, -1), anyJson] : texts)
    })
  }
}

interface SimulatedParts {
  readonly description: RestDescription
  readonly records: SimulatedRecords
  readonly clock: SimulatedClock
  readonly values: Readonly<Record<string, string>>
  readonly api: SimulatedApi
}

/** As a run does: keys that the source no longer has are deleted, and those that only it has are read. */
async function compareKeys(source: OpenSource, stream: Stream, stored: StoredRows): Promise<void> {
  if (source.keys === undefined || stream.table.key.length === 0) return
  const present = new Map<string, string>()
  for await (const { bytes } of source.keys(stream))
    for (const line of eachRow(bytes)) present.set(JSON.stringify(decodeRow(line.slice(0, -1))), line)
  const known = stored.keys()
  stored.deleteKeys([...known.keys()].filter((key) => !present.has(key)))
  const missing = [...present].filter(([key]) => !known.has(key)).map(([, line]) => line)
  if (missing.length === 0 || source.readByKey === undefined) return
  const request = { encoding: 'text', log: () => undefined } as const
  for await (const batch of source.readByKey(stream, Buffer.from(missing.join(''), 'utf8'), request)) stored.add(batch)
  stored.endRead()
}

function differenceOf(table: string, expected: readonly string[], found: readonly string[]): string | null {
  const missing = withoutThose(expected, found)
  const surplus = withoutThose(found, expected)
  if (missing.length === 0 && surplus.length === 0) return null
  const shown = [missing[0], surplus[0]].map((row) => row?.slice(0, 300).toWellFormed() ?? 'nothing')
  return `${table}: ${missing.length} rows are missing and ${surplus.length} are wrong or too many, such as ${shown.join(' instead of ')}`
}

function withoutThose(rows: readonly string[], others: readonly string[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const row of others) counts.set(row, (counts.get(row) ?? 0) + 1)
  return rows.filter((row) => {
    const left = counts.get(row) ?? 0
    counts.set(row, left - 1)
    return left <= 0
  })
}

const token = 'simulatedToken'

/** People cannot sign in at a simulation, and it need not be paced. */
function simulatedDescription(description: RestDescription): RestDescription {
  const withoutPeople =
    description.signIn.kind !== 'oauthCode' && description.signIn.kind !== 'oauthClient'
      ? {}
      : {
          signIn: { kind: 'bearer', token } as const,
          settings: { ...description.settings, [token]: { label: 'Token', kind: 'secret', required: true } as const },
        }
  return { ...description, ...withoutPeople, pace: { calls: 100_000, seconds: 1, pauses: [1] } }
}

function valuesOf({ settings }: RestDescription): Readonly<Record<string, string>> {
  const names = Object.entries(settings).filter(([, { kind }]) => kind !== 'list')
  return Object.fromEntries([
    ...names.map(([name]) => [name, `simulated-${name}`] as const),
    ['company', 'simulated-company'],
  ])
}

/** Windows begin on a day of the description. */
function startOf({ streams }: RestDescription, name: string): number {
  const changes = streams[name]?.changes
  const standard = Date.parse('2026-06-01T09:00:00Z')
  return changes?.kind === 'windows' ? Math.max(standard, Date.parse(changes.start) + 90 * dayMs) : standard
}
