/** MySQL and MariaDB as a target, as data. */
import { quote } from './quoting.ts'
import { columnType } from './types.ts'
import type { TargetFacts } from '../../ports/target.ts'

export const facts: TargetFacts = {
  kind: 'mysql',
  identifierMax: { count: 64, unit: 'characters' },
  columnsMax: 1_017,
  storesTablesOnly: false,
  quote,
  columnType,
  takesBinary: () => false,
}
