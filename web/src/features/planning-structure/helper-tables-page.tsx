import type { HelperTable } from '@tributary/contract/planning-records'
import { call, callPage } from '../../api/call.ts'
import { recordDescriptions } from '../../domain/structure-map/record-descriptions.ts'
import type { ListedRecordKind } from './record-kind.ts'
import { RecordPage } from './record-page.tsx'
import { helperTableNamesOfInput, helperTableNamesOf, tableNameColumns, tableNameTitles } from './table-names.tsx'

const helperTableNames = ({ InputTableName }: HelperTable) => helperTableNamesOfInput(InputTableName)

const helperTableKind: ListedRecordKind<HelperTable> = {
  key: 'helperTables',
  one: 'helper table',
  many: 'helper tables',
  about: recordDescriptions.helperTable,
  gaps: ['helperTablesWithoutTable'],
  addLabel: 'Add new Helper Table(s)',
  nameLabel: 'Name',
  statuses: ['active', 'locked', 'archived'],
  deleteCapability: 'deleteStructure',
  list: (query, request) => callPage('GET /helperTables', { query: { ...query, archived: 'true' }, ...request }),
  add: (name, comOrganisationId) => call('POST /helperTables', { body: { name, comOrganisationId } }),
  change: (helperTableId, body) => call('POST /helperTables/:helperTableId', { params: { helperTableId }, body }),
  remove: (helperTableId) => call('DELETE /helperTables/:helperTableId', { params: { helperTableId } }),
  describeDeletion: () => 'Users lose access to it. Loaded rows stay in the database.',
  tableNames: helperTableNamesOf,
  exportColumns: [
    { title: tableNameTitles.excel, text: (row) => helperTableNames(row).full.excel },
    { title: tableNameTitles.sql, text: (row) => helperTableNames(row).full.sql },
  ],
}

const helperTableColumns = tableNameColumns(helperTableNames)

export function HelperTablesPage() {
  return <RecordPage kind={helperTableKind} title="Helper Tables" columns={helperTableColumns} />
}
