/** SQL Server as a place where rows are kept. */
import type { Target } from '../../../ports/target.ts'
import { OpenSqlServer } from './open-target.ts'
import { parseSettings, section, type SqlServerTargetSettings } from './settings.ts'

export const sqlServerTarget: Target<SqlServerTargetSettings> = {
  kind: 'sqlserver',
  title: 'SQL Server',
  section,
  parse: parseSettings,
  open: async (settings, around) => new OpenSqlServer(settings, around),
}
