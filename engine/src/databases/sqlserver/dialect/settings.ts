/** Settings of a SQL Server target. */
import { Fault } from '../../../ports/faults.ts'
import type { ConnectorSettingsSection } from '../../../ports/settings.ts'
import type { ConnectorProperties } from '../../../ports/source.ts'
import { parseReach, reachFields, type SqlServerReach } from '../settings.ts'
import { parseUnknownValues, type UnknownValues, unknownValuesField } from '../../../encoding/unsupported-values.ts'

export interface SqlServerTargetSettings extends SqlServerReach {
  /** Created where it is missing. */
  readonly schema: string
  /** Rejected if absent. */
  readonly unknownValues?: UnknownValues
}

const property = 'target.connectionString'

export const section: ConnectorSettingsSection = {
  property,
  shape: 'object',
  title: 'Target database',
  help: 'The user needs db_datareader, db_datawriter, CREATE TABLE, and ALTER on the schema (or CREATE SCHEMA).',
  fields: [...reachFields, unknownValuesField],
}

const schemaName = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/

export function parseSettings(properties: ConnectorProperties): SqlServerTargetSettings {
  const schema = properties['target.schema']
  if (typeof schema === 'string' && schemaName.test(schema))
    return {
      ...parseReach(properties[property], property),
      schema,
      unknownValues: parseUnknownValues(properties[property]),
    }
  throw new Fault('settings', {
    code: 'sqlserver.schema',
    notice:
      'The target schema must begin with a letter or ‘_’ and have up to 128 letters, digits and ‘_’. Choose another name.',
    field: 'target.schema',
  })
}
