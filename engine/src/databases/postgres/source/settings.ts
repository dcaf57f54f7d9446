/** Settings of a PostgreSQL source. */
import { addressFields, parseAddress, type PostgresAddress } from '../address.ts'
import type { ConnectorSettingsSection } from '../../../ports/settings.ts'
import type { ConnectorProperties } from '../../../ports/source.ts'
import {
  tableSelectionFields,
  parseNameList,
  parseTableSelection,
  type SourceTableSelection,
} from '../../../ports/table-selection.ts'

export interface PostgresSourceSettings extends SourceTableSelection {
  readonly address: PostgresAddress
  /** Empty for every schema but those of the system. */
  readonly schemas: readonly string[]
}

export const sections: readonly ConnectorSettingsSection[] = [
  {
    property: 'source.connectionString',
    shape: 'object',
    title: 'Source database',
    help: 'A user that may only read is enough: CONNECT on the database, USAGE on the schemas, SELECT on the tables.',
    fields: [
      ...addressFields,
      { key: 'schemas', label: 'Schemas', kind: 'list', required: false, help: 'Leave empty to read every schema.' },
      ...tableSelectionFields,
    ],
  },
]

export function parseSettings(properties: ConnectorProperties): PostgresSourceSettings {
  const value = properties['source.connectionString']
  const address = parseAddress(value, 'source')
  const { schemas } = value as { readonly schemas?: unknown }
  return { address, schemas: parseNameList(schemas), ...parseTableSelection(value) }
}
