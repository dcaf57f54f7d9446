/**
 * The history of a table: one row for each version of a row, the current ones included. A version is valid from the cut-off of the run that
 * wrote it until the cut-off of the run that superseded or deleted it. Pure.
 */
import type { TargetColumn, TargetTable, TableAddress } from '../table-layout.ts'
import { fitName, marked, type NameMax } from '../names.ts'

/** The columns that history adds to those of its table. The names of these properties are stored in targets, so they must not change. */
export interface HistoryNames {
  readonly validFrom: string
  /** NULL in a current version. */
  readonly validTo: string
  /** The run that wrote the version. */
  readonly runId: string
  /** When the source says that it changed the row; NULL if it does not say. */
  readonly sourceChangedAt: string
  /** Identify a row of a table without a key: a hash of its values, and its number among the rows that are equal. */
  readonly rowHash: string
  readonly rowNumber: string
}

export interface HistoryTable extends TableAddress {
  readonly of: TargetTable
  /** The names in history of the columns of `of`, in the same order. */
  readonly columns: readonly string[]
  /** Their types in history, which hold the values of all versions: wider ones than in the table, if that was created with other types. */
  readonly types: readonly string[]
  /** Columns of `of` whose values history holds as text, because former values have no other type in common with them. */
  readonly texts: ReadonlySet<string>
  readonly names: HistoryNames
  /** The column of `of` with the source's own time of change. */
  readonly changedAt: TargetColumn | null
  /** Cut-off of the run that began the history. */
  readonly since: string
}

/** A row of `tributary_history`. */
export interface StoredHistory {
  readonly table: string
  readonly name: string
  readonly stream: string
  readonly names: HistoryNames
  /** Null until the rows of the table are in it. */
  readonly since: string | null
  /** Null while it is kept up to date. */
  readonly endedAt: string | null
  /** The SELECT that was defined for `as_of`, in which `?` stands for the moment. */
  readonly asOfSelect: string | null
}

/** The histories of a stream's tables, and the cut-off of the run that writes. */
export interface StreamHistory {
  /** In the order of the stream's tables. */
  readonly tables: readonly HistoryTable[]
  readonly cutOff: string
  /** Whether this run, or an earlier attempt of it, may have written versions. */
  hasOwnVersions: boolean
}

/** Stands for the history of a stream in the table of tables. */
export function historyClaim(stream: string): string {
  return `tributary history ${stream}`
}

/** Names for the added columns that no column of the table has. */
export function historyNames(columns: readonly string[], max: NameMax, fold: (name: string) => string): HistoryNames {
  const taken = new Set(columns.map(fold))
  const free = (name: string): string => (taken.has(fold(name)) ? marked(name, max, `history\t${name}`) : name)
  return {
    validFrom: free('valid_from'),
    validTo: free('valid_to'),
    runId: free('run_id'),
    sourceChangedAt: free('source_changed_at'),
    rowHash: free('row_hash'),
    rowNumber: free('row_number'),
  }
}

/** A column that was added to the table later may have the name of a column that history added earlier. */
export function columnsInHistory(
  columns: readonly string[],
  names: HistoryNames,
  { max, fold }: { readonly max: NameMax; readonly fold: (name: string) => string },
): readonly string[] {
  const taken = new Set(Object.values(names).map((name: string) => fold(name)))
  return columns.map((name) => (taken.has(fold(name)) ? marked(name, max, `column\t${name}`) : fitName(name, max)))
}

/** The name in history of a column of the table. */
export function nameInHistory({ of, columns }: HistoryTable, name: string): string {
  return columns[of.columns.findIndex((column) => column.name === name)] ?? name
}

export function hasKey({ of }: HistoryTable): boolean {
  return of.key.length > 0
}
