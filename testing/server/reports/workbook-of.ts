/** The workbook of all tables of a model, read from the warehouse or from the feed. */
import { createFeedModel } from '../../../server/src/access/feed/feed-model.ts'
import type { TableModel } from '../../../server/src/access/query/table-model.ts'
import { tableWorkbook } from '../../../server/src/features/reports/excel/table-workbook.ts'
import { databaseSource, feedSource } from '../../../server/src/features/reports/excel/workbook-sources.ts'
import type { ReportModel, ReportTable } from '../../../server/src/features/reports/report-model.ts'

export type WorkbookSource = 'database' | 'feed'

export function workbookOf({ organisation, tables, warehouse }: ReportModel, source: WorkbookSource): Buffer {
  const { host, port, database } = warehouse
  const sets = createFeedModel(tables.map(toTableModel))
  const read =
    source === 'database'
      ? databaseSource({ server: `${host}:${port}`, database })
      : feedSource(`https://portal.example.com/odata/${organisation.id}/`, sets)
  return tableWorkbook({ organisation: organisation.name, tables, ...read })
}

/** As far as names in the feed depend on it. */
function toTableModel({ schema, name, columns, key }: ReportTable): TableModel {
  return {
    schema,
    name,
    kind: 'table',
    columns: columns.map((column) => ({
      name: column.name,
      kind: 'text',
      sqlType: 'text',
      nullable: true,
      description: null,
    })),
    key,
    description: null,
    relations: [],
  }
}
