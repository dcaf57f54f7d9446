/** What history needs of a dialect: expressions, and the statements that differ between databases. */
import type { LogicalType } from '../../../ports/model.ts'
import type { ExistingColumn, TableAddress, TargetColumn, TargetTable } from '../table-layout.ts'

/** A column with the alias of its table, quoted. */
export interface AliasedColumns {
  readonly alias: string
  readonly names: readonly string[]
}

export interface HistoryColumn {
  readonly name: string
  readonly type: string
}

/** Rows to change in a history table, which has the alias `h`. */
export interface HistoryChange {
  /** Quoted name of the history table. */
  readonly history: string
  /** Another table of which exactly one row belongs to each row to change. */
  readonly join: { readonly table: string; readonly on: string } | null
  readonly where: string
}

/** The rows of a table with a key, next to their current versions. Expressions name a row `t` and a version `h`. */
export interface VersionPairs {
  /** Quoted name of the history table. */
  readonly history: string
  /** What follows FROM: the rows. */
  readonly rows: string
  /** That a version is the current one of the row. */
  readonly isCurrent: string
  /** That row and version have the same values. */
  readonly isSame: string
  /** That this very run has written the version. */
  readonly isOwn: string
  /** Values of a new version, by quoted column of the history. */
  readonly values: ReadonlyMap<string, string>
  readonly validTo: string
  readonly moment: string
}

/** How a table is read as it was. */
export interface AsOfDefinition extends TableAddress {
  /** Name of the table. */
  readonly table: string
  readonly columns: readonly HistoryColumn[]
  /** A SELECT of the columns at the moment that this expression gives. */
  select(moment: string): string
  /** Cut-off of the run that began the history. */
  readonly since: string
}

/** Lists of keys, each from a table with columns in the order of the main table's key. */
export interface KeyLists {
  readonly main: TargetTable
  readonly lists: readonly { readonly from: string; readonly columns: readonly string[] }[]
}

export interface HistorySql<Session> {
  /** Types of the columns that history adds. */
  readonly historyTypes: {
    readonly moment: string
    readonly runId: string
    readonly hash: string
    readonly number: string
  }
  /** A moment such as `2026-11-28T06:00:00.123456Z` as a literal of the type of `valid_from`. */
  momentLiteral(moment: string): string
  textLiteral(text: string): string
  /** A column as text, compared exactly. */
  asText(column: string): string
  /** Selects about how many rows a table has, and the bytes that it takes with its indexes. @param name unquoted */
  tableSizeSql(name: string): string
  /** A column as a point in time in UTC, of the type of `valid_from`; null if its type is not a time. */
  asMoment(column: string, type: LogicalType): string | null
  /** How the database stores a column; equal where the types are equal. */
  storedType(column: ExistingColumn): string
  createHistoryTable(session: Session, at: TableAddress, columns: readonly HistoryColumn[]): Promise<void>
  addHistoryColumns(session: Session, at: TableAddress, columns: readonly HistoryColumn[]): Promise<void>
  /** Changes the types of columns to wider ones. */
  widenHistoryColumns(
    session: Session,
    at: TableAddress,
    columns: readonly (HistoryColumn & { readonly from: ExistingColumn })[],
  ): Promise<void>
  /** Creates an index over these columns, in which current row versions are found, unless the table has it. @param index its name within the table */
  ensureHistoryIndex(
    session: Session,
    at: TableAddress,
    index: { readonly name: string; readonly columns: readonly string[]; readonly validTo: string },
  ): Promise<void>
  /** True of two rows with the same key, byte by byte. `columns` describe the names of both sides. */
  keysEqual(columns: readonly TargetColumn[], left: AliasedColumns, right: AliasedColumns): string
  /** True of two rows with the same values, NULL included, as exactly as a merge compares them. Both sides are expressions. */
  valuesEqual(columns: readonly TargetColumn[], left: readonly string[], right: readonly string[]): string
  /** SHA-256 of all values of a row as hexadecimal digits. @param values expressions */
  rowHash(columns: readonly TargetColumn[], values: readonly string[]): string
  /** Within a transaction: how the planner shall join the following statements, where it would guess wrong. */
  planVersions(session: Session, extent: 'few' | 'all'): Promise<void>
  /** After many versions were written: statistics, where the planner needs them. */
  analyseHistory(session: Session, name: string): Promise<void>
  /** Creates temporary tables with the distinct keys of all lists, or fills them again. Quoted names. */
  listKeys(session: Session, names: readonly string[], keys: KeyLists): Promise<void>
  /**
   * Creates or replaces what returns the table as it was at a moment, where the user may do that: a function, or the procedure that all tables
   * share. It refuses moments before the history began.
   */
  defineAsOf(session: Session, asOf: AsOfDefinition): Promise<void>
  /** Drops the function of a table, if there is one. */
  dropAsOf(session: Session, at: TableAddress): Promise<void>
  /**
   * One statement that reads each row and its current version once: it ends versions that differ, removes those of the same run, and adds new
   * ones. Null where the database has none; then three statements do the same.
   */
  readonly supersedeVersions: ((pairs: VersionPairs) => string) | null
  deleteVersions(change: HistoryChange): string
  closeVersions(change: HistoryChange, validTo: string, moment: string): string
}
