/** A lake that is open for one writer: tables in Iceberg's format on object storage, found by a catalog. */
import { withFinalReportTimeout } from '../../../ports/run-report.ts'
import type { MaintainedTable } from '../../../ports/maintenance.ts'
import type { ConnectionTestResult } from '../../../ports/settings.ts'
import type { ConnectionContext, Stream } from '../../../ports/source.ts'
import type {
  BeginResult,
  CommentTexts,
  KeyComparisonResult,
  LoadMode,
  OpenTarget,
  PlannedSchemaChange,
  PreparedTable,
  RenamedColumn,
  RenameResult,
  RunReport,
  RunRowCounts,
  StreamLoad,
  StreamState,
  StreamTargetTable,
  TableRename,
  TargetFacts,
  TargetSchemaChange,
  Writer,
} from '../../../ports/target.ts'
import { toMoment } from '../../../ports/history.ts'
import type { UnknownValues } from '../../../encoding/unsupported-values.ts'
import { Rejects } from '../../sql-target/rejected-rows.ts'
import { emptyState, streamState } from '../../sql-target/stored-state.ts'
import { listRenamedColumns, shapeOf, type StreamTables } from '../../sql-target/table-layout.ts'
import type { IcebergCatalog, LoadedTable, Namespace } from '../catalog/catalog.ts'
import { compareKeys } from '../load/compare-keys.ts'
import { refreshBranch } from '../load/load-changes.ts'
import { LakeLoad } from '../load/stream-load.ts'
import { identify, type LakeContext, loadTable } from '../table/lake-context.ts'
import type { PositionDeletionRule } from '../table/position-deletions.ts'
import { countRows, liveFiles, ManifestCache, snapshotOf } from '../table/table-files.ts'
import { readStreamState } from '../table/table-properties.ts'
import { adoptPartitions } from './adopt-partitions.ts'
import { ConnectorTable } from './connector-table.ts'
import { facts } from './facts.ts'
import { maintainTables } from './maintain-tables.ts'
import { prepareStream, previewChanges } from './prepare-tables.ts'
import { finishRenames, renameTables } from './rename-tables.ts'
import { rowsBefore, withRun } from './run-rows.ts'
import { refuse } from './tables-only.ts'
import { writeComments } from './write-comments.ts'

export interface LakeOptions {
  readonly namespace: Namespace
  readonly unknownValues: UnknownValues
  /** Columns whose months partition the tables that have them; absent for none. */
  readonly partitionBy?: readonly string[]
  /** When rows are deleted by their positions. Absent: files are always written again. */
  readonly deletionRule?: PositionDeletionRule
  openCatalog(around: ConnectionContext): Promise<IcebergCatalog>
  check(): Promise<readonly ConnectionTestResult[]>
}

interface WritersLake {
  readonly context: LakeContext
  readonly connector: ConnectorTable
}

export class OpenLakeTarget implements OpenTarget {
  readonly facts: TargetFacts = facts
  readonly #options: LakeOptions
  readonly #around: ConnectionContext
  #catalog: IcebergCatalog | null = null
  readonly #prepared = new Map<string, StreamTables>()
  #lake: WritersLake | null = null
  #rowsBefore: RunRowCounts | null = null

  static async open(options: LakeOptions, around: ConnectionContext): Promise<OpenLakeTarget> {
    return new OpenLakeTarget(options, around)
  }

  private constructor(options: LakeOptions, around: ConnectionContext) {
    this.#options = options
    this.#around = around
  }

  check(): Promise<readonly ConnectionTestResult[]> {
    return this.#options.check()
  }

  async begin(writer: Writer): Promise<BeginResult> {
    this.#catalog ??= await this.#options.openCatalog(this.#around)
    await this.#catalog.ensureNamespace(this.#options.namespace)
    const lake = this.#lakeOf(writer, this.#catalog, this.#around)
    await lake.connector.claim()
    this.#lake = lake
    await finishRenames(lake.context, lake.connector)
    const runs = await lake.connector.readRuns()
    return { hasCompleted: runs.some(({ status }) => status === 'completed') }
  }

  #lakeOf(writer: Writer, catalog: IcebergCatalog, around: ConnectionContext): WritersLake {
    const { namespace, partitionBy = [], deletionRule = null } = this.#options
    const manifests = new ManifestCache()
    const context: LakeContext = { catalog, namespace, writer, around, manifests, partitionBy, deletionRule }
    return { context, connector: new ConnectorTable(context) }
  }

  get #writersLake(): WritersLake {
    if (this.#lake === null) throw new Error('Call begin first.')
    return this.#lake
  }

  async reportRun(run: RunReport): Promise<void> {
    const { connector, context } = this.#writersLake
    if (!this.#around.signal.aborted) return await this.#note(connector, context.writer, run)
    const around = withFinalReportTimeout(this.#around)
    await using catalog = await this.#options.openCatalog(around)
    await this.#note(this.#lakeOf(context.writer, catalog, around).connector, context.writer, run)
  }

  async #note(connector: ConnectorTable, writer: Writer, run: RunReport): Promise<void> {
    await connector.changeRuns((runs) => {
      const before = (this.#rowsBefore ??= rowsBefore(runs, writer))
      return withRun(runs, { writer, run, before })
    })
  }

  async state(stream: Stream): Promise<StreamState> {
    const { context } = this.#writersLake
    const table = await this.#mainTable(stream)
    const stored = table === null ? emptyState : readStreamState(table)
    const isUsable = stored.refresh !== null && (await this.#isUsable(stream, stored.refresh.shape))
    return streamState(stored, context.writer, isUsable)
  }

  async #mainTable(stream: Stream): Promise<LoadedTable | null> {
    const { context, connector } = this.#writersLake
    const prepared = this.#prepared.get(stream.name)?.[0].name
    const claims = prepared === undefined ? await connector.listTables() : []
    const claimed = claims.find((claim) => claim.stream === stream.name && claim.sourceName === stream.table.name)
    const name = prepared ?? claimed?.name
    return name === undefined ? null : await context.catalog.loadTable(identify(context, name))
  }

  /** A half-loaded refresh can continue while its branches exist and the stream has kept its shape. */
  async #isUsable(stream: Stream, shape: string): Promise<boolean> {
    const tables = this.#prepared.get(stream.name)
    if (tables === undefined || shapeOf(tables, true) !== shape) return false
    for (const { name } of tables)
      if (snapshotOf(await loadTable(this.#writersLake.context, name), refreshBranch) === null) return false
    return true
  }

  async prepare(stream: Stream, history?: 'on' | 'off'): Promise<readonly TargetSchemaChange[]> {
    if (history === 'on') throw refuse('history')
    const { tables, changes } = await prepareStream(this.#writersLake, stream)
    this.#prepared.set(stream.name, tables)
    return changes
  }

  previewChanges(stream: Stream): Promise<readonly PlannedSchemaChange[]> {
    return previewChanges(this.#writersLake, stream)
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
    return writeComments(this.#writersLake.context, this.#tablesOf(stream), texts)
  }

  async listTables(stream: string): Promise<readonly StreamTargetTable[]> {
    const { context, connector } = this.#writersLake
    const existing = new Set(await context.catalog.listTables(context.namespace))
    const claims = await connector.listTables()
    return claims.filter((claim) => claim.stream === stream && existing.has(claim.name))
  }

  renameTables(stream: string, renamings: readonly TableRename[]): Promise<RenameResult> {
    const { context, connector } = this.#writersLake
    return renameTables(context, connector, { stream, renamings })
  }

  async load(stream: Stream, mode: LoadMode): Promise<StreamLoad> {
    const { context } = this.#writersLake
    const tables = this.#tablesOf(stream)
    const { refresh } = readStreamState(await loadTable(context, tables[0].name))
    const resumed = mode.kind === 'replace' && mode.resume ? refresh : null
    if (mode.kind === 'replace' && resumed === null) await adoptPartitions(context, tables)
    return await LakeLoad.open(context, {
      stream,
      tables,
      rejects: new Rejects(this.#options.unknownValues),
      kind: resumed === null ? mode.kind : 'resume',
      beganAt: resumed?.beganAt ?? new Date(this.#around.clock.now()).toISOString(),
      shape: shapeOf(tables, true),
    })
  }

  compareKeys(...[stream, keys, guard, part]: Parameters<OpenTarget['compareKeys']>): Promise<KeyComparisonResult> {
    return compareKeys(this.#writersLake.context, { stream, tables: this.#tablesOf(stream), keys, guard, part })
  }

  readonly measureTables: OpenTarget['measureTables'] = async (stream) => {
    const { context } = this.#writersLake
    const sizes = []
    for (const { name } of this.#tablesOf(stream)) {
      const table = await loadTable(context, name)
      const files = liveFiles(await context.manifests.readListed(table.storage, snapshotOf(table)))
      sizes.push({
        name,
        rows: countRows(files),
        bytes: files.reduce((sum, { size, deletions }) => sum + size + (deletions?.size ?? 0), 0),
      })
    }
    return sizes
  }

  maintainTables(): AsyncIterable<MaintainedTable> {
    const { context, connector } = this.#writersLake
    return maintainTables(context, connector)
  }

  readonly cutOff: OpenTarget['cutOff'] = async () => toMoment(this.#around.clock.now())
  readonly histories: OpenTarget['histories'] = () => []
  readonly trimHistory: OpenTarget['trimHistory'] = async () => 0
  readonly countPersonVersions: OpenTarget['countPersonVersions'] = async () => []
  readonly erasePerson: OpenTarget['erasePerson'] = async () => Promise.reject(refuse('history to erase'))
  readonly verifiedTables: OpenTarget['verifiedTables'] = async () => []
  readonly defineView: OpenTarget['defineView'] = async () => Promise.reject(refuse('views'))
  readonly defineOwnedView: OpenTarget['defineOwnedView'] = async () => Promise.reject(refuse('views'))
  readonly listOwnedViews: OpenTarget['listOwnedViews'] = async () => []
  readonly dropOwnedView: OpenTarget['dropOwnedView'] = async () => {}
  readonly select: OpenTarget['select'] = async () => Promise.reject(refuse('SQL'))
  readonly offerPublication: OpenTarget['offerPublication'] = async () => Promise.reject(refuse('publications'))
  readonly publish: OpenTarget['publish'] = async () => Promise.reject(refuse('publications'))
  readonly readPublication: OpenTarget['readPublication'] = async () => null

  #tablesOf(stream: Stream): StreamTables {
    const tables = this.#prepared.get(stream.name)
    if (tables === undefined) throw new Error(`The stream ‘${stream.name}’ must be prepared first.`)
    return tables
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#catalog?.[Symbol.asyncDispose]()
  }
}
