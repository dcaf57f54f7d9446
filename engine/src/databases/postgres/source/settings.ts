/** Settings of a PostgreSQL source. */
import { addressFields, parseAddress, type PostgresAddress } from '../address.ts'
import type { SettingsSection } from '../../../ports/settings.ts'
import type { Properties } from '../../../ports/source.ts'
import { choiceFields, nameList, parseChoice, type TableChoice } from '../../../ports/table-selection.ts'

export interface PostgresSourceSettings extends TableChoice {
  readonly address: PostgresAddress
  /** Empty for every schema but those of the system. */
  readonly schemas: readonly string[]
}

export const sections: readonly SettingsSection[] = [
  {
    property: 'source.connectionString',
    shape: 'object',
    title: 'Source database',
    help: 'A user that may only read is enough: CONNECT on the database, USAGE on the schemas, SELECT on the tables.',
    fields: [
      ...addressFields,
      { key: 'schemas', label: 'Schemas', kind: 'list', required: false, help: 'Leave empty to read every schema.' },
      ...choiceFields,
    ],
  },
]

export function parseSettings(properties: Properties): PostgresSourceSettings {
  const value = properties['source.connectionString']
  const address = parseAddress(value, 'source')
  const { schemas } = value as { readonly schemas?: unknown }
  return { address, schemas: nameList(schemas), ...parseChoice(value) }
}
