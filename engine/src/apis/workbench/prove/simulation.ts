/** A connector from a simulated API to rows in memory: reads as runs do, with kills, and compares every row. */
import { Fault } from '../../../ports/faults.ts'
import type { OpenSource, Stream } from '../../../ports/source.ts'
import { decodeRows } from '../../../encoding/copy-text.ts'
import type { SourceDescription } from '../../described/description/source-description.ts'
import { describedSource } from '../../described/source.ts'
import { startSimulatedApi, type SimulatedApi } from '../simulator/simulated-api.ts'
import { anyJson } from '../simulator/simulated-values.ts'
import { readUntilKilled } from './killed-process.ts'
import { loopbackNetwork } from './loopback-network.ts'
import { simulateOData } from './simulate-odata.ts'
import { simulateRest } from './simulate-rest.ts'
import { settingsOf, type SimulatedSource } from './simulated-source.ts'
import type { SimulatedClock } from './simulated-clock.ts'
import { StoredRows } from './stored-rows.ts'

export interface SimulationOptions {
  readonly description: SourceDescription
  readonly stream: string
  readonly seed: number
  readonly lateMs: number
  readonly ties: boolean
  readonly moves: number
  readonly deletes: boolean
  readonly faults: number
  readonly signal: AbortSignal
}

const dayMs = 86_400_000
/** A list that changes while it is read can refuse a read, as a run is repeated then. */
const attemptsMax = 6

export class Simulation implements AsyncDisposable {
  kills = 0
  readonly #options: SimulationOptions
  readonly #source: SimulatedSource
  readonly #api: SimulatedApi
  #stored: StoredRows | null = null

  private constructor(options: SimulationOptions, source: SimulatedSource, api: SimulatedApi) {
    this.#options = options
    this.#source = source
    this.#api = api
  }

  static async start(options: SimulationOptions): Promise<Simulation> {
    const { description } = options
    const source =
      description.engine === 'odata'
        ? simulateOData({ ...options, description })
        : simulateRest({ ...options, description })
    source.clock.advance(3_600_000)
    const { moves, faults } = options
    const api = await startSimulatedApi({ service: source.service, now: () => source.clock.now(), moves, faults })
    return new Simulation(options, source, api)
  }

  get clock(): SimulatedClock {
    return this.#source.clock
  }

  /** Records that the API has now. */
  get count(): number {
    return this.#source.count()
  }

  trade(times: number): void {
    this.#source.service.trade(times)
  }

  /** One run. @param dieAfter a process reads and is killed after so many batches; this one continues */
  async run(dieAfter: number | null = null): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await this.#read(dieAfter)
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
    if (this.#stored === null) return 'Nothing was read.'
    const expected = this.#source.expected(this.#stored.stream)
    for (const [table, rows] of expected) {
      const found = differenceOf(table, rows, this.#comparable(this.#stored, table))
      if (found !== null) return found
    }
    return null
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#api[Symbol.asyncDispose]()
  }

  async #read(dieAfter: number | null): Promise<void> {
    await using source = await this.#open()
    const stream = (await source.streams()).find(({ name }) => name === this.#options.stream)
    if (stream === undefined) throw new Error(`There is no stream ${this.#options.stream}.`)
    const isWhole = stream.reads === 'whole'
    let stored = this.#stored === null || isWhole ? new StoredRows(stream) : this.#stored
    if (dieAfter !== null) await this.#readUntilKilled(stored, dieAfter)
    // Of a replacement that was killed, nothing is kept.
    if (dieAfter !== null && isWhole) stored = new StoredRows(stream)
    await this.#readHere(source, stored)
    stored.endRead()
    this.#stored = stored
    if (!isWhole && stream.keyComparison === 'daily') await deleteMissingKeys(source, stream, stored)
  }

  async #readHere(source: OpenSource, stored: StoredRows): Promise<void> {
    const request = { since: stored.checkpoint, encoding: 'text', log: () => undefined } as const
    for await (const batch of source.read(stored.stream, request)) {
      this.#options.signal.throwIfAborted()
      stored.add(batch)
    }
  }

  /** What the process has stored is all that is left of it. */
  async #readUntilKilled(stored: StoredRows, dieAfter: number): Promise<void> {
    const { description, clock } = this.#source
    const { transactions, wasKilled } = await readUntilKilled({
      description,
      stream: this.#options.stream,
      base: this.#api.base.href,
      port: this.#api.port,
      now: clock.now(),
      since: stored.checkpoint,
      dieAfter,
      signal: this.#options.signal,
    })
    if (wasKilled) this.kills += 1
    for (const transaction of transactions) stored.addTransaction(transaction)
  }

  #open(): Promise<OpenSource> {
    const { description, clock } = this.#source
    return describedSource(description).open(settingsOf(description, this.#api.base), {
      network: loopbackNetwork(this.#api.port),
      clock,
      signal: this.#options.signal,
    })
  }

  /** JSON may be spelt differently, so only whether there is some is compared. */
  #comparable(stored: StoredRows, name: string): readonly string[] {
    const { stream } = stored
    const table = [stream.table, ...stream.children].find((one) => one.name === name)
    const kinds = (table?.columns ?? []).map((column) =>
      column.name === this.#source.restColumn ? 'rest' : column.type.kind,
    )
    return stored
      .rows(name)
      .map((row) =>
        JSON.stringify(
          row.map((value, index) =>
            kinds[index] === 'rest' || (value !== null && kinds[index] === 'json') ? anyJson : value,
          ),
        ),
      )
  }
}

/**
 * Keys that the source no longer has are deleted, as in runs. A run would also read the rows of keys that only the source has: here they stay missing,
 * because no read may depend on that.
 */
async function deleteMissingKeys(source: OpenSource, stream: Stream, stored: StoredRows): Promise<void> {
  if (source.keys === undefined || stream.table.key.length === 0) return
  const present = new Set<string>()
  for await (const { bytes } of source.keys(stream))
    for (const key of decodeRows(bytes)) present.add(JSON.stringify(key))
  stored.deleteKeys([...stored.keys().keys()].filter((key) => !present.has(key)))
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
