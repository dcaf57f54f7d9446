/** A MySQL database, open for one writer. */
import type { Batch } from '../../../ports/model.ts'
import { connectMysql, type MysqlConnection } from '../connection.ts'
import { placedTable, renamedIn, shapeOf } from '../../sql-target/table-layout.ts'
import { forNotes } from '../../../ports/run-record.ts'
import type { CheckResult } from '../../../ports/settings.ts'
import type { Stream, Surroundings } from '../../../ports/source.ts'
import { type Refresh, streamState } from '../../sql-target/stored-state.ts'
import type {
  Begun,
  ForeseenChange,
  Load,
  LoadMode,
  MadeTable,
  OpenTarget,
  RenamedColumn,
  RenameResult,
  Renaming,
  RowFigures,
  RunNote,
  SchemaChange,
  ShrinkGuard,
  StreamState,
  SweepResult,
  Writer,
} from '../../../ports/target.ts'
import type { ViewWords } from '../../../ports/view-dialect.ts'
import { dropBeside, finishSwaps, nameBeside, openBeside } from './shadow-table.ts'
import { checkTarget } from './check.ts'
import { exactCollation } from './collation.ts'
import { facts } from './facts.ts'
import { type Loading, openLoad } from './load.ts'
import { foreseeStream, type Placement, placeStream, type Placing, readColumns } from './tables.ts'
import { createRecords, forgetRefresh, markSession, readState, takeFence, unfit } from './records.ts'
import { listTables, renameTables } from './renaming.ts'
import { hasCompleted, readFigures, writeNote } from './reports.ts'
import type { MysqlTargetSettings } from './settings.ts'
import { sweepStream } from './key-comparison.ts'

/**
 * What does not fit is an error. Checks of unique and foreign keys are off, for rows are loaded into tables of ours that
 * nobody sees yet, and primary keys are checked in any case.
 */
const session = `SET SESSION time_zone = '+00:00', autocommit = 0, unique_checks = 0, foreign_key_checks = 0, lock_wait_timeout = 5, innodb_lock_wait_timeout = 60,
  net_read_timeout = 600, net_write_timeout = 600, wait_timeout = 28800, max_error_count = 65535, lc_messages = 'en_US',
  sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO'`

export class OpenMysql implements OpenTarget {
  readonly facts = facts
  readonly #settings: MysqlTargetSettings
  readonly #around: Surroundings
  readonly #placements = new Map<string, readonly [Placement, ...Placement[]]>()
  #writer: Writer | null = null
  /** Why the replacement of a stream, decided by a run that died, cannot be shown. */
  #unfinished: ReadonlyMap<string, unknown> = new Map()
  /** Of earlier attempts of the run, once they have been looked up. */
  #notedBefore: RowFigures | null = null

  constructor(settings: MysqlTargetSettings, around: Surroundings) {
    this.#settings = settings
    this.#around = around
  }

  #connect(around = this.#around): Promise<MysqlConnection> {
    return connectMysql(this.#settings, around, session, 'writing')
  }

  async #with<T>(work: (connection: MysqlConnection) => Promise<T>): Promise<T> {
    await using connection = await this.#connect()
    return await work(connection)
  }

  check(): Promise<readonly CheckResult[]> {
    return checkTarget(() => this.#connect(), this.#settings.database)
  }

  begin(writer: Writer): Promise<Begun> {
    return this.#with(async (connection) => {
      await createRecords(connection)
      await takeFence(connection, writer)
      this.#unfinished = await finishSwaps(connection, writer, this.#around)
      this.#writer = writer
      return { hasCompleted: await hasCompleted(connection, writer) }
    })
  }

  async note(run: RunNote): Promise<void> {
    const writer = this.#begun()
    await using connection = await this.#connect(forNotes(this.#around))
    this.#notedBefore ??= await readFigures(connection, writer)
    await writeNote(connection, { writer, run, before: this.#notedBefore })
  }

  state(stream: Stream): Promise<StreamState> {
    const writer = this.#begun()
    return this.#with(async (connection) => {
      const stored = await readState(connection, { connectorId: writer.connectorId, stream: stream.name })
      return streamState(
        stored,
        writer,
        stored.refresh !== null && (await this.#isUsable(connection, stream, stored.refresh)),
      )
    })
  }

  /** A half-loaded refresh is of use only while its tables are there and the stream has not changed its shape. */
  async #isUsable(connection: MysqlConnection, stream: Stream, refresh: Refresh): Promise<boolean> {
    const placements = this.#placements.get(stream.name)
    if (placements === undefined || refresh.shape !== shapeOf(placements)) return false
    for (const { name } of placements)
      if ((await readColumns(connection, nameBeside(this.#begun(), name))).length === 0) return false
    return true
  }

  prepare(stream: Stream): Promise<readonly SchemaChange[]> {
    if (this.#unfinished.has(stream.name)) return Promise.reject(this.#unfinished.get(stream.name))
    return this.#with(async (connection) => {
      const changes: SchemaChange[] = []
      const [main, ...children] = await placeStream(await this.#placing(connection, stream), changes)
      if (main !== undefined) this.#placements.set(stream.name, [main, ...children])
      return changes
    })
  }

  nameOf(stream: Stream): string {
    return this.#placed(stream)[0].name
  }

  renamedColumns(stream: Stream): readonly RenamedColumn[] {
    return renamedIn(this.#placed(stream))
  }

  listTables(stream: string): Promise<readonly MadeTable[]> {
    return this.#with((connection) =>
      listTables({ connection, writer: this.#begun(), prefix: this.#settings.prefix, stream }),
    )
  }

  rename(stream: string, tables: readonly Renaming[]): Promise<RenameResult> {
    return this.#with((connection) =>
      renameTables({ connection, writer: this.#begun(), prefix: this.#settings.prefix, stream }, tables),
    )
  }

  foresee(stream: Stream): Promise<readonly ForeseenChange[]> {
    return this.#with(async (connection) => foreseeStream(await this.#placing(connection, stream)))
  }

  async #placing(connection: MysqlConnection, stream: Stream): Promise<Placing> {
    return {
      connection,
      writer: this.#begun(),
      prefix: this.#settings.prefix,
      collation: await exactCollation(connection),
      stream,
    }
  }

  async load(stream: Stream, mode: LoadMode): Promise<Load> {
    const loading = await this.#startLoading(stream)
    const { connection, placements } = loading
    try {
      if (mode.kind === 'merge' || !mode.resume) await forgetRefresh(connection, loading.writer, stream.name)
      if (mode.kind === 'merge') {
        await dropBeside(connection, loading.writer, placements)
        return await openLoad(loading, null)
      }
      if (!mode.resume)
        return await openLoad(loading, await openBeside({ ...loading, resume: false, around: this.#around }))
      const { refresh } = await readState(connection, { connectorId: loading.writer.connectorId, stream: stream.name })
      const beganAt = refresh?.beganAt ?? loading.beganAt
      return await openLoad(
        { ...loading, beganAt },
        await openBeside({ ...loading, resume: true, around: this.#around }),
      )
    } catch (error) {
      await connection[Symbol.asyncDispose]()
      throw error
    }
  }

  async sweep(stream: Stream, keys: AsyncIterable<Batch>, guard: ShrinkGuard): Promise<SweepResult> {
    const loading = await this.#startLoading(stream)
    await using connection = loading.connection
    return await sweepStream({ ...loading, connection, keys, guard, now: this.#around.clock.now() })
  }

  defineView(name: string, select: (words: ViewWords) => string): Promise<void> {
    const words = this.#words()
    return this.#with(async (connection) => {
      await connection.run(`CREATE OR REPLACE VIEW ${words.view(name)} AS ${select(words)}`)
    })
  }

  select(select: (words: ViewWords) => string): Promise<readonly (readonly (string | null)[])[]> {
    return this.#with(async (connection) =>
      (await connection.rows(select(this.#words()))).map((row) => Object.values(row)),
    )
  }

  #words(): ViewWords {
    const { prefix } = this.#settings
    return {
      table: (name) => facts.quote(placedTable(this.#placements.values(), name).name),
      view: (name) => facts.quote(prefix === '' ? name : `${prefix}_${name}`),
      quote: facts.quote,
      month: (date) => `DATE_SUB(${date}, INTERVAL DAYOFMONTH(${date}) - 1 DAY)`,
    }
  }

  /** A connection of its own, on which no former run can interfere. */
  async #startLoading(stream: Stream): Promise<Loading> {
    const writer = this.#begun()
    const placements = this.#placed(stream)
    const connection = await this.#connect()
    try {
      await markSession(connection, writer, stream.name)
      const beganAt = new Date(this.#around.clock.now()).toISOString()
      return {
        connection,
        writer,
        stream,
        placements,
        collation: await exactCollation(connection),
        beganAt,
        unknownValues: this.#settings.unknownValues ?? 'reject',
      }
    } catch (error) {
      await connection[Symbol.asyncDispose]()
      throw error
    }
  }

  #begun(): Writer {
    if (this.#writer === null) throw new Error('Begin comes before anything else.')
    return this.#writer
  }

  #placed(stream: Stream): readonly [Placement, ...Placement[]] {
    const placements = this.#placements.get(stream.name)
    if (placements === undefined) throw unfit(`The stream ‘${stream.name}’ must be prepared first.`)
    return placements
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}
