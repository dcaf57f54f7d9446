/** PostgreSQL as a target, as data. */
import { columnType, quote } from './types.ts'
import type { TargetFacts } from '../../ports/target.ts'

export const facts: TargetFacts = {
  kind: 'postgres',
  identifierMax: { count: 63, unit: 'bytes' },
  columnsMax: 1_600,
  storesTablesOnly: false,
  quote,
  columnType,
  takesBinary: (fingerprint) => fingerprint.startsWith('postgres:'),
}
