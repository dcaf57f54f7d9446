/** The settings of a database source that say what is moved: which tables, and which of their columns are left out. */
import type { SettingsField } from './settings.ts'
import type { Properties } from './source.ts'

/** Where every database source keeps its settings. */
const property = 'source.connectionString'

export interface TableChoice {
  /** `schema.table` or a table's name alone; empty: every table. */
  readonly tables: readonly string[]
  /** `schema.table.column` or `table.column`. */
  readonly leftOut: readonly string[]
}

/** Those of the chosen tables that are not among the streams (`schema.table`, or `table` where there are no schemas). */
export function lackingOf({ tables }: TableChoice, streams: readonly { readonly name: string }[]): readonly string[] {
  return tables.filter((chosen) => !streams.some(({ name }) => name === chosen || name.endsWith(`.${chosen}`)))
}

export const tablesField: SettingsField = {
  key: 'tables',
  label: 'Tables',
  kind: 'list',
  required: false,
  help: 'One a line. Leave it empty to move every table that the user may read.',
}

export const choiceFields: readonly SettingsField[] = [
  tablesField,
  {
    key: 'leftOut',
    label: 'Columns left out',
    kind: 'list',
    required: false,
    help: 'One a line, as schema.table.column or table.column. Their values are never asked for.',
  },
]

export function parseChoice(section: unknown): TableChoice {
  const { tables, leftOut } = (section ?? {}) as { readonly tables?: unknown; readonly leftOut?: unknown }
  return { tables: nameList(tables), leftOut: nameList(leftOut) }
}

/** Names given as a list or as text with one a line. */
export function nameList(value: unknown): readonly string[] {
  const names = Array.isArray(value) ? value.map(String) : typeof value === 'string' ? value.split(/[\n,]/u) : []
  return names.map((name) => name.trim()).filter((name) => name !== '')
}

/** The same properties with nothing chosen yet: what there is to choose from is everything. */
export function withoutChoice(properties: Properties): Properties {
  const { [property]: section } = properties
  if (typeof section !== 'object' || section === null) return properties
  const { tables: _tables, leftOut: _leftOut, ...rest } = section as Readonly<Record<string, unknown>>
  return { ...properties, [property]: rest }
}
