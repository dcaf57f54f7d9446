/** The port of a target: a database that receives streams. */
import type { MaintainedTarget } from './maintenance.ts'
import type { HistoryTarget } from './history.ts'
import type { DefinedView, OwnedView } from './owned-view.ts'
import type { PublishingTarget } from './publication.ts'
import type { TargetReading } from './target-reader.ts'
import type { RowBatch, Checkpoint, RowEncoding, Table } from './model.ts'
import type { ComparedPart, ReplacedPart } from './row-scope.ts'
import type { ConnectorProperties, Stream, ConnectionContext } from './source.ts'
import type { ConnectionTestResult, ConnectorSettingsSection } from './settings.ts'
import type { VerifiableTarget } from './verifiable-target.ts'
import type { StatementNames } from './view-names.ts'

export interface Target<Settings = unknown> {
  readonly kind: string
  readonly title: string
  readonly facts: TargetFacts
  readonly section: ConnectorSettingsSection
  parse(properties: ConnectorProperties): Settings
  open(settings: Settings, context: ConnectionContext): Promise<OpenTarget>
  /** Null if people cannot query it. */
  readonly reading: TargetReading<Settings> | null
}

/** A run of a connector, with its fencing token. A higher fence permanently locks out all lower ones; fences are unique per run. */
export interface Writer {
  readonly connectorId: string
  readonly runId: string
  readonly fence: number
}

/** The state of a stream, stored in the target in the same transaction as the rows it describes. */
export interface StreamState {
  readonly checkpoint: Checkpoint | null
  /** Set while a replacement is partly loaded into a shadow table: where it continues, and the run that began it. */
  readonly replacement: { readonly checkpoint: Checkpoint; readonly runId: string } | null
  /** The run that last finished this stream. A retry of that run skips it. */
  readonly finishedRun: string | null
  /** The rows are at least as new as the source was at this time, ISO 8601; null if the stream was never finished. */
  readonly freshAt: string | null
  readonly fence: number
  /** Rows of the main table after the last commit; null if unknown. */
  readonly rows: number | null
  /** When all keys were last compared, ISO 8601; null if never. */
  readonly sweptAt: string | null
}

/** Thrown if the target has seen a newer fence. Another worker owns the connector: the caller must stop and write nothing. */
export class FencedError extends Error {
  override readonly name = 'FencedError'
  /** The newest fence that the target has seen; null if unknown. */
  readonly newest: number | null

  constructor(newest: number | null = null) {
    super('A newer run of this connector has begun.')
    this.newest = newest
  }
}

/** @throws FencedError unless this writer is newer or the same. An equal fence of another run was issued by a restored store. */
export function assertNewerFence(seen: Pick<Writer, 'fence' | 'runId'>, writer: Writer): void {
  const isSame = seen.fence === writer.fence && seen.runId === writer.runId
  if (seen.fence >= writer.fence && !isSame) throw new FencedError(seen.fence)
}

export interface OpenTarget
  extends AsyncDisposable, HistoryTarget, MaintainedTarget, PublishingTarget, VerifiableTarget {
  readonly facts: TargetFacts
  check(): Promise<readonly ConnectionTestResult[]>
  /**
   * Creates the system tables, claims the fence and drops staging tables of dead runs.
   * @throws FencedError if a newer writer has been here
   */
  begin(writer: Writer): Promise<BeginResult>
  state(stream: Stream): Promise<StreamState>
  /**
   * Creates the stream's tables or adds missing columns. Never drops or narrows a column. Returns the changes. If a
   * table with rows gets a column, or a column becomes text, the checkpoint is reset, because the existing rows lack
   * the new values. Call it before `load` and `compareKeys`; only then `state` returns a partly loaded replacement.
   * @param history whether row versions are kept from this run on; absent: as before
   */
  prepare(stream: Stream, history?: 'on' | 'off'): Promise<readonly TargetSchemaChange[]>
  /** The name of the stream's main table in this target, which may differ from the source's. Requires `prepare`. */
  tableNameOf(stream: Stream): string
  /** The columns whose names in this target differ from the source's. Requires `prepare`. */
  renamedColumns(stream: Stream): readonly RenamedColumn[]
  /** The existing tables that were created for the stream of this name. */
  listTables(stream: string): Promise<readonly StreamTargetTable[]>
  /**
   * Renames tables of a stream, atomically. `from` and `to` are names in the source; afterwards the tables are found by
   * the new ones. Call it before `prepare`.
   */
  renameTables(stream: string, tables: readonly TableRename[]): Promise<RenameResult>
  /** The stream's tables as they are in this target, the main table first. Requires `prepare`. */
  preparedTables(stream: Stream): readonly PreparedTable[]
  /** Writes comments, except where a user or another program has written one. Requires `prepare`. May throw `FencedError`. */
  writeComments(stream: Stream, texts: CommentTexts): Promise<void>
  /** Returns what `prepare` would change, without changing it. */
  previewChanges(stream: Stream): Promise<readonly PlannedSchemaChange[]>
  /** Upserts the run's row in `tributary_run`. Works for a short time after an abort, too. */
  reportRun(run: RunReport): Promise<void>
  load(stream: Stream, mode: LoadMode): Promise<StreamLoad>
  /** Creates or replaces a view. */
  defineView(name: string, select: (names: StatementNames) => string): Promise<void>
  /**
   * Creates or replaces a view that belongs to the writer's connector, unless its definition is unchanged. Returns
   * `taken` if a table or view of that name is not the connector's; nothing was changed then.
   */
  defineOwnedView(view: OwnedView): Promise<DefinedView>
  /** The names of the views that `defineOwnedView` has created for this connector. */
  listOwnedViews(): Promise<readonly string[]>
  /** Drops a view that belongs to the connector; anything else of that name stays. */
  dropOwnedView(name: string): Promise<void>
  /**
   * Runs a SELECT over Tributary's tables and views. Requires `prepare` of the streams it names; every column must have
   * a name. Returns the rows in no particular order, with values in the database's text format and dates as
   * `2026-03-01`.
   */
  select(select: (names: StatementNames) => string): Promise<readonly (readonly (string | null)[])[]>
  /**
   * Deletes the rows (and their children) whose keys are not in `keys`, the complete keys of the source: a text COPY of
   * the key columns in the order of `stream.table.key`. Deletes nothing and returns `refused` if it would exceed
   * `guard`. In both cases returns the keys without a row in the target.
   */
  compareKeys(
    stream: Stream,
    keys: AsyncIterable<RowBatch>,
    guard: ShrinkGuard,
    part?: ComparedPart,
  ): Promise<KeyComparisonResult>
}

export interface PreparedTable {
  /** As the source describes it. */
  readonly table: Table
  /** Empty where the database has no schemas. */
  readonly schema: string
  readonly name: string
  /** Names and types in the target, in the order of `table.columns`. */
  readonly columns: readonly { readonly name: string; readonly type: string }[]
}

/** For a column, or for the table if the column is null, by their names in the target; empty for none. */
export type CommentTexts = (table: string, column: string | null) => string

/** A column whose name is taken or not allowed in the target. `table` and `name` as in the target. */
export interface RenamedColumn {
  readonly table: string
  readonly column: string
  readonly name: string
}

export interface StreamTargetTable {
  /** The source's name when the table was created or last renamed. */
  readonly sourceName: string
  readonly name: string
}

export interface TableRename {
  readonly from: string
  readonly to: string
}

/** `taken`: another table has that name; nothing was renamed. */
export type RenameResult = { readonly outcome: 'done' } | { readonly outcome: 'taken'; readonly name: string }

/** The differences between databases as data. */
export interface TargetFacts {
  readonly kind: string
  readonly identifierMax: { readonly count: number; readonly unit: 'bytes' | 'characters' }
  /** The most columns of a table. */
  readonly columnsMax: number
  quote(name: string): string
  /**
   * The target stores tables and nothing else: no SQL, no views, no history of rows, no publications and no verification by checksums.
   * What needs these is refused before it reaches the target.
   */
  readonly storesTablesOnly: boolean
  /** The column type that stores this logical type. */
  columnType(type: Table['columns'][number]['type']): string
  /** Whether COPY binary with this fingerprint can be loaded unchanged. */
  takesBinary(fingerprint: string): boolean
}

export interface BeginResult {
  /** Whether a run of this connector has ever completed in this target. */
  readonly hasCompleted: boolean
}

/** The row of a run in `tributary_run`, for people who read the target. */
export interface RunReport {
  readonly status: 'running' | 'completed' | 'failed' | 'cancelled'
  readonly startedAt: Date
  readonly endedAt: Date | null
  /** For people: why it failed. */
  readonly notice: string | null
  /** Of this attempt only; the target adds those of earlier attempts. */
  readonly rows: RunRowCounts
}

export interface RunRowCounts {
  readonly read: number
  readonly written: number
  readonly updated: number
  readonly deleted: number
  readonly rejected: number
}

/** `TargetSchemaChange.after` of a column or table that was removed at the source. Its values or rows stay in the target. */
export const removedAtSource = 'gone'

/** `TargetSchemaChange.after` of a member that an API sends and no column has. It is not moved. */
export const sentWithoutColumn = 'not moved'

/** Names as in the target. If `column` is null, the table itself was added or removed, see `after`. */
export interface TargetSchemaChange {
  readonly table: string
  readonly column: string | null
  readonly before: string | null
  readonly after: string
}

/** A change that has not been made yet, with the source's names of the table and column. */
export interface PlannedSchemaChange extends TargetSchemaChange {
  readonly sourceName: { readonly table: string; readonly column: string | null }
  /** The new values and the column are unrelated, except that both are text. */
  readonly isRetyped?: true
}

/** `merge` upserts changed rows by key. `replace` loads a shadow table and swaps it in at the end. */
export type LoadMode = { readonly kind: 'merge' } | { readonly kind: 'replace'; readonly resume: boolean }

export interface WriteCounts {
  readonly inserted: number
  readonly updated: number
  readonly deleted: number
}

export interface StreamLoad extends AsyncDisposable {
  readonly encoding: RowEncoding
  /** Resolves when the target can accept more. The target now owns the batch and may release it. Rejected rows are recorded, not thrown. */
  write(batch: RowBatch): Promise<void>
  /**
   * Commits everything written so far with the checkpoint, in one transaction that checks the fence. Merged rows become
   * visible; rows of a replacement stay in the shadow table until `finish`. If the reply to COMMIT is lost, the state
   * is read again to learn the result.
   */
  commit(checkpoint: Checkpoint): Promise<WriteCounts>
  /**
   * Commits the rest, swaps a replacement in with its checkpoint, and sets the tables' time in `tributary_freshness` to the load's beginning.
   * @param part only for a replacement. Loaded rows outside of it are discarded
   */
  finish(checkpoint: Checkpoint | null, part?: ReplacedPart): Promise<WriteCounts>
  readonly rejected: readonly RejectedRowRecord[]
  /** All rejected rows; the list above contains the first thousand. */
  readonly rejectedCount: number
  /** Values that were stored as null, because this kind of database does not support them. */
  readonly nulledCount: number
  /** Times of which digits finer than the target's precision were cut off. Absent: not counted. */
  readonly shortenedCount?: number
}

export interface RejectedRowRecord {
  readonly table: string
  /** The row as the source sent it, by column name. */
  readonly row: { readonly [column: string]: string | null }
  readonly column: string | null
  readonly reason: string
}

export interface ShrinkGuard {
  /** Deletions are refused if they exceed both limits. */
  readonly rows: number
  readonly share: number
}

export type KeyComparisonResult =
  /**
   * `unstorableKeys`: number of keys that do not fit the column types. Their rows were rejected, so the target has none
   * of them.
   */
  | {
      readonly outcome: 'done'
      readonly deleted: number
      readonly unstorableKeys?: number
      readonly missing: MissingKeys
    }
  | { readonly outcome: 'refused'; readonly wouldDelete: number; readonly rows: number; readonly missing: MissingKeys }

/** Keys of the source without a row in the target. */
export interface MissingKeys {
  readonly count: number
  /** Rows of key values, encoded as `text`; at most `missingKeysMax`. */
  readonly rows: Uint8Array
}

/** With more missing keys, reading the whole table costs less than reading them by key. */
export const missingKeysMax = 100_000
