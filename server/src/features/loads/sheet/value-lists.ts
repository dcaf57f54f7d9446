/** Allowed values of columns that are named after a helper table or hold ledger accounts. */
import { inputTableName } from '@tributary/contract/derived-names'
import { plainName } from '@tributary/contract/sheet-headings'
import type { AppServices } from '../../../app-services.ts'
import { readLedgerAccounts } from './ledger-accounts.ts'
import { type AllowedValues, byPlainName } from './allowed-values.ts'
import { listRecords, type LoadRecord, readOwnColumns } from '../queries.ts'
import { readColumn } from '../load-table-rows.ts'
import type { ColumnValue } from './column-values.ts'
import { type OpenTable, openTable, type LoadTableReference, type LoadTableServices } from '../load-table.ts'

const accountHeadings = new Set(['account', 'accountcode', 'account code'])

export interface ValueLists {
  /** For columns of the sheet, by plain name. */
  readonly lists: ReadonlyMap<string, AllowedValues>
  /** Notices about columns that are not checked. */
  readonly notices: readonly string[]
}

/** The distinct values of a helper table's first column; undefined if it was never loaded, which allows every value. */
export type ReadFirstColumn = (record: LoadRecord) => Promise<readonly ColumnValue[] | undefined>

export interface ListSources {
  readonly of: LoadTableReference
  readonly columns: readonly string[]
  readonly readFirstColumn: ReadFirstColumn
  /** Filter of helper tables whose values are listed; default: all. */
  readonly isListed?: (record: LoadRecord) => boolean
}

export async function readLists(
  services: LoadTableServices,
  { of, columns, readFirstColumn, isListed = () => true }: ListSources,
): Promise<ValueLists> {
  const headings = new Set(columns.map(plainName))
  const lists = new Map<string, AllowedValues>()
  const accounts = [...accountHeadings].filter((heading) => headings.has(heading))
  const { codes, without } =
    accounts.length === 0 ? { codes: undefined, without: [] } : await readLedgerAccounts(services, of.organisationId)
  if (codes !== undefined)
    for (const heading of accounts) lists.set(heading, { title: 'the chart of accounts', values: codes })
  const notices = without.length === 0 ? [] : [uncheckedNotice(without, codes !== undefined)]
  const records = await services.store.within(of.organisationId, (db) => listRecords(db, of.organisationId))
  for (const record of records.filter(
    (each) => each.kind === 'helperTable' && each.id !== of.record.id && isListed(each),
  )) {
    const headingsOfTable = [record.name, record.inputTableName, inputTableName(record.name)]
      .map(plainName)
      .filter((name) => headings.has(name))
    const values = headingsOfTable.length === 0 ? undefined : await readFirstColumn(record)
    if (values === undefined) continue
    const allowed = { title: `the helper table ‘${record.name}’`, values: byPlainName(values) }
    for (const heading of headingsOfTable) lists.set(heading, allowed)
  }
  return { lists, notices }
}

/** The caller holds the table lock. Creates the helper table if it does not exist. */
export function createFirstColumnReader(
  { store }: Pick<AppServices, 'store'>,
  { organisationId }: LoadTableReference,
  { target }: OpenTable,
): ReadFirstColumn {
  return async (record) => {
    const known = await store.within(organisationId, (db) => readOwnColumns(db, organisationId, record))
    const [first] = known
    return first === undefined ? undefined : await readColumn(await openTable(target, record, known), first)
  }
}

function uncheckedNotice(connectors: readonly string[], areOthersThere: boolean): string {
  const names = connectors.map((name) => `‘${name}’`).join(', ')
  const what = areOthersThere
    ? 'Accounts that exist only there are refused until then.'
    : 'The accounts of this sheet are not checked against a chart of accounts.'
  return `${names} has not loaded its chart of accounts yet. ${what} Refresh it first if you want the accounts to be checked.`
}
