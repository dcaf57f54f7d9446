/** The settings of a database source that say what is moved: which tables, and which of their columns are left out. */
import type { ConnectorSettingsField } from './settings.ts'
import type { ConnectorProperties } from './source.ts'

/** Where every database source keeps its settings. */
const property = 'source.connectionString'

export interface SourceTableSelection {
  /** `schema.table` or a table's name alone; empty: every table. */
  readonly tables: readonly string[]
  /** `schema.table.column` or `table.column`. */
  readonly excludedColumns: readonly string[]
}

/** Those of the chosen tables that are not among the streams (`schema.table`, or `table` where there are no schemas). */
export function findMissingTables(
  { tables }: SourceTableSelection,
  streams: readonly { readonly name: string }[],
): readonly string[] {
  return tables.filter((chosen) => !streams.some(({ name }) => name === chosen || name.endsWith(`.${chosen}`)))
}

export const tablesField: ConnectorSettingsField = {
  key: 'tables',
  label: 'Tables',
  kind: 'list',
  required: false,
  help: 'One a line. Leave it empty to move every table that the user may read.',
}

export const tableSelectionFields: readonly ConnectorSettingsField[] = [
  tablesField,
  {
    key: 'leftOut',
    label: 'Columns left out',
    kind: 'list',
    required: false,
    help: 'One a line, as schema.table.column or table.column. Their values are never asked for.',
  },
]

export function parseTableSelection(section: unknown): SourceTableSelection {
  const { tables, leftOut } = (section ?? {}) as { readonly tables?: unknown; readonly leftOut?: unknown }
  return { tables: parseNameList(tables), excludedColumns: parseNameList(leftOut) }
}

/** Names given as a list or as text with one a line. */
export function parseNameList(value: unknown): readonly string[] {
  const names = Array.isArray(value) ? value.map(String) : typeof value === 'string' ? value.split(/[\n,]/u) : []
  return names.map((name) => name.trim()).filter((name) => name !== '')
}

/** The same properties with nothing chosen yet: what there is to choose from is everything. */
export function withoutTableSelection(properties: ConnectorProperties): ConnectorProperties {
  const { [property]: section } = properties
  if (typeof section !== 'object' || section === null) return properties
  const { tables: _tables, leftOut: _leftOut, ...rest } = section as Readonly<Record<string, unknown>>
  return { ...properties, [property]: rest }
}
