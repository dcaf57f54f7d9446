/** Settings of a PostgreSQL target. */
import { Fault } from '../../../ports/faults.ts'
import { addressFields, parseAddress, type PostgresAddress } from '../address.ts'
import type { ConnectorSettingsSection } from '../../../ports/settings.ts'
import type { ConnectorProperties } from '../../../ports/source.ts'

export interface PostgresTargetSettings {
  readonly address: PostgresAddress
  /** Created where it is missing. */
  readonly schema: string
}

export const section: ConnectorSettingsSection = {
  property: 'target.connectionString',
  shape: 'object',
  title: 'Target database',
  help: 'The user needs the right to create a schema, or to create tables in the one chosen.',
  fields: addressFields,
}

const schemaName = /^[A-Za-z_][A-Za-z0-9_]{0,62}$/

export function parseSettings(properties: ConnectorProperties): PostgresTargetSettings {
  const schema = properties['target.schema']
  if (typeof schema !== 'string' || !schemaName.test(schema)) {
    throw new Fault('settings', {
      code: 'postgres.schema',
      field: 'target.schema',
      notice:
        'The target schema must begin with a letter or ‘_’ and have up to 63 letters, digits and ‘_’. Choose another name.',
    })
  }
  return { address: parseAddress(properties['target.connectionString'], 'target'), schema }
}
