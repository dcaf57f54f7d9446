/** The histories that one writer keeps: which there are, and those of the streams that it has prepared. */
import { Fault } from '../../../ports/faults.ts'
import type { Stream } from '../../../ports/source.ts'
import type { HistoryTrim, TableHistory } from '../../../ports/history.ts'
import type { WriterSession } from '../dialect.ts'
import type { StreamTables } from '../table-layout.ts'
import { trimHistory } from './change-history.ts'
import { type CutOff, fixCutOff } from './cut-off.ts'
import type { HistoryTable, StoredHistory, StreamHistory } from './history-table.ts'
import { endHistory, listHistories, prepareHistory } from './prepare-history.ts'

interface HistoryToPrepare {
  readonly stream: Stream
  readonly tables: StreamTables
  /** Absent: as before. */
  readonly history: 'on' | 'off' | undefined
}

export class Histories {
  readonly #now: () => number
  readonly #prepared = new Map<string, StreamHistory>()
  #stored: readonly StoredHistory[] = []
  /** Fixed once, by the first of the streams that are prepared concurrently. */
  #cutOff: Promise<CutOff> | null = null

  /** @param now milliseconds since 1970 */
  constructor(now: () => number) {
    this.#now = now
  }

  /** Called once the writer has its fencing token. */
  async read(context: WriterSession): Promise<void> {
    this.#stored = await listHistories(context)
    this.#cutOff = null
  }

  /** Called once tables of the stream have other names. */
  async readRenamed(context: WriterSession, stream: string): Promise<void> {
    if (this.#stored.some((each) => each.stream === stream)) this.#stored = await listHistories(context)
  }

  async cutOff(context: WriterSession): Promise<string> {
    return (await this.#fixCutOff(context)).moment
  }

  #fixCutOff(context: WriterSession): Promise<CutOff> {
    this.#cutOff ??= fixCutOff(context, this.#now()).catch((error: unknown) => {
      this.#cutOff = null
      throw error
    })
    return this.#cutOff
  }

  async prepare(context: WriterSession, { stream, tables, history }: HistoryToPrepare): Promise<void> {
    const current = this.#stored.filter((each) => each.stream === stream.name && each.endedAt === null)
    this.#prepared.delete(stream.name)
    if (history === 'off') {
      if (current.length > 0) await endHistory(context, current, await this.cutOff(context))
      return
    }
    if (history === undefined && current.length === 0) return
    const cutOff = await this.#fixCutOff(context)
    this.#prepared.set(stream.name, await prepareHistory(context, { stream, tables, cutOff }, this.#stored))
  }

  async trim(context: WriterSession, stream: string, trim: HistoryTrim): Promise<number> {
    const history = this.of(stream)
    if (history === null) return 0
    const removed = await trimHistory(context, history.tables, trim)
    if (removed === 0) return 0
    this.#stored = await listHistories(context)
    const sinceOf = ({ of, since }: HistoryTable) => this.#stored.find(({ table }) => table === of.name)?.since ?? since
    const tables = history.tables.map((table) => ({ ...table, since: sinceOf(table) }))
    this.#prepared.set(stream, { ...history, tables })
    return removed
  }

  /** Null where no history is kept. */
  of(stream: string): StreamHistory | null {
    return this.#prepared.get(stream) ?? null
  }

  list(stream: string): readonly TableHistory[] {
    return (this.of(stream)?.tables ?? []).map(({ of, name, since }) => ({ table: of.name, name, since }))
  }

  /** Of these streams' tables. Throws a `settings` Fault if one has none. */
  ofTables(streams: Iterable<StreamTables>): readonly HistoryTable[] {
    return [...streams].flatMap((tables) => tables.map(({ table }) => this.find(table.name)))
  }

  /** @param name of `Stream.table` or of a child */
  find(name: string): HistoryTable {
    for (const { tables } of this.#prepared.values()) {
      const found = tables.find(({ of }) => of.table.name === name)
      if (found !== undefined) return found
    }
    throw new Fault('settings', {
      code: 'engine.no_history',
      notice: `No history is kept of the table ‘${name}’, so its former rows are not known. Switch its history on; it begins with the next run.`,
    })
  }
}
