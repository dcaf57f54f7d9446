/** What a database must offer to receive a stream. */
import type { RowBatch, Checkpoint, RowEncoding, Table } from './model.ts'
import type { ConnectorProperties, Stream, ConnectionContext } from './source.ts'
import type { ConnectionCheckResult, ConnectorSettingsSection } from './settings.ts'
import type { StatementNames } from './view-names.ts'

export interface Target<Settings = unknown> {
  readonly kind: string
  readonly title: string
  readonly section: ConnectorSettingsSection
  parse(properties: ConnectorProperties): Settings
  open(settings: Settings, around: ConnectionContext): Promise<OpenTarget>
}

/** Who is writing: a connector, under the fence of one run. A higher fence shuts every lower one out for good, and no two runs have the same. */
export interface Writer {
  readonly connectorId: string
  readonly runId: string
  readonly fence: number
}

/** What the target knows of a stream, kept beside the rows it describes. */
export interface StreamState {
  readonly checkpoint: Checkpoint | null
  /** Set while a refresh is half loaded beside the table: where it goes on, and in which run it began. */
  readonly replacement: { readonly checkpoint: Checkpoint; readonly runId: string } | null
  /** The run that last brought this stream to its end, written by `finish`: that run need not read it again. */
  readonly finishedRun: string | null
  /** Its rows are those of the source at this moment or later, ISO 8601; null if it was never brought to its end. */
  readonly freshAt: string | null
  readonly fence: number
  /** Rows of the main table after the last commit, where known. */
  readonly rows: number | null
  /** When the keys were last compared in whole, ISO 8601; null if never. */
  readonly sweptAt: string | null
}

/** Thrown to a writer whose fence is older than one this target has seen: another worker owns the run, so stop and touch nothing. */
export class FencedError extends Error {
  override readonly name = 'FencedError'
  /** The newest fence that the target has seen; null where it did not say. */
  readonly newest: number | null

  constructor(newest: number | null = null) {
    super('A newer run of this connector has begun.')
    this.newest = newest
  }
}

/**
 * Throws `Fenced` unless this writer is newer than the one last seen, or the same. An equal fence of another run is no newer: the
 * store that gave it has forgotten the run, because it was restored from a backup.
 */
export function assertNewerFence(seen: Pick<Writer, 'fence' | 'runId'>, writer: Writer): void {
  const isSame = seen.fence === writer.fence && seen.runId === writer.runId
  if (seen.fence >= writer.fence && !isSame) throw new FencedError(seen.fence)
}

export interface OpenTarget extends AsyncDisposable {
  readonly facts: TargetFacts
  check(): Promise<readonly ConnectionCheckResult[]>
  /** Makes our own tables, takes the fence of this writer and drops staging left by dead runs. Throws `Fenced` when a newer writer has been here. */
  begin(writer: Writer): Promise<BeginResult>
  state(stream: Stream): Promise<StreamState>
  /**
   * Creates the stream's tables or adds the columns they lack. Never drops, never narrows. Tells what it changed. Where a table
   * with rows gets a column, or one becomes text, the stream's checkpoint is forgotten, for the rows that are there lack its values.
   * Comes before `load` and `sweep`, and before a half-loaded refresh is told by `state`.
   */
  prepare(stream: Stream): Promise<readonly TargetSchemaChange[]>
  /** What the main table of a stream is called here, which may be another name than the stream's own. After `prepare`. */
  tableNameOf(stream: Stream): string
  /** The columns of a stream's tables that have other names here than in the source. After `prepare`. */
  renamedColumns(stream: Stream): readonly RenamedColumn[]
  /** The tables that were made for a stream of this name and are there. */
  listTables(stream: string): Promise<readonly StreamTargetTable[]>
  /**
   * Gives tables of a stream other names, all of them or none, with all that is in them. `from` and `to` are names of the source: from
   * then on the stream's tables are found by those. Comes before `prepare` of the stream.
   */
  renameTables(stream: string, tables: readonly TableRename[]): Promise<RenameResult>
  /** What `prepare` would change, without changing it. */
  previewChanges(stream: Stream): Promise<readonly PlannedSchemaChange[]>
  /** Writes into `tributary_run` how the run stands; also after an abort, for a moment. Each note replaces the last of this run's attempt. */
  reportRun(run: RunReport): Promise<void>
  load(stream: Stream, mode: LoadMode): Promise<StreamLoad>
  /** Makes a view, or makes it anew. `select` is told how a table of ours and a name are written here. */
  defineView(name: string, select: (words: StatementNames) => string): Promise<void>
  /**
   * Runs a SELECT over tables and views of ours, after `prepare` of the streams it names; its columns have names, and its rows no order.
   * Every value comes as the database writes it as text, a date as `2026-03-01`.
   */
  select(select: (words: StatementNames) => string): Promise<readonly (readonly (string | null)[])[]>
  /**
   * Deletes the rows (and their children) whose keys are not among `keys`, which must be complete: a text COPY of the key
   * columns in the order of `stream.table.key`. Changes nothing and answers `refused` where more than `guard` would go.
   * Tells which of the keys it has no rows for, either way.
   */
  compareKeys(stream: Stream, keys: AsyncIterable<RowBatch>, guard: ShrinkGuard): Promise<KeyComparisonResult>
}

/** The target takes the source's name for another column's, or cannot have it. `table` and `name` as in the target. */
export interface RenamedColumn {
  readonly table: string
  readonly column: string
  readonly name: string
}

export interface StreamTargetTable {
  /** What the source called it when it was made or renamed. */
  readonly sourceName: string
  readonly name: string
}

export interface TableRename {
  readonly from: string
  readonly to: string
}

/** `taken`: another table has the name, and nothing was renamed. */
export type RenameResult = { readonly outcome: 'done' } | { readonly outcome: 'taken'; readonly name: string }

/** Differences between databases as data, so that planning stays pure and testable. */
export interface TargetFacts {
  readonly kind: string
  readonly identifierMax: { readonly count: number; readonly unit: 'bytes' | 'characters' }
  /** As many as a table can have. */
  readonly columnsMax: number
  quote(name: string): string
  /** The column type that stores this logical type. */
  columnType(type: Table['columns'][number]['type']): string
  /** Whether COPY binary of this fingerprint can be loaded as it is. */
  takesBinary(fingerprint: string): boolean
}

export interface BeginResult {
  /** Whether a run of this connector has ever completed here. */
  readonly hasCompleted: boolean
}

/** How a run stands, for whoever looks into the target. */
export interface RunReport {
  readonly status: 'running' | 'completed' | 'failed' | 'cancelled'
  readonly startedAt: Date
  readonly endedAt: Date | null
  /** For people: why it failed. */
  readonly notice: string | null
  /** Of this attempt; the target adds them to those of the run's earlier ones. */
  readonly rows: RowCounts
}

export interface RowCounts {
  readonly read: number
  readonly written: number
  readonly updated: number
  readonly deleted: number
  readonly rejected: number
}

/** What a column or table has become that the source does not have any more: its values, or rows, stay as they were last. */
export const removedAtSource = 'gone'

/** Named as in the target. `column` null: the whole table is new or `gone`, and `after` says so. */
export interface TargetSchemaChange {
  readonly table: string
  readonly column: string | null
  readonly before: string | null
  readonly after: string
}

/** A change that has not been made, with the source's own names of what it concerns. */
export interface PlannedSchemaChange extends TargetSchemaChange {
  readonly sourceName: { readonly table: string; readonly column: string | null }
  /** The values that come have nothing in common with the column but that both are text. */
  readonly isRetyped?: true
}

/** `merge` writes what differs by key; `replace` loads beside the table and swaps at the end. */
export type LoadMode = { readonly kind: 'merge' } | { readonly kind: 'replace'; readonly resume: boolean }

export interface WriteCounts {
  readonly inserted: number
  readonly updated: number
  readonly deleted: number
}

export interface StreamLoad extends AsyncDisposable {
  readonly encoding: RowEncoding
  /** Resolves when the target can take more; the batch is the target's from then on, and may be released. Rows that cannot be placed are kept aside and counted, not thrown. */
  write(batch: RowBatch): Promise<void>
  /**
   * Makes everything written so far count, together with the checkpoint, in one transaction that the fence guards.
   * A merge's rows become visible; a replacement's stay beside the table until `finish`. A COMMIT whose answer was
   * lost is settled by reading the state again.
   */
  commit(checkpoint: Checkpoint): Promise<WriteCounts>
  /**
   * Commits the rest and, for a replacement, swaps it in with its checkpoint; in the same transaction `tributary_freshness`
   * says that the tables are as fresh as the moment at which the load was begun.
   */
  finish(checkpoint: Checkpoint | null): Promise<WriteCounts>
  readonly rejected: readonly RejectedRowRecord[]
  /** Rejected rows in all; the list above keeps the first thousand. */
  readonly rejectedCount: number
  /** Values that were left empty in rows that were stored, for this kind of database does not know them. */
  readonly nulledCount: number
}

export interface RejectedRowRecord {
  readonly table: string
  /** The row as it came, its columns by name, null for null. */
  readonly row: { readonly [column: string]: string | null }
  readonly column: string | null
  readonly reason: string
}

export interface ShrinkGuard {
  /** Both must be passed before a sweep is refused. */
  readonly rows: number
  readonly share: number
}

export type KeyComparisonResult =
  /** `unplaced`: keys that fit no column here, if any. Their rows were rejected, so the target has none of them. */
  | {
      readonly outcome: 'done'
      readonly deleted: number
      readonly unstorableKeys?: number
      readonly missing: MissingKeys
    }
  | { readonly outcome: 'refused'; readonly wouldDelete: number; readonly rows: number; readonly missing: MissingKeys }

/** Keys of the source that no row of the target has. */
export interface MissingKeys {
  readonly count: number
  /** As they came: rows of key values, encoded as `text`; `missingKeysMax` of them at most. */
  readonly rows: Uint8Array
}

/** More are not looked up one by one: to read the whole table costs less. */
export const missingKeysMax = 100_000
