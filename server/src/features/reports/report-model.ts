/** What a Power BI project or a workbook is generated from: the tables that the person may read, and where they are. */

/**
 * How a report reads a column.
 * - `money`: a decimal that Power BI's fixed decimal holds exactly: at most 15 digits before the point and 4 after it.
 * - `number`: any other decimal, and doubles. Power BI and Excel keep 15 digits of it.
 * - `instant`: a timestamp with time zone, which reports show in UTC.
 */
export type ReportColumnKind =
  | 'text'
  | 'whole'
  | 'money'
  | 'number'
  | 'boolean'
  | 'date'
  | 'dateTime'
  | 'instant'
  | 'time'

export interface ReportColumn {
  readonly name: string
  readonly kind: ReportColumnKind
  readonly description: string | null
}

/** Rows of the table refer to rows of another one. */
export interface ReportRelation {
  readonly columns: readonly string[]
  readonly toSchema: string
  readonly toTable: string
  readonly toColumns: readonly string[]
}

/** An amount of a ready question. A `flow` adds up over time; of a `balance`, the latest day counts. */
export interface ReportAmount {
  readonly column: string
  readonly kind: 'flow' | 'balance'
}

export interface ReportTable {
  readonly schema: string
  readonly name: string
  readonly purpose: 'table' | 'question' | 'version' | 'helperTable' | 'rights'
  readonly description: string | null
  readonly columns: readonly ReportColumn[]
  /** Columns of a type that Power BI and Excel cannot read, such as `bytea`. */
  readonly omitted: readonly { readonly name: string; readonly type: string }[]
  /** The columns that identify a row; empty if unknown. */
  readonly key: readonly string[]
  readonly relations: readonly ReportRelation[]
  /** Of a ready question. */
  readonly amounts: readonly ReportAmount[]
  /** The column of which rows with different values repeat the same amounts, so that only rows with one value add up. */
  readonly repeatedBy: string | null
}

export interface ReportModel {
  readonly organisation: { readonly id: string; readonly name: string }
  readonly warehouse: { readonly host: string; readonly port: number; readonly database: string }
  readonly tables: readonly ReportTable[]
  /** The years of the date table. */
  readonly years: { readonly first: number; readonly last: number }
}
