/** Adds to the tables of an API source what they and their columns mean, and which other tables they refer to. */
import type { Column, Reference, Table } from '../../ports/model.ts'
import type { DocumentShape } from './documents.ts'

/** A sentence or two by column. `#` in a name stands for a number, `{n}` in its text for the same number. */
export type ColumnTexts = Readonly<Record<string, string>>
/** `table.column` by column; an empty text: the column refers to nothing here. */
export type ColumnReferences = Readonly<Record<string, string>>

export interface TableTexts {
  readonly about: string
  readonly columns?: ColumnTexts
  readonly references?: ColumnReferences
}

export interface SourceDictionary {
  readonly title: string
  readonly tables: Readonly<Record<string, TableTexts>>
  /** Columns that mean the same in every table that does not describe them itself. */
  readonly columns: ColumnTexts
  readonly references: ColumnReferences
}

/** The tables of a stream with their descriptions. @param tables all tables of the source, which can be referred to */
export function describeShape(
  dictionary: SourceDictionary,
  { table, children }: Pick<DocumentShape, 'table' | 'children'>,
): { readonly table: Table; readonly children: readonly Table[] } {
  return {
    table: describeTable(dictionary, table, null),
    children: children.map((child) => describeTable(dictionary, child.table, table)),
  }
}

function describeTable(dictionary: SourceDictionary, table: Table, parent: Table | null): Table {
  const about = dictionary.tables[table.name]?.about
  const columns = table.columns.map((column) => {
    const description = describeColumn(dictionary, table, column)
    return description === undefined ? column : { ...column, description }
  })
  const references = [...referencesToParent(table, parent), ...referencesOf(dictionary, table)]
  return { ...table, columns, ...(about !== undefined && { description: about }), references }
}

/** The first text of: the table's own, the rule for keys, the source's. */
export function describeColumn(dictionary: SourceDictionary, table: Table, { name, type }: Column): string | undefined {
  const own = findText(dictionary.tables[table.name]?.columns ?? {}, name)
  if (own !== undefined) return own
  if (table.parentKey?.includes(name)) return 'The document that the row is a part of; it refers to the parent table.'
  if (name === 'ordinal')
    return 'Position of the row in its list, from 1. Part of the key, because the rows have no id.'
  const isOwnId = table.key.includes(name) && type.kind === 'guid'
  if (isOwnId && table.key[0] === name) return idText(dictionary)
  return findText(dictionary.columns, name) ?? (isOwnId ? idText(dictionary) : undefined)
}

function idText({ title }: SourceDictionary): string {
  return `Identifies the row. A GUID that ${title} assigns and never changes.`
}

function findText(texts: ColumnTexts, name: string): string | undefined {
  if (Object.hasOwn(texts, name)) return texts[name]
  const number = /\d+/.exec(name)?.[0]
  if (number === undefined) return undefined
  const pattern = name.replace(number, '#')
  return Object.hasOwn(texts, pattern) ? texts[pattern]?.replaceAll('{n}', number) : undefined
}

function referencesToParent({ parentKey }: Table, parent: Table | null): readonly Reference[] {
  return parent === null || parentKey === undefined
    ? []
    : [{ columns: parentKey, table: parent.name, to: parent.key.slice(0, parentKey.length), isParent: true }]
}

/** A column does not refer to itself, and not to its parent a second time. */
function referencesOf(dictionary: SourceDictionary, { name: table, columns, parentKey = [] }: Table): Reference[] {
  const own = dictionary.tables[table]?.references ?? {}
  return columns.flatMap(({ name }) => {
    const target = own[name] ?? dictionary.references[name]
    if (target === undefined || target === '' || target === `${table}.${name}` || parentKey.includes(name)) return []
    const [to = '', column = ''] = target.split('.')
    return [{ columns: [name], table: to, to: [column] }]
  })
}
