/** A SQL Server database, open for one writer. */
import type { Batch } from '../../../ports/model.ts'
import { placedTable, renamedIn, shapeOf } from '../../sql-target/table-layout.ts'
import type { CheckResult } from '../../../ports/settings.ts'
import type { Stream, Surroundings } from '../../../ports/source.ts'
import { forNotes } from '../../../ports/run-record.ts'
import { connectSqlServer, type SqlConnection } from '../connection.ts'
import { literal } from '../quoting.ts'
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
import { dropBeside, nameBeside, openBeside } from './shadow-table.ts'
import { checkTarget } from './check.ts'
import { facts } from './facts.ts'
import { type Loading, openLoad } from './load.ts'
import { foreseeStream, type Placement, placeStream, qualified } from './tables.ts'
import { createRecords, readState, type Records, recordsIn, takeFence } from './records.ts'
import { listTables, renameTables } from './renaming.ts'
import { hasCompleted, readFigures, writeNote } from './reports.ts'
import type { SqlServerTargetSettings } from './settings.ts'
import { selectText } from './select-text.ts'
import { sweepStream } from './key-comparison.ts'

/** An error ends the whole transaction, statements report how many rows they changed, and dates are read as we write them whatever the login's language. */
const session =
  'SET XACT_ABORT ON; SET NOCOUNT OFF; SET LOCK_TIMEOUT 60000; SET DATEFORMAT ymd; SET LANGUAGE us_english'

export class OpenSqlServer implements OpenTarget {
  readonly facts = facts
  readonly #settings: SqlServerTargetSettings
  readonly #around: Surroundings
  readonly #records: Records
  readonly #placements = new Map<string, readonly [Placement, ...Placement[]]>()
  #writer: Writer | null = null
  /** Of earlier attempts of the run, once they have been looked up. */
  #notedBefore: RowFigures | null = null

  constructor(settings: SqlServerTargetSettings, around: Surroundings) {
    this.#settings = settings
    this.#around = around
    this.#records = recordsIn(settings.schema)
  }

  async #connect(around = this.#around): Promise<SqlConnection> {
    const connection = await connectSqlServer(this.#settings, around)
    await connection.run(session)
    return connection
  }

  async #with<T>(work: (connection: SqlConnection) => Promise<T>): Promise<T> {
    await using connection = await this.#connect()
    return await work(connection)
  }

  check(): Promise<readonly CheckResult[]> {
    return checkTarget(() => this.#connect(), this.#settings.schema)
  }

  begin(writer: Writer): Promise<Begun> {
    return this.#with(async (connection) => {
      await createRecords(connection, this.#records)
      await takeFence(connection, this.#records, writer)
      this.#writer = writer
      return { hasCompleted: await hasCompleted(connection, this.#records, writer) }
    })
  }

  async note(run: RunNote): Promise<void> {
    const writer = this.#begun()
    await using connection = await this.#connect(forNotes(this.#around))
    await connection.run('BEGIN TRANSACTION')
    this.#notedBefore ??= await readFigures(connection, this.#records, writer)
    await writeNote(connection, this.#records, { writer, run, before: this.#notedBefore })
    await connection.run('COMMIT TRANSACTION')
  }

  state(stream: Stream): Promise<StreamState> {
    const writer = this.#begun()
    return this.#with(async (connection) => {
      const stored = await readState(connection, this.#records, {
        connectorId: writer.connectorId,
        stream: stream.name,
      })
      return streamState(
        stored,
        writer,
        stored.refresh !== null && (await this.#isUsable(connection, stream, stored.refresh)),
      )
    })
  }

  /** A half-loaded refresh is of use only while its tables are there and the stream has not changed its shape. */
  async #isUsable(connection: SqlConnection, stream: Stream, refresh: Refresh): Promise<boolean> {
    const placements = this.#placements.get(stream.name)
    if (placements === undefined || refresh.shape !== shapeOf(placements)) return false
    for (const placement of placements) {
      const [found] = await connection.rows(
        `SELECT OBJECT_ID(${literal(qualified({ ...placement, name: nameBeside(placement, refresh.fence) }))})`,
      )
      if (found === undefined || found[0] === null) return false
    }
    return true
  }

  prepare(stream: Stream): Promise<readonly SchemaChange[]> {
    const writer = this.#begun()
    return this.#with(async (connection) => {
      const changes: SchemaChange[] = []
      await connection.run('BEGIN TRANSACTION')
      const [main, ...children] = await placeStream({ connection, records: this.#records, writer, stream }, changes)
      await connection.run('COMMIT TRANSACTION')
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
    const writer = this.#begun()
    return this.#with((connection) => listTables({ connection, records: this.#records, writer, stream }))
  }

  rename(stream: string, tables: readonly Renaming[]): Promise<RenameResult> {
    const writer = this.#begun()
    return this.#with(async (connection) => {
      await connection.run('BEGIN TRANSACTION')
      const result = await renameTables({ connection, records: this.#records, writer, stream }, tables)
      await connection.run('COMMIT TRANSACTION')
      return result
    })
  }

  foresee(stream: Stream): Promise<readonly ForeseenChange[]> {
    const writer = this.#begun()
    return this.#with((connection) => foreseeStream({ connection, records: this.#records, writer, stream }))
  }

  async load(stream: Stream, mode: LoadMode): Promise<Load> {
    const loading = await this.#startLoading(stream)
    const { connection, placements, writer } = loading
    try {
      if (mode.kind === 'merge') {
        for (const placement of placements) await dropBeside(connection, placement, writer.fence)
        return await openLoad(loading, null)
      }
      const stored = mode.resume
        ? await readState(connection, this.#records, { connectorId: writer.connectorId, stream: stream.name })
        : null
      const refresh = stored?.refresh ?? null
      const beganAt = refresh?.beganAt ?? loading.beganAt
      return await openLoad({ ...loading, beganAt }, await openBeside({ ...loading, refresh, around: this.#around }))
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
      // In two steps, for CREATE OR ALTER came with SQL Server 2016 SP1 only.
      const [there] = await connection.rows(`SELECT OBJECT_ID(${literal(words.view(name))})`)
      const verb = (there?.[0] ?? null) === null ? 'CREATE' : 'ALTER'
      await connection.run(`${verb} VIEW ${words.view(name)} AS ${select(words)}`)
    })
  }

  select(select: (words: ViewWords) => string): Promise<readonly (readonly (string | null)[])[]> {
    return this.#with((connection) => selectText(connection, select(this.#words())))
  }

  #words(): ViewWords {
    const { schema } = this.#settings
    return {
      table: (name) => qualified(placedTable(this.#placements.values(), name)),
      view: (name) => `${facts.quote(schema)}.${facts.quote(name)}`,
      quote: facts.quote,
      month: (date) => `DATEFROMPARTS(YEAR(${date}), MONTH(${date}), 1)`,
    }
  }

  async #startLoading(stream: Stream): Promise<Loading> {
    const writer = this.#begun()
    const placements = this.#placed(stream)
    const beganAt = new Date(this.#around.clock.now()).toISOString()
    const { unknownValues = 'reject' } = this.#settings
    return {
      connection: await this.#connect(),
      records: this.#records,
      writer,
      stream,
      placements,
      beganAt,
      unknownValues,
    }
  }

  #begun(): Writer {
    if (this.#writer === null) throw new Error('Begin comes before anything else.')
    return this.#writer
  }

  #placed(stream: Stream): readonly [Placement, ...Placement[]] {
    const placements = this.#placements.get(stream.name)
    if (placements === undefined) throw new Error(`The stream ‘${stream.name}’ must be prepared first.`)
    return placements
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}
