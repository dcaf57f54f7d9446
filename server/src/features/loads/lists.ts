/** The values that a column may hold because of its name: those of a helper table, or the accounts of the books. */
import { inputTableName } from '@tributary/contract/derived-names'
import type { Parts } from '../../platform/parts.ts'
import { readAccounts } from './accounts.ts'
import { listRecords, type LoadRecord, readOwnColumns } from './queries.ts'
import { plainName } from './rights.ts'
import { readColumn } from './table-rows.ts'
import { type OpenTable, openTable, type TableOf } from './tables.ts'
import type { AllowedValues } from './validate.ts'

const accountHeadings = new Set(['account', 'accountcode', 'account code'])

export interface ValueLists {
  /** Only of the columns that the sheet has, by their plain names. */
  readonly lists: ReadonlyMap<string, AllowedValues>
  /** What is not checked, and why. */
  readonly notices: readonly string[]
}

export async function readLists(
  parts: Parts,
  { of, table, columns }: { readonly of: TableOf; readonly table: OpenTable; readonly columns: readonly string[] },
): Promise<ValueLists> {
  const headings = new Set(columns.map(plainName))
  const lists = new Map<string, AllowedValues>()
  const accounts = [...accountHeadings].filter((heading) => headings.has(heading))
  const { codes, without } = accounts.length === 0 ? { codes: undefined, without: [] } : await readAccounts(parts, of)
  if (codes !== undefined) for (const heading of accounts) lists.set(heading, { title: 'the chart of accounts', values: codes })
  const notices = without.length === 0 ? [] : [unchecked(without, codes !== undefined)]
  const records = await parts.store.within(of.organisationId, (db) => listRecords(db, of.organisationId))
  for (const record of records.filter(({ kind, id }) => kind === 'helperTable' && id !== of.record.id)) {
    const named = [record.name, record.inputTableName, inputTableName(record.name)].map(plainName).filter((name) => headings.has(name))
    if (named.length === 0) continue
    const values = await readList(parts, { of, table, record })
    if (values !== undefined) for (const heading of named) lists.set(heading, { title: `the helper table ‘${record.name}’`, values })
  }
  return { lists, notices }
}

function unchecked(connectors: readonly string[], areOthersThere: boolean): string {
  const names = connectors.map((name) => `‘${name}’`).join(', ')
  const what = areOthersThere
    ? 'Accounts that only it knows are refused until then.'
    : 'The accounts of this sheet are not checked against a chart of accounts.'
  return `${names} has not brought its chart of accounts yet. ${what} Refresh it first if you want them checked.`
}

/** Undefined for a helper table that nobody has loaded yet: it rules nothing out. */
async function readList(
  { store }: Parts,
  { of, table, record }: { readonly of: TableOf; readonly table: OpenTable; readonly record: LoadRecord },
): Promise<ReadonlySet<string> | undefined> {
  const known = await store.within(of.organisationId, (db) => readOwnColumns(db, of.organisationId, record))
  const [first] = known
  if (first === undefined) return undefined
  const values = await readColumn(await openTable(table.target, record, known), first)
  return new Set(values.flatMap((value) => (value === null ? [] : [plainName(value)])))
}
