/** SQL Server as a target, as data. */
import { quote } from './quoting.ts'
import { columnType } from './types.ts'
import type { TargetFacts } from '../../ports/target.ts'

export const facts: TargetFacts = {
  kind: 'sqlserver',
  identifierMax: { count: 128, unit: 'characters' },
  columnsMax: 1_024,
  storesTablesOnly: false,
  quote,
  columnType,
  takesBinary: () => false,
}
