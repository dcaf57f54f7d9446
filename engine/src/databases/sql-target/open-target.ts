/** A SQL database that is open for one writer, whatever its dialect. */
import type { HistoryTrim, PersonSearch, PersonVersions, TableHistory, TableSize } from '../../ports/history.ts'
import type { DefinedView, OwnedView } from '../../ports/owned-view.ts'
import type { PublicationRequest, PublicationResult, PublicationState, OfferedRows } from '../../ports/publication.ts'
import { withFinalReportTimeout } from '../../ports/run-report.ts'
import type { ConnectionTestResult } from '../../ports/settings.ts'
import type { Stream, ConnectionContext } from '../../ports/source.ts'
import type {
  BeginResult,
  CommentTexts,
  PlannedSchemaChange,
  StreamLoad,
  LoadMode,
  StreamTargetTable,
  OpenTarget,
  PreparedTable,
  RenamedColumn,
  RenameResult,
  TableRename,
  RunRowCounts,
  RunReport,
  TargetSchemaChange,
  StreamState,
  KeyComparisonResult,
  TargetFacts,
  Writer,
} from '../../ports/target.ts'
import type { StatementNames } from '../../ports/view-names.ts'
import { checkTarget } from './check-target.ts'
import type { SqlDialect, WriterSession } from './dialect.ts'
import type { TargetSession, TargetSessions } from './sessions.ts'
import { writeComments } from './comments.ts'
import { countPersonVersions, erasePerson } from './history/person-versions.ts'
import { measureTables } from './history/table-sizes.ts'
import { selectAsOf } from './history/as-of.ts'
import { Histories } from './history/histories.ts'
import { compareKeys } from './key-comparison.ts'
import { type LoadContext, openLoad } from './load.ts'
import { defineOwnedView, dropOwnedView, listOwnedViews } from './owned-views.ts'
import { makeOffer } from './publication/offers.ts'
import { publish, readPublication } from './publication/publish.ts'
import { prepareStream, previewChanges } from './prepare-tables.ts'
import { listCreatedTables, renameTables } from './rename-tables.ts'
import { hasCompletedRun, readRunRows, writeRun } from './run-reports.ts'
import { readState, transaction } from './state-store.ts'
import { type HalfLoadedRefresh, streamState } from './stored-state.ts'
import { verifiedTables } from './verified-tables.ts'
import { findPreparedTable, listRenamedColumns, shapeOf, type StreamTables } from './table-layout.ts'

export class OpenSqlTarget implements OpenTarget {
  readonly facts: TargetFacts
  readonly #dialect: SqlDialect
  readonly #around: ConnectionContext
  readonly #sessions: TargetSessions<TargetSession>
  readonly #prepared = new Map<string, StreamTables>()
  readonly #histories: Histories
  #writer: Writer | null = null
  /** By stream: why a swap that a killed run had decided could not be finished. */
  #unfinishedSwaps: ReadonlyMap<string, unknown> = new Map()
  /** Of earlier attempts of this run, once they have been read. */
  #rowsBefore: RunRowCounts | null = null

  constructor(dialect: SqlDialect, around: ConnectionContext) {
    this.facts = dialect.facts
    this.#dialect = dialect
    this.#around = around
    this.#sessions = dialect.openSessions(around)
    this.#histories = new Histories(() => around.clock.now())
  }

  check(): Promise<readonly ConnectionTestResult[]> {
    return checkTarget(this.#dialect, this.#sessions)
  }

  begin(writer: Writer): Promise<BeginResult> {
    return this.#sessions.use(async (session) => {
      this.#unfinishedSwaps = await this.#dialect.startRun(session, writer, this.#around)
      this.#writer = writer
      await this.#histories.read({ dialect: this.#dialect, session, writer })
      return { hasCompleted: await hasCompletedRun({ dialect: this.#dialect, session, writer }) }
    })
  }

  async reportRun(run: RunReport): Promise<void> {
    if (!this.#around.signal.aborted) return await this.#noteOn(this.#sessions, run)
    await using sessions = this.#dialect.openSessions(withFinalReportTimeout(this.#around))
    await this.#noteOn(sessions, run)
  }

  #noteOn(sessions: TargetSessions<TargetSession>, run: RunReport): Promise<void> {
    const writer = this.#startedBy()
    return sessions.use((session) =>
      transaction(this.#dialect, session, async () => {
        const context = { dialect: this.#dialect, session, writer }
        this.#rowsBefore ??= await readRunRows(context)
        await writeRun(context, run, this.#rowsBefore)
      }),
    )
  }

  /** Runs `work` on a session, on behalf of the writer. */
  #use<T>(work: (context: WriterSession) => Promise<T>): Promise<T> {
    const writer = this.#startedBy()
    return this.#sessions.use((session) => work({ dialect: this.#dialect, session, writer }))
  }

  state(stream: Stream): Promise<StreamState> {
    return this.#use(async ({ session, writer }) => {
      const key = { connectorId: writer.connectorId, stream: stream.name }
      const stored = await readState(this.#dialect, session, key)
      const isUsable = stored.refresh !== null && (await this.#isUsable(session, stream, stored.refresh))
      return streamState(stored, writer, isUsable)
    })
  }

  /** A half-loaded refresh can continue while its shadow tables exist and the stream has kept its shape. */
  async #isUsable(session: TargetSession, stream: Stream, { shape, fence }: HalfLoadedRefresh): Promise<boolean> {
    const tables = this.#prepared.get(stream.name)
    if (tables === undefined || shape !== shapeOf(tables, this.#dialect.hashesValues)) return false
    const { connectorId } = this.#startedBy()
    for (const { name } of tables)
      if (!(await this.#dialect.relationExists(session, this.#dialect.shadowName(name, { connectorId, fence }))))
        return false
    return true
  }

  async prepare(stream: Stream, history?: 'on' | 'off'): Promise<readonly TargetSchemaChange[]> {
    if (this.#unfinishedSwaps.has(stream.name)) throw this.#unfinishedSwaps.get(stream.name)
    return await this.#use(async (context) => {
      const { tables, changes } = await prepareStream(context, stream)
      this.#prepared.set(stream.name, tables)
      await this.#histories.prepare(context, { stream, tables, history })
      return changes
    })
  }

  cutOff(): Promise<string> {
    return this.#use((context) => this.#histories.cutOff(context))
  }

  histories(stream: Stream): readonly TableHistory[] {
    return this.#histories.list(stream.name)
  }

  trimHistory(stream: Stream, trim: HistoryTrim): Promise<number> {
    return this.#use((context) => this.#histories.trim(context, stream.name, trim))
  }

  countPersonVersions(search: PersonSearch, moments: readonly string[]): Promise<readonly PersonVersions[]> {
    return this.#sessions.use((session) => countPersonVersions({ dialect: this.#dialect, session }, search, moments))
  }

  erasePerson(searches: readonly PersonSearch[], unchanged: readonly string[]): Promise<void> {
    return this.#use((context) => erasePerson(context, searches, unchanged))
  }

  measureTables(stream: Stream): Promise<readonly TableSize[]> {
    const tables = [...this.#tablesOf(stream), ...this.histories(stream)].map(({ name }) => name)
    return this.#use((context) => measureTables(context, tables))
  }

  tableNameOf(stream: Stream): string {
    return this.#tablesOf(stream)[0].name
  }

  renamedColumns(stream: Stream): readonly RenamedColumn[] {
    return listRenamedColumns(this.#tablesOf(stream))
  }

  preparedTables(stream: Stream): readonly PreparedTable[] {
    return this.#tablesOf(stream)
  }

  writeComments(stream: Stream, texts: CommentTexts): Promise<void> {
    const tables = this.#tablesOf(stream)
    return this.#use((context) => writeComments(context, tables, texts))
  }

  listTables(stream: string): Promise<readonly StreamTargetTable[]> {
    return this.#use((context) => listCreatedTables(context, stream))
  }

  renameTables(stream: string, tables: readonly TableRename[]): Promise<RenameResult> {
    return this.#use((context) => renameTables(context, stream, tables, this.#histories))
  }

  previewChanges(stream: Stream): Promise<readonly PlannedSchemaChange[]> {
    return this.#use((context) => previewChanges(context, stream))
  }

  async load(stream: Stream, mode: LoadMode): Promise<StreamLoad> {
    const writer = this.#startedBy()
    const tables = this.#tablesOf(stream)
    const dialect = this.#dialect
    const session = await this.#sessions.take()
    try {
      await dialect.claimStream(session, writer, stream.name)
      const state = await readState(dialect, session, { connectorId: writer.connectorId, stream: stream.name })
      const refresh = mode.kind === 'replace' && mode.resume ? state.refresh : null
      if (refresh === null) await dialect.discardRefresh(session, { writer, stream: stream.name, state })
      const beganAt = refresh?.beganAt ?? new Date(this.#around.clock.now()).toISOString()
      const history = this.#histories.of(stream.name)
      const context: LoadContext = { dialect, session, writer, stream, tables, around: this.#around, beganAt, history }
      if (mode.kind === 'replace')
        return await openLoad(context, await dialect.openShadowTables(session, { ...context, refresh }))
      await dialect.dropShadowTables(session, tables, writer)
      return await openLoad(context, null)
    } catch (error) {
      session.destroy()
      throw await session.explain(error)
    }
  }

  compareKeys(...[stream, keys, guard, part]: Parameters<OpenTarget['compareKeys']>): Promise<KeyComparisonResult> {
    const tables = this.#tablesOf(stream)
    const now = this.#around.clock.now()
    const history = this.#histories.of(stream.name)
    return this.#use((context) => compareKeys({ ...context, stream, tables, keys, guard, part, now, history }))
  }

  readonly verifiedTables: OpenTarget['verifiedTables'] = (stream) =>
    this.#use((context) => verifiedTables(context, stream, this.#sessions))

  defineView(name: string, select: (words: StatementNames) => string): Promise<void> {
    return this.#sessions.use((session) => this.#dialect.replaceView(session, name, select(this.#viewWords())))
  }

  defineOwnedView({ name, select, definition }: OwnedView): Promise<DefinedView> {
    const words = this.#viewWords()
    return this.#use((context) =>
      defineOwnedView(context, { name, select: select(words), definition: definition(words) }),
    )
  }

  listOwnedViews(): Promise<readonly string[]> {
    return this.#use(listOwnedViews)
  }

  dropOwnedView(name: string): Promise<void> {
    return this.#use((context) => dropOwnedView(context, name))
  }

  select(select: (words: StatementNames) => string): Promise<readonly (readonly (string | null)[])[]> {
    const tables = [...this.#prepared.values()].flat().map(({ name }) => this.#dialect.qualified(name))
    return this.#sessions.use((session) => this.#dialect.select(session, select(this.#viewWords()), tables))
  }

  async offerPublication(set: string, { streams, views }: OfferedRows): Promise<void> {
    const offered = [...this.#prepared].flatMap(([name, tables]) => (streams.has(name) ? [tables] : []))
    const histories = this.#histories.ofTables(offered)
    const cutOff = await this.cutOff()
    await this.#use((context) => makeOffer(context, { set, cutOff, histories, views, names: this.#viewWords() }))
  }

  publish(request: PublicationRequest): Promise<PublicationResult> {
    return this.#sessions.use((session) => publish({ dialect: this.#dialect, session }, request))
  }

  readPublication(set: string): Promise<PublicationState | null> {
    return this.#sessions.use((session) => readPublication({ dialect: this.#dialect, session }, set))
  }

  #viewWords(): StatementNames {
    const dialect = this.#dialect
    const names: StatementNames = {
      table: (name) => dialect.qualified(findPreparedTable(this.#prepared.values(), name).name),
      view: (name) => dialect.qualified(dialect.viewName(name)),
      quote: dialect.facts.quote,
      moment: dialect.momentLiteral,
      ...dialect.dates,
      ...(dialect.lateralJoin !== undefined && { lateralJoin: dialect.lateralJoin }),
      asOf: (moment) => ({ ...names, table: (name) => selectAsOf(dialect, this.#histories.find(name), moment) }),
    }
    return names
  }

  #startedBy(): Writer {
    if (this.#writer === null) throw new Error('Call begin first.')
    return this.#writer
  }

  #tablesOf(stream: Stream): StreamTables {
    const tables = this.#prepared.get(stream.name)
    if (tables === undefined) throw new Error(`The stream ‘${stream.name}’ must be prepared first.`)
    return tables
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#sessions[Symbol.asyncDispose]()
  }
}
