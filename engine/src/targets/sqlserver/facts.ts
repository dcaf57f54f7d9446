/** SQL Server as a target, as data. */
import { quote } from '../../sqlserver/quoting.ts'
import { columnType } from '../../sqlserver/types.ts'
import type { TargetFacts } from '../../target.ts'

export const facts: TargetFacts = {
  kind: 'sqlserver',
  identifierMax: { count: 128, unit: 'characters' },
  columnsMax: 1_024,
  quote,
  columnType,
  takesBinary: () => false,
}
