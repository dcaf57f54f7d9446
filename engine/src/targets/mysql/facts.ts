/** MySQL and MariaDB as a target, as data. */
import { quote } from '../../mysql/quoting.ts'
import { columnType } from '../../mysql/types.ts'
import type { TargetFacts } from '../../target.ts'

export const facts: TargetFacts = {
  kind: 'mysql',
  identifierMax: { count: 64, unit: 'characters' },
  columnsMax: 1_017,
  quote,
  columnType,
  takesBinary: () => false,
}
