/** A PostgreSQL database, open for one writer. */
import type pg from 'pg'
import { openSessions, transaction, type Sessions } from '../sessions.ts'
import { fingerprint } from '../types.ts'
import type { Batch, Encoding } from '../../../ports/model.ts'
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
import { dropBeside, nameBeside, openBeside } from './shadow-table.ts'
import { checkTarget } from './check.ts'
import { facts } from './facts.ts'
import { openLoad } from './load.ts'
import { foreseeStream, mainOf, placeStream, qualified, readColumns, type Placement } from './tables.ts'
import {
  createRecords,
  holdFence,
  markSession,
  readState,
  recordsIn,
  takeFence,
  unfit,
  type Records,
} from './records.ts'
import { listTables, renameTables } from './renaming.ts'
import { hasCompleted, readFigures, writeNote } from './reports.ts'
import { missingRights } from './rights.ts'
import type { PostgresTargetSettings } from './settings.ts'
import { sweepStream } from './key-comparison.ts'
import { analyseNew, replaceView, selectText } from './views.ts'

/** Nothing may cut a long load short; text means UTF-8; indexes of whole tables are built in memory. */
const sessionSettings = `SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0; SET lock_timeout = '60s';
  SET client_encoding = 'UTF8'; SET DateStyle = 'ISO, YMD'; SET TimeZone = 'UTC'; SET IntervalStyle = 'iso_8601';
  SET synchronous_commit = off; SET maintenance_work_mem = '256MB'; SET work_mem = '64MB'; SET temp_buffers = '64MB';
  SET search_path = pg_catalog, pg_temp`

export class OpenPostgres implements OpenTarget {
  readonly facts = facts
  readonly #settings: PostgresTargetSettings
  readonly #around: Surroundings
  readonly #sessions: Sessions
  readonly #records: Records
  readonly #placements = new Map<string, readonly Placement[]>()
  #writer: Writer | null = null
  /** Of earlier attempts of the run, once they have been looked up. */
  #notedBefore: RowFigures | null = null

  constructor(settings: PostgresTargetSettings, around: Surroundings) {
    this.#settings = settings
    this.#around = around
    this.#records = recordsIn(settings.schema)
    this.#sessions = this.#openSessions(around)
  }

  #openSessions(around: Surroundings): Sessions {
    const { address, schema } = this.#settings
    const missingRight = (client: pg.Client): Promise<string | null> => missingRights(client, schema)
    return openSessions({ address, around, side: 'target', setUp: (client) => this.#setUp(client), missingRight })
  }

  async #setUp(client: pg.Client): Promise<void> {
    await client.query(sessionSettings)
    if (this.#writer !== null) await markSession(client, this.#writer)
  }

  check(): Promise<readonly CheckResult[]> {
    return checkTarget(this.#sessions, this.#settings.schema)
  }

  begin(writer: Writer): Promise<Begun> {
    return this.#sessions.use(async (client) => {
      const encoding = await client.query<{ server_encoding: string }>('SHOW server_encoding')
      if (encoding.rows[0]?.server_encoding !== 'UTF8')
        throw unfit(
          'The target database does not use UTF-8, so it cannot hold every text. Create a database with ENCODING ‘UTF8’ and choose that.',
        )
      await transaction(client, () => createRecords(client, this.#records))
      await takeFence(client, this.#records, writer)
      this.#writer = writer
      await markSession(client, writer)
      return { hasCompleted: await hasCompleted(client, this.#records, writer) }
    })
  }

  async note(run: RunNote): Promise<void> {
    if (!this.#around.signal.aborted) return await this.#noteOn(this.#sessions, run)
    await using sessions = this.#openSessions(forNotes(this.#around))
    await this.#noteOn(sessions, run)
  }

  #noteOn(sessions: Sessions, run: RunNote): Promise<void> {
    const writer = this.#begun()
    return sessions.use((client) =>
      transaction(client, async () => {
        this.#notedBefore ??= await readFigures(client, this.#records, writer)
        await writeNote(client, this.#records, { writer, run, before: this.#notedBefore })
      }),
    )
  }

  state(stream: Stream): Promise<StreamState> {
    const writer = this.#begun()
    return this.#sessions.use(async (client) => {
      const stored = await readState(client, this.#records, { connectorId: writer.connectorId, stream: stream.name })
      return streamState(
        stored,
        writer,
        stored.refresh !== null && (await this.#isUsable(client, stream, stored.refresh)),
      )
    })
  }

  /** A half-loaded refresh is of use only while its tables are there and the stream has not changed its shape. */
  async #isUsable(client: pg.Client, stream: Stream, refresh: Refresh): Promise<boolean> {
    const placements = this.#placements.get(stream.name)
    if (placements === undefined || refresh.shape !== shapeOf(placements)) return false
    for (const placement of placements) {
      if (
        (await readColumns(client, { schema: placement.schema, name: nameBeside(placement, refresh.fence) })).length ===
        0
      )
        return false
    }
    return true
  }

  prepare(stream: Stream): Promise<readonly SchemaChange[]> {
    const writer = this.#begun()
    return this.#sessions.use(async (client) => {
      const changes: SchemaChange[] = []
      const placements = await transaction(client, async () => {
        const placed = await placeStream({ client, records: this.#records, writer, stream }, changes)
        await holdFence(client, this.#records, writer)
        return placed
      })
      this.#placements.set(stream.name, placements)
      return changes
    })
  }

  nameOf(stream: Stream): string {
    return mainOf(this.#placed(stream)).name
  }

  renamedColumns(stream: Stream): readonly RenamedColumn[] {
    return renamedIn(this.#placed(stream))
  }

  listTables(stream: string): Promise<readonly MadeTable[]> {
    const writer = this.#begun()
    return this.#sessions.use((client) => listTables({ client, records: this.#records, writer, stream }))
  }

  rename(stream: string, tables: readonly Renaming[]): Promise<RenameResult> {
    const writer = this.#begun()
    return this.#sessions.use((client) =>
      transaction(client, () => renameTables({ client, records: this.#records, writer, stream }, tables)),
    )
  }

  foresee(stream: Stream): Promise<readonly ForeseenChange[]> {
    const writer = this.#begun()
    return this.#sessions.use((client) => foreseeStream({ client, records: this.#records, writer, stream }))
  }

  async load(stream: Stream, mode: LoadMode): Promise<Load> {
    const writer = this.#begun()
    const placements = this.#placed(stream)
    const session = await this.#sessions.take()
    try {
      // What lies beside may be a successor's by now, and is not to be dropped then.
      await transaction(session.client, () => holdFence(session.client, this.#records, writer))
      const stored = await readState(session.client, this.#records, {
        connectorId: writer.connectorId,
        stream: stream.name,
      })
      const refresh = mode.kind === 'replace' && mode.resume ? stored.refresh : null
      const loading = {
        session,
        explain: (error: unknown) => this.#sessions.explain(error),
        records: this.#records,
        writer,
        stream,
        placements,
        around: this.#around,
        encoding: encodingFor(stream, placements),
        beganAt: refresh?.beganAt ?? new Date(this.#around.clock.now()).toISOString(),
      }
      if (mode.kind === 'replace')
        return await openLoad(
          loading,
          await openBeside({ client: session.client, writer, stream, placements, refresh, around: this.#around }),
        )
      await dropBeside(session.client, placements)
      return await openLoad(loading, null)
    } catch (error) {
      session.destroy()
      throw await this.#sessions.explain(error)
    }
  }

  async sweep(stream: Stream, keys: AsyncIterable<Batch>, guard: ShrinkGuard): Promise<SweepResult> {
    const writer = this.#begun()
    const placements = this.#placed(stream)
    const now = this.#around.clock.now()
    return await this.#sessions.use((client) =>
      sweepStream({ client, records: this.#records, writer, stream, placements, keys, guard, now }),
    )
  }

  defineView(name: string, select: (words: ViewWords) => string): Promise<void> {
    const view = { schema: this.#settings.schema, name }
    return this.#sessions.use((client) => replaceView(client, view, select(this.#words())))
  }

  select(select: (words: ViewWords) => string): Promise<readonly (readonly (string | null)[])[]> {
    const tables = [...this.#placements.values()].flatMap((placements) => placements.map(qualified))
    return this.#sessions.use(async (client) => {
      await analyseNew(client, tables)
      return await selectText(client, select(this.#words()))
    })
  }

  #words(): ViewWords {
    return {
      table: (name) => qualified(placedTable(this.#placements.values(), name)),
      view: (name) => qualified({ schema: this.#settings.schema, name }),
      quote: facts.quote,
      // Of a stamp without zone: what is cut off a date is to be no matter of the session's time zone.
      month: (date) => `CAST(date_trunc('month', CAST(${date} AS timestamp)) AS date)`,
    }
  }

  #begun(): Writer {
    if (this.#writer === null) throw new Error('Begin comes before anything else.')
    return this.#writer
  }

  #placed(stream: Stream): readonly Placement[] {
    const placements = this.#placements.get(stream.name)
    if (placements === undefined) throw new Error(`The stream ‘${stream.name}’ must be prepared first.`)
    return placements
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#sessions[Symbol.asyncDispose]()
  }
}

/** Binary where the columns are the very types that the source reads from. */
function encodingFor(stream: Stream, placements: readonly Placement[]): Encoding {
  const [main, ...children] = placements
  if (main === undefined || children.length > 0 || stream.binaryFingerprint === undefined) return 'text'
  return stream.binaryFingerprint === fingerprint(main.columns.map((column) => column.type)) ? 'binary' : 'text'
}
