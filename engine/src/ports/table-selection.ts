/** The settings of a database source that select its tables and exclude columns. */
import type { ConnectorSettingsField } from './settings.ts'
import type { ConnectorProperties } from './source.ts'

/** The property that stores the settings of every database source. */
const property = 'source.connectionString'

export interface SourceTableSelection {
  /** `schema.table` or only the table's name. Empty: all tables. */
  readonly tables: readonly string[]
  /** `schema.table.column` or `table.column`. */
  readonly excludedColumns: readonly string[]
}

/**
 * The selected tables without a stream. Streams are named `schema.table`, or `table` where the database has no schemas.
 */
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

/** Parses a list of names, or text with one name per line. */
export function parseNameList(value: unknown): readonly string[] {
  const names = Array.isArray(value) ? value.map(String) : typeof value === 'string' ? value.split(/[\n,]/u) : []
  return names.map((name) => name.trim()).filter((name) => name !== '')
}

/** The same properties without a selection, to list everything that can be selected. */
export function withoutTableSelection(properties: ConnectorProperties): ConnectorProperties {
  const { [property]: section } = properties
  if (typeof section !== 'object' || section === null) return properties
  const { tables: _tables, leftOut: _leftOut, ...rest } = section as Readonly<Record<string, unknown>>
  return { ...properties, [property]: rest }
}
