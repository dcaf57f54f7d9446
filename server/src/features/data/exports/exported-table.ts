import type { DataCell } from '@tributary/contract/data'
import type { ColumnModel, TableModel } from '../../../access/query/table-model.ts'

export type ExportFormat = 'csv' | 'xlsx' | 'parquet'

/** A row that is written to a file; its cells are as in the contract's `DataRows`. */
export type ExportRow = readonly DataCell[]

export interface ExportedTable {
  readonly table: Pick<TableModel, 'name'>
  readonly columns: readonly ExportedColumn[]
  /** Rows in batches. */
  readonly rows: AsyncIterable<readonly ExportRow[]>
}

export type ExportedColumn = Pick<ColumnModel, 'name' | 'kind' | 'sqlType'>

/** Yields the bytes of a file, or its text in UTF-8. */
export type FileWriter = (exported: ExportedTable) => AsyncIterable<string | Uint8Array>

/** The first line that the process of an export reads. The elements of a JSON array follow, one row a line. */
export interface ExportJob {
  readonly format: ExportFormat
  readonly table: Pick<TableModel, 'name'>
  readonly columns: readonly ExportedColumn[]
}
