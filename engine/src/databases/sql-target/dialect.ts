/** The port of a SQL target: everything that differs between databases. A new SQL database implements it and passes the target suite. */
import type { UnknownValues } from '../../encoding/unsupported-values.ts'
import type { RowBatch, Column, RowEncoding, LogicalType, Table } from '../../ports/model.ts'
import type { Stream, ConnectionContext } from '../../ports/source.ts'
import type { WriteCounts, TargetFacts, Writer } from '../../ports/target.ts'
import type { DateWords } from '../../ports/view-names.ts'
import type { CommentLimits, Comments } from './comment-limits.ts'
import type { HistorySql } from './history/history-sql.ts'
import type { Rejects } from './rejected-rows.ts'
import type { PublicationSql } from './publication/publication-sql.ts'
import type { ConnectionCheck, SqlValue, TargetSession, TargetSessions, TextRow } from './sessions.ts'
import type { HalfLoadedRefresh, StateKey, StoredRejects, StoredState } from './stored-state.ts'
import type { VerificationSql } from './table-checksums.ts'
import type {
  ColumnFit,
  ExistingColumn,
  StreamTables,
  TableAddress,
  RenamedTable,
  TargetTable,
  TargetTablePlan,
} from './table-layout.ts'

/** Quoted names of the tables that Tributary keeps in a target for itself. */
export interface SystemTables {
  readonly writer: string
  readonly state: string
  readonly tables: string
  readonly rejects: string
  readonly runs: string
  readonly freshness: string
  readonly histories: string
  readonly cutOffs: string
}

/** A row of a system table that is inserted, or replaces the one with the same key. */
export interface SystemRow {
  readonly table: string
  readonly key: SqlRecord
  readonly values: SqlRecord
  /** Values that a row keeps from its first insert. */
  readonly initial?: SqlRecord
  /** Column that gets the time of the server. */
  readonly touched?: string
}

export type SqlRecord = Readonly<Record<string, SqlValue>>

interface SystemTableSql<Session> {
  readonly systemTables: SystemTables
  /** Columns of the state table that have other names elsewhere, and additional ones, which are null unless a swap is decided. */
  readonly stateColumns: {
    readonly checkpoint: string
    readonly refresh: string
    readonly rows: string
    readonly additional: readonly string[]
  }
  /** Null where a session always is in a transaction. */
  readonly begin: string | null
  readonly commit: string
  /**
   * Starts a run: creates the system tables, takes the fencing token (throws `Fenced`) and finishes swaps that a killed run had decided.
   * Returns the failures by stream: they concern that stream only.
   */
  startRun(session: Session, writer: Writer, around: ConnectionContext): Promise<ReadonlyMap<string, unknown>>
  /** Fencing token and run ID of the newest writer, share-locked until the end of the transaction. */
  lockFence(session: Session, connectorId: string): Promise<TextRow | undefined>
  /** Called on a new session before it loads a stream: no earlier run may still write to it. */
  claimStream(session: Session, writer: Writer, stream: string): Promise<void>
  /** Called first in every transaction that changes a stream: waits for an earlier run that is still committing. */
  lockStream(session: Session, key: StateKey): Promise<void>
  /** Selects an integer column as text. */
  integer(column: string): string
  upsert(session: Session, row: SystemRow): Promise<void>
  writeRejects(session: Session, rejects: StoredRejects): Promise<void>
}

/** A column with a type that the target can give it. */
export interface WantedColumn {
  readonly column: Column
  /** Type of the values that arrive. */
  readonly values: LogicalType
}

interface TableSql<Session, Existing extends ExistingColumn> {
  /** Empty where the database has no schemas. */
  readonly schema: string
  qualified(name: string): string
  /** The name that a table of the source gets, unless it is taken. */
  tableName(sourceName: string): string
  /** Text that distinguishes two tables of one connector with the same name. */
  nameMark(stream: string, sourceName: string): string
  /** Selects the connector that has claimed the name given as the only parameter. */
  readonly nameHolderSql: string
  nameTakenNotice(name: string): string
  foreignTableNotice(name: string): string
  relationExists(session: Session, name: string): Promise<boolean>
  /** Names compare as equal where this returns the same. */
  foldName(name: string): string
  columnNames(table: Table, existing: readonly Existing[]): (column: string) => string
  fitColumns(table: Table): readonly WantedColumn[]
  /** Empty where there is no such table. */
  readColumns(session: Session, name: string): Promise<readonly Existing[]>
  fit(existing: Existing, want: LogicalType): ColumnFit
  hasSameKey(existing: readonly Existing[], key: readonly string[]): boolean
  /** Wraps the changes of a stream's tables: a transaction where the database can undo DDL, with the fencing token checked last. */
  changeTables<T>(session: Session, writer: Writer, work: () => Promise<T>): Promise<T>
  /** Wraps the search for a name and its claim: two connectors must not take the same one. */
  whileNaming<T>(session: Session, work: () => Promise<T>): Promise<T>
  /** Called between the statements on the system tables and the DDL. */
  beforeDdl(session: Session, writer: Writer): Promise<void>
  createTable(session: Session, target: TargetTable): Promise<void>
  alterTable(session: Session, plan: TargetTablePlan<Existing>): Promise<void>
  /** Condition on `name` in the table of tables: the table still exists. */
  readonly tableExistsSql: string
  /** Whether a table has this name that does not belong to the stream. */
  isNameTaken(session: Session, name: string, stream: StateKey): Promise<boolean>
  /** @param finish called once the tables have their new names, before the last commit */
  renameTables(
    session: Session,
    writer: Writer,
    renamed: readonly RenamedTable[],
    finish: () => Promise<void>,
  ): Promise<void>
}

/** A staging table and the table that its rows go to. Names are quoted. */
export interface StagedTable {
  readonly target: TargetTable
  readonly stage: string
  /** Null for a list of keys. */
  readonly into: string | null
  /** Whether each key arrives at most once. */
  readonly distinct: boolean
}

/** A DELETE from the main table or a child of it, by keys of the main table. */
export interface KeyedDelete {
  readonly target: TargetTable
  /** The table to delete from. Quoted. */
  readonly from: string | null
  readonly keys: StagedTable
  /** Rows whose key is not in the list are deleted after `compareKeys`, in the same transaction. */
  readonly which: 'listed' | 'unlisted'
}

/** Rows on their way into one table by the fastest path of the database. */
export interface BulkLoader {
  /** Rows in the table, where the loader writes to it directly. */
  readonly copied: number
  /** False only if the table is certainly empty. */
  readonly mayHaveRows: boolean
  /** Resolves when more can be taken (backpressure). The batch belongs to the loader from then on. */
  write(batch: RowBatch): Promise<void>
  /** Resolves when everything written is in the table or among the rejected rows. */
  flush(): Promise<void>
}

export interface BulkOptions {
  readonly staged: StagedTable
  /** The table to load: the staging table, or the target itself. Quoted. */
  readonly loaded: string
  readonly encoding: RowEncoding
  readonly rejects: Rejects
  /** True while nothing that was loaded could be continued by another run. */
  readonly isDiscardable: () => boolean
}

interface LoadSql<Session> {
  readonly unknownValues: UnknownValues
  /** Whether the rows of a main table are counted where their number is unknown. */
  readonly countsRows: boolean
  /** Expression that counts rows. */
  readonly countRows: string
  /** Whether the list of deleted keys is created with the stages, before the first bulk load occupies the session. */
  readonly listsDeletedKeysAlways: boolean
  encodingFor(stream: Stream, tables: StreamTables): RowEncoding
  /** Quoted name of a temporary table. */
  temporary(name: string): string
  /** @param main the main table of the stream, for what its children need */
  createStage(session: Session, staged: StagedTable, main: TargetTable): Promise<void>
  bulkLoader(session: Session, options: BulkOptions): Promise<BulkLoader>
  /** Empties staging tables after a commit; `finished`: for the last time, after which the session is released. */
  clearStages(session: Session, stages: readonly string[], when: 'committed' | 'finished'): Promise<void>
  /** Inserts new rows, updates those that differ. Rows without a key are only inserted. */
  merge(session: Session, staged: StagedTable, isEmpty: boolean): Promise<Pick<WriteCounts, 'inserted' | 'updated'>>
  /** Deletes the children that staged parents no longer have, and all without a key: they are inserted again. Returns how many. */
  deleteMissingChildren(session: Session, child: StagedTable, parent: StagedTable): Promise<number>
  /** Returns how many rows were deleted. */
  deleteByKeys(session: Session, rows: KeyedDelete): Promise<number>
}

/** Tables that a replacement is loaded into while readers see the former ones. */
export interface ShadowTables {
  /** Quoted names, in the order of the stream's tables. */
  readonly tables: readonly string[]
  /** Rows go straight in, without staging. */
  readonly isDirect: boolean
  /** Whether they hold rows of an earlier attempt. */
  readonly isResumed: boolean
  /** Applies what is staged and puts the shadow tables in place of the tables, together with the end state. */
  finish(end: ReplacementEnd): Promise<WriteCounts>
}

/** What a load does at the end of a replacement, for the dialect to order around its swap. */
export interface ReplacementEnd {
  /** Brings staged rows into the shadow tables. */
  apply(): Promise<{ readonly counts: WriteCounts; readonly state: StoredState; readonly rows: number }>
  /** Brings history in line with the shadow tables. Within the transaction that makes or decides the swap, before it. */
  recordHistory(): Promise<void>
  clearStages(): Promise<void>
  transaction<T>(work: () => Promise<T>): Promise<T>
  endState(rows: number): StoredState
  /** Within a transaction, last. */
  writeState(state: StoredState, additional?: SqlRecord): Promise<void>
  /** Freshness and end state; within the transaction of the swap, last. */
  writeEnd(state: StoredState): Promise<void>
}

export interface ShadowOptions {
  readonly writer: Writer
  readonly stream: Stream
  readonly tables: StreamTables
  /** The refresh to continue. */
  readonly refresh: HalfLoadedRefresh | null
  readonly around: ConnectionContext
}

interface ShadowSql<Session> {
  /** Whether stored shapes include the types of the values. */
  readonly hashesValues: boolean
  shadowName(table: string, writer: Pick<Writer, 'connectorId' | 'fence'>): string
  /** Called before shadow tables that another run could continue are dropped. */
  discardRefresh(
    session: Session,
    key: { readonly writer: Writer; readonly stream: string; readonly state: StoredState },
  ): Promise<void>
  /** Drops what unfinished replacements have left. */
  dropShadowTables(session: Session, tables: StreamTables, writer: Writer): Promise<void>
  openShadowTables(session: Session, options: ShadowOptions): Promise<ShadowTables>
}

interface KeyComparisonSql<Session> {
  /** Counts the rows of the main table, and those whose key is not in the complete list. */
  compareKeys(
    session: Session,
    main: TargetTable,
    keys: StagedTable,
  ): Promise<{ readonly rows: number; readonly deleted: number }>
  /** `FROM …` of the listed keys that no row has. */
  missingKeysSql(main: TargetTable, keys: StagedTable): string
  /** At most `missingKeysMax` of them, encoded as text. */
  readMissingKeys(session: Session, keys: StagedTable, from: string): Promise<Uint8Array>
}

interface ViewSql<Session> {
  viewName(name: string): string
  readonly dates: DateWords
  readonly lateralJoin?: string
  replaceView(session: Session, name: string, select: string): Promise<void>
  dropView(session: Session, name: string): Promise<void>
  /** @param tables quoted names of the prepared tables */
  select(session: Session, select: string, tables: readonly string[]): Promise<readonly TextRow[]>
}

interface CommentSql<Session> {
  readonly commentLimits: CommentLimits
  readComments(session: Session, at: TableAddress): Promise<Comments>
  /** An empty text removes the comment. */
  setComments(session: Session, at: TableAddress, comments: Comments): Promise<void>
}

export interface SqlDialect<Session = TargetSession, Existing extends ExistingColumn = ExistingColumn>
  extends
    SystemTableSql<Session>,
    TableSql<Session, Existing>,
    LoadSql<Session>,
    ShadowSql<Session>,
    KeyComparisonSql<Session>,
    HistorySql<Session>,
    PublicationSql<Session>,
    CommentSql<Session>,
    VerificationSql<Session>,
    ViewSql<Session> {
  readonly facts: TargetFacts
  openSessions(around: ConnectionContext): TargetSessions<Session>
  /** What ‘Test connection’ tries once a session was opened. Each throws a Fault whose notice says what to do. */
  checks(): readonly ConnectionCheck<Session>[]
}

/** A session with the dialect it speaks, on behalf of one writer. */
export interface WriterSession {
  readonly dialect: SqlDialect
  readonly session: TargetSession
  readonly writer: Writer
}
