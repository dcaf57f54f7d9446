/** Settings of a MySQL or MariaDB target. */
import { Fault } from '../../../ports/faults.ts'
import { type MysqlReach, parseReach, reachFields } from '../settings.ts'
import type { ConnectorSettingsSection } from '../../../ports/settings.ts'
import type { ConnectorProperties } from '../../../ports/source.ts'
import { parseUnknownValues, type UnknownValues, unknownValuesField } from '../../../encoding/unsupported-values.ts'

export interface MysqlTargetSettings extends MysqlReach {
  /** Prefix of every table name; may be empty. */
  readonly prefix: string
  /** Rejected if absent. */
  readonly unknownValues?: UnknownValues
}

const property = 'target.connectionString'

export const section: ConnectorSettingsSection = {
  property,
  shape: 'object',
  title: 'Target database',
  help: 'The user needs SELECT, INSERT, UPDATE, DELETE, CREATE, CREATE TEMPORARY TABLES, ALTER, DROP and INDEX on the database. The target schema is put before the names of the tables, for MySQL has none.',
  fields: [...reachFields, unknownValuesField],
}

const prefixName = /^[A-Za-z0-9_]{0,40}$/

export function parseSettings(properties: ConnectorProperties): MysqlTargetSettings {
  const prefix = properties['target.schema'] ?? ''
  if (typeof prefix === 'string' && prefixName.test(prefix))
    return {
      ...parseReach(properties[property], property),
      prefix,
      unknownValues: parseUnknownValues(properties[property]),
    }
  throw new Fault('settings', {
    code: 'mysql.schema',
    notice:
      'The target schema may have up to 40 letters, digits and ‘_’; it is put before the names of the tables. Choose another name.',
  })
}
