/** The values that a column may hold because of its name: those of a helper table, or the accounts of the books. */
import { inputTableName } from '@tributary/contract/derived-names'
import { plainName } from '@tributary/contract/sheet-headings'
import type { AppServices } from '../../../app-services.ts'
import { readAccounts, type LedgerAccountServices } from './ledger-accounts.ts'
import { type AllowedValues, byPlainName } from './allowed-values.ts'
import { listRecords, type LoadRecord, readOwnColumns } from '../queries.ts'
import { readColumn } from '../load-table-rows.ts'
import type { Value } from './column-values.ts'
import { type OpenTable, openTable, type TableOf } from '../load-table.ts'

const accountHeadings = new Set(['account', 'accountcode', 'account code'])

export interface ValueLists {
  /** Only of the columns that the sheet has, by their plain names. */
  readonly lists: ReadonlyMap<string, AllowedValues>
  /** What is not checked, and why. */
  readonly notices: readonly string[]
}

/** The different values of the first column of a helper table; undefined for one that nobody has loaded yet, which rules nothing out. */
export type ReadFirstColumn = (record: LoadRecord) => Promise<readonly Value[] | undefined>

export interface ListSources {
  readonly of: TableOf
  readonly columns: readonly string[]
  readonly readFirstColumn: ReadFirstColumn
  /** Helper tables whose values are listed; absent: all. */
  readonly isListed?: (record: LoadRecord) => boolean
}

export async function readLists(
  services: LedgerAccountServices,
  { of, columns, readFirstColumn, isListed = () => true }: ListSources,
): Promise<ValueLists> {
  const headings = new Set(columns.map(plainName))
  const lists = new Map<string, AllowedValues>()
  const accounts = [...accountHeadings].filter((heading) => headings.has(heading))
  const { codes, without } =
    accounts.length === 0 ? { codes: undefined, without: [] } : await readAccounts(services, of)
  if (codes !== undefined)
    for (const heading of accounts) lists.set(heading, { title: 'the chart of accounts', values: codes })
  const notices = without.length === 0 ? [] : [unchecked(without, codes !== undefined)]
  const records = await services.store.within(of.organisationId, (db) => listRecords(db, of.organisationId))
  for (const record of records.filter(
    (each) => each.kind === 'helperTable' && each.id !== of.record.id && isListed(each),
  )) {
    const named = [record.name, record.inputTableName, inputTableName(record.name)]
      .map(plainName)
      .filter((name) => headings.has(name))
    const values = named.length === 0 ? undefined : await readFirstColumn(record)
    if (values === undefined) continue
    const allowed = { title: `the helper table ‘${record.name}’`, values: byPlainName(values) }
    for (const heading of named) lists.set(heading, allowed)
  }
  return { lists, notices }
}

/** By the only writer, which makes the helper table where it is not there. */
export function firstColumnReader(
  { store }: Pick<AppServices, 'store'>,
  { organisationId }: TableOf,
  { target }: OpenTable,
): ReadFirstColumn {
  return async (record) => {
    const known = await store.within(organisationId, (db) => readOwnColumns(db, organisationId, record))
    const [first] = known
    return first === undefined ? undefined : await readColumn(await openTable(target, record, known), first)
  }
}

function unchecked(connectors: readonly string[], areOthersThere: boolean): string {
  const names = connectors.map((name) => `‘${name}’`).join(', ')
  const what = areOthersThere
    ? 'Accounts that only it knows are refused until then.'
    : 'The accounts of this sheet are not checked against a chart of accounts.'
  return `${names} has not brought its chart of accounts yet. ${what} Refresh it first if you want them checked.`
}
