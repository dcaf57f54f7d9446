/** One stream being loaded: rows into staging, then one transaction for each commit. */
import { added, nothing } from '../../sql-target/row-counts.ts'
import type { Batch, Checkpoint } from '../../../ports/model.ts'
import { Rejects } from '../../sql-target/rejected-rows.ts'
import type { Stream } from '../../../ports/source.ts'
import type { SqlConnection } from '../connection.ts'
import { quote } from '../quoting.ts'
import { shapeOf } from '../../sql-target/table-layout.ts'
import type { StateKey, StoredState } from '../../sql-target/stored-state.ts'
import type { Counts, Load, RejectedRow, Writer } from '../../../ports/target.ts'
import { takingTurns } from '../../sql-target/mutex.ts'
import type { UnknownValues } from '../../../encoding/unsupported-values.ts'
import type { Beside } from './shadow-table.ts'
import { Lane } from './bulk-load.ts'
import {
  createStage,
  deleteByKeys,
  deleteGoneChildren,
  insertAllStatement,
  insertStatement,
  keyList,
  type Staged,
  updateStatement,
} from './merge.ts'
import { type Placement, qualified } from './tables.ts'
import { holdFence, lockStream, readState, type Records, writeRejects, writeState } from './records.ts'
import { writeFreshness } from './reports.ts'

export interface Loading {
  /** Used by this load alone, and closed by it. */
  readonly connection: SqlConnection
  readonly records: Records
  readonly writer: Writer
  readonly stream: Stream
  /** The main table first. */
  readonly placements: readonly [Placement, ...Placement[]]
  readonly unknownValues: UnknownValues
  /** When the reading began whose end `finish` is, ISO 8601. */
  readonly beganAt: string
}

export async function openLoad(loading: Loading, beside: Beside | null): Promise<Load> {
  const load = new SqlServerLoad(loading, beside)
  await load.makeStages()
  return load
}

interface Applied {
  readonly all: Counts
  /** How many rows the main table has gained. */
  readonly mainRows: number
}

interface Part {
  readonly staged: Staged
  readonly lane: Lane
  /** Rows of its table that this load has changed. */
  moved: number
}

class SqlServerLoad implements Load {
  readonly encoding = 'text'
  readonly #loading: Loading
  readonly #beside: Beside | null
  readonly #rejects: Rejects
  readonly #main: Part
  readonly #children: readonly Part[]
  /** Keys of rows that the source says are gone. */
  readonly #gone: Part | null
  readonly #takeTurn = takingTurns()
  /** Whether nothing has been written yet to tables that began empty. */
  #isEmpty: boolean

  constructor(loading: Loading, beside: Beside | null) {
    this.#loading = loading
    this.#rejects = new Rejects(loading.unknownValues)
    this.#beside = beside
    this.#isEmpty = beside?.resumed === false
    const [main, ...children] = loading.placements
    this.#main = this.#part(this.#staged(main, 0))
    this.#children = children.map((placement, at) => this.#part(this.#staged(placement, at + 1)))
    this.#gone = main.key.length === 0 ? null : this.#part(keyList(main, 'tributary_gone'))
  }

  get rejected(): readonly RejectedRow[] {
    return this.#rejects.kept
  }

  get rejectedCount(): number {
    return this.#rejects.count
  }

  get nulledCount(): number {
    return this.#rejects.nulled
  }

  get #connection(): SqlConnection {
    return this.#loading.connection
  }

  get #tables(): readonly Part[] {
    return [this.#main, ...this.#children]
  }

  #staged(placement: Placement, at: number): Staged {
    const into = this.#beside?.tables[at] ?? qualified(placement)
    const { distinct } = this.#loading.stream
    return { placement, columns: placement.columns, stage: quote(`#tributary_stage_${at}`), into, distinct }
  }

  #part(staged: Staged): Part {
    return {
      staged,
      lane: new Lane({ connection: this.#connection, staged, rejects: this.#rejects, takeTurn: this.#takeTurn }),
      moved: 0,
    }
  }

  async makeStages(): Promise<void> {
    for (const { staged } of [...this.#tables, ...(this.#gone === null ? [] : [this.#gone])]) {
      await this.#connection.run(createStage(staged))
    }
  }

  async write(batch: Batch): Promise<void> {
    const part =
      batch.deletes === true
        ? this.#gone
        : this.#tables.find(({ staged }) => staged.placement.table.name === batch.table)
    if (part === undefined || part === null)
      throw new Error(`The source gave rows for ‘${batch.table}’, which is no table of ‘${this.#loading.stream.name}’.`)
    await part.lane.write(batch.bytes)
  }

  async commit(checkpoint: Checkpoint): Promise<Counts> {
    const { writer, placements, beganAt } = this.#loading
    await this.#settleLanes()
    return await this.#transaction(async () => {
      const { all, mainRows } = await this.#apply()
      const state = await this.#state()
      const refresh = { checkpoint, runId: writer.runId, fence: writer.fence, shape: shapeOf(placements), beganAt }
      await this.#settle(
        this.#beside === null
          ? { ...state, checkpoint, refresh: null, rows: await this.#rowsAfter(state, mainRows) }
          : { ...state, refresh },
      )
      return all
    })
  }

  async finish(checkpoint: Checkpoint | null): Promise<Counts> {
    const beside = this.#beside
    await this.#settleLanes()
    const counts = await this.#transaction(async () => {
      const { all, mainRows } = await this.#apply()
      const state = await this.#state()
      if (beside === null) {
        const rows = await this.#rowsAfter(state, mainRows)
        await this.#settleEnd({ ...state, checkpoint: checkpoint ?? state.checkpoint, refresh: null, rows })
        return all
      }
      const rows = await this.#countRows()
      await beside.swap()
      await this.#settleEnd({
        checkpoint,
        refresh: null,
        rows,
        sweptAt: beside.resumed ? null : new Date(beside.now).toISOString(),
      })
      return all
    })
    await this[Symbol.asyncDispose]()
    return counts
  }

  async #settleLanes(): Promise<void> {
    for (const { lane } of this.#tables) await lane.settle()
    await this.#gone?.lane.settle()
  }

  /** Brings what is staged into its tables: what has gone first, then parents, then children. */
  async #apply(): Promise<Applied> {
    const deleted = await this.#deleteGone()
    let all: Counts = { ...nothing, deleted: deleted.all }
    for (const child of this.#children)
      all = added(all, {
        ...nothing,
        deleted: await this.#connection.run(deleteGoneChildren(child.staged, this.#main.staged)),
      })
    const merged = await this.#merge(this.#main)
    all = added(all, merged)
    this.#main.moved += deleted.main
    for (const child of this.#children) all = added(all, await this.#merge(child))
    this.#isEmpty = false
    return { all, mainRows: merged.inserted - deleted.main }
  }

  async #merge(part: Part): Promise<Counts> {
    const { staged } = part
    const update = this.#isEmpty ? null : updateStatement(staged)
    const updated = update === null ? 0 : await this.#connection.run(update)
    const inserted = await this.#connection.run(this.#isEmpty ? insertAllStatement(staged) : insertStatement(staged))
    part.moved += inserted + updated
    return { ...nothing, updated, inserted }
  }

  async #deleteGone(): Promise<{ readonly main: number; readonly all: number }> {
    const listed = this.#gone?.staged
    if (listed === undefined) return { main: 0, all: 0 }
    let all = 0
    for (const { staged } of this.#children)
      all += await this.#connection.run(deleteByKeys({ ...staged, listed, which: 'listed' }))
    const main = await this.#connection.run(deleteByKeys({ ...this.#main.staged, listed, which: 'listed' }))
    return { main, all: all + main }
  }

  /** Counted once; afterwards every commit says what it has changed. */
  async #rowsAfter(state: StoredState, gained: number): Promise<number> {
    return state.rows === null ? await this.#countRows() : state.rows + gained
  }

  async #countRows(): Promise<number> {
    const [row] = await this.#connection.rows(
      `SELECT CONVERT(varchar(20), COUNT_BIG(*)) FROM ${this.#main.staged.into}`,
    )
    return Number(row?.[0] ?? 0)
  }

  #key(): StateKey {
    return { connectorId: this.#loading.writer.connectorId, stream: this.#loading.stream.name }
  }

  #state(): Promise<StoredState> {
    return readState(this.#connection, this.#loading.records, this.#key())
  }

  async #settleEnd(state: Omit<StoredState, 'finishedRun' | 'freshAt'>): Promise<void> {
    const { records, writer, stream, beganAt } = this.#loading
    const moved = new Map(this.#tables.map((part) => [part.staged.placement.name, part.moved]))
    await writeFreshness(this.#connection, records, {
      writer,
      stream: stream.name,
      moved,
      freshAt: beganAt,
      comparedAt: state.sweptAt,
    })
    await this.#settle({ ...state, finishedRun: writer.runId, freshAt: beganAt })
  }

  /** The end of every transaction: state, refused rows, and the fence last. */
  async #settle(state: StoredState): Promise<void> {
    const { records, writer, stream } = this.#loading
    await writeState(this.#connection, records, { writer, stream: stream.name, state })
    await writeRejects(this.#connection, records, {
      writer,
      stream: stream.name,
      rows: this.#rejects.unstored(),
      settle: this.#beside !== null,
    })
    await holdFence(this.#connection, records, writer)
  }

  async #transaction<T>(work: () => Promise<T>): Promise<T> {
    await this.#connection.run('BEGIN TRANSACTION')
    await lockStream(this.#connection, this.#key())
    const result = await work()
    await this.#connection.run('COMMIT TRANSACTION')
    this.#rejects.markStored()
    for (const { staged } of [...this.#tables, ...(this.#gone === null ? [] : [this.#gone])])
      await this.#connection.run(`TRUNCATE TABLE ${staged.stage}`)
    return result
  }

  /** Closing the connection rolls back what is open and drops the temporary tables. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#connection[Symbol.asyncDispose]()
  }
}
