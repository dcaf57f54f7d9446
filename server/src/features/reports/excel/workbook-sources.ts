/** Where the queries of a workbook read their rows: from the warehouse, or from the OData feed, which needs no driver. */
import type { EntitySet } from '../../../access/feed/feed-model.ts'
import { notFound } from '../../../kernel/http/api-fault.ts'
import { feedRows, warehouseRows } from '../m-language.ts'
import type { TableWorkbook } from './table-workbook.ts'

type WorkbookSource = Pick<TableWorkbook, 'rowsOf' | 'credentials'>

export function databaseSource(address: { readonly server: string; readonly database: string }): WorkbookSource {
  return {
    rowsOf: (table) => warehouseRows(address, table),
    credentials: [
      '3. Excel asks how to sign in. Choose Database, and enter the user and password from Connect your reports in Tributary.',
      'If Excel says that it needs a provider, install Npgsql, the PostgreSQL provider for Windows, once on this computer.',
    ],
  }
}

/** @param service the address of the feed, with a slash at the end */
export function feedSource(service: string, sets: readonly EntitySet[]): WorkbookSource {
  return {
    rowsOf(table) {
      const set = sets.find((each) => each.table.schema === table.schema && each.table.name === table.name)
      if (set === undefined) throw notFound()
      const names = new Map(set.properties.map(({ name, column }) => [column.name, name]))
      const columns = table.columns.map(({ name, kind }) => ({ property: names.get(name) ?? name, name, kind }))
      return feedRows(service, set.name, columns)
    },
    credentials: [
      '3. Excel asks how to sign in to the feed. Choose Basic. Enter your email address as user name, and an access token as password: in Tributary, choose Profile, Access tokens, New token, and tick data.read.',
      `4. As the level to which this applies, choose ${service}, so that Excel sends the token nowhere else.`,
      'When the token expires, make a new one, and enter it under Data, Get Data, Data Source Settings, Edit Permissions.',
    ],
  }
}
