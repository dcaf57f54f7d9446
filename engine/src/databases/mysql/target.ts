/** MySQL and MariaDB as a target. */
import type { Target } from '../../ports/target.ts'
import { OpenSqlTarget } from '../sql-target/open-target.ts'
import { mysqlDialect } from './dialect/dialect.ts'
import { parseSettings, section, type MysqlTargetSettings } from './dialect/settings.ts'
import { mysqlReading } from './queries/reading.ts'
import { facts } from './target-facts.ts'

export const mysqlTarget: Target<MysqlTargetSettings> = {
  kind: 'mysql',
  title: 'MySQL / MariaDB',
  facts,
  section,
  parse: parseSettings,
  open: async (settings, around) => new OpenSqlTarget(mysqlDialect(settings), around),
  reading: mysqlReading,
}
