import type { ReportColumn, ReportTable } from '../report-model.ts'

export interface ModelColumn {
  readonly source: ReportColumn
  readonly name: string
}

/** A table with the names that its objects have in the semantic model. */
export interface NamedTable {
  readonly source: ReportTable
  readonly name: string
  readonly columns: readonly ModelColumn[]
}
