/** MySQL and MariaDB as a place where rows are kept. */
import type { Target } from '../../../ports/target.ts'
import { OpenMysql } from './open-target.ts'
import { parseSettings, section, type MysqlTargetSettings } from './settings.ts'

export const mysqlTarget: Target<MysqlTargetSettings> = {
  kind: 'mysql',
  title: 'MySQL / MariaDB',
  section,
  parse: parseSettings,
  open: async (settings, around) => new OpenMysql(settings, around),
}
