import type { HelperTable } from '@tributary/contract/planning-records'
import { call, callPage } from '../../api/call.ts'
import type { ListedKind } from './record-kind.ts'
import { RecordPage } from './record-page.tsx'
import { helperTables, helperTablesNamed, tableColumns, tableTitles } from './table-names.tsx'

const tablesOf = ({ InputTableName }: HelperTable) => helperTables(InputTableName)

const helperTableKind: ListedKind<HelperTable> = {
  key: 'helperTables',
  one: 'helper table',
  many: 'helper tables',
  adding: 'Add new Helper Table(s)',
  nameLabel: 'Name',
  statuses: ['active', 'locked', 'archived'],
  deletion: 'deleteStructure',
  list: (ask, signal) =>
    callPage('GET /helperTables', { query: { ...ask, archived: 'true' }, ...(signal && { signal }) }),
  add: (name, comOrganisationId) => call('POST /helperTables', { body: { name, comOrganisationId } }),
  change: (helperTableId, body) => call('POST /helperTables/:helperTableId', { params: { helperTableId }, body }),
  remove: (helperTableId) => call('DELETE /helperTables/:helperTableId', { params: { helperTableId } }),
  goesWith: () => 'Whoever it is assigned to loses it. Rows that were loaded stay in the database.',
  tablesOf: helperTablesNamed,
  exported: [
    { title: tableTitles.excel, text: (row) => tablesOf(row).full.excel },
    { title: tableTitles.sql, text: (row) => tablesOf(row).full.sql },
  ],
}

const columns = tableColumns(tablesOf)

export function HelperTablesPage() {
  return <RecordPage kind={helperTableKind} title="Helper Tables" columns={columns} />
}
