/** What the tables and columns of a service mean. Its columns are known only at run time: unknown ones get a general text. */
import type { Reference, Table } from '../../../ports/model.ts'
import { describeShape, type SourceDictionary, type TableTexts } from '../../http/dictionary.ts'
import type { ODataDescription } from '../description/schema-odata.ts'
import { balanceColumn, balanceText, monthColumn, monthText } from '../months/monthly-columns.ts'
import type { ODataTable } from './metadata/tables.ts'

const standardColumns = {
  occurrence: 'Number of the row among those with the same key, from 1. It is 1 unless the source has a key twice.',
} as const

function monthlyColumns(sets: ODataDescription['sets']): Readonly<Record<string, string>> {
  const reports = Object.values(sets).flatMap(({ changes }) => (changes?.kind === 'months' ? [changes] : []))
  return {
    ...(reports.length > 0 && { [monthColumn]: monthText }),
    ...(reports.some(({ balances }) => balances) && { [balanceColumn]: balanceText }),
  }
}

export function sourceDictionary({
  title,
  dictionary,
  sets,
}: Pick<ODataDescription, 'title' | 'dictionary' | 'sets'>): SourceDictionary {
  const { tables, columns, references } = dictionary
  return {
    title,
    columns: { ...standardColumns, ...monthlyColumns(sets), ...columns },
    references,
    tables: Object.fromEntries(Object.entries(tables).map(tableTexts)),
  }
}

function tableTexts([name, { about, columns, references }]: readonly [
  string,
  ODataDescription['dictionary']['tables'][string],
]): readonly [string, TableTexts] {
  return [name, { about, ...(columns !== undefined && { columns }), ...(references !== undefined && { references }) }]
}

/** @param set the name of the entity set */
export function describeODataShape(
  { title, dictionary, companies, sets }: ODataDescription,
  { name: set, shape }: Pick<ODataTable, 'name' | 'shape'>,
): { readonly table: Table; readonly children: readonly Table[] } {
  const { table, children } = describeShape(sourceDictionary({ title, dictionary, sets }), shape)
  const complete = (each: Table, about: string): Table => ({
    ...each,
    description: each.description ?? about,
    columns: each.columns.map((column) => ({
      ...column,
      description:
        column.description ??
        `Field ${column.sourceField ?? column.name} of ${set} as ${title} describes it in its metadata, or one that your company has added.`,
    })),
    references: (each.references ?? []).map((reference) => withinCompany(companies?.column, reference)),
  })
  return {
    table: complete(table, `Entity set ${set} of ${title}, or a table that your company has defined.`),
    children: children.map((child) => complete(child, `Rows within a row of ${table.name}, in their order.`)),
  }
}

/** Numbers are unique within a company only. */
function withinCompany(company: string | undefined, reference: Reference): Reference {
  if (company === undefined || reference.isParent || reference.columns[0] === company) return reference
  return { ...reference, columns: [company, ...reference.columns], to: [company, ...reference.to] }
}
