/** SQL Server as a target. */
import type { Target } from '../../ports/target.ts'
import { OpenSqlTarget } from '../sql-target/open-target.ts'
import { sqlServerDialect } from './dialect/dialect.ts'
import { parseSettings, section, type SqlServerTargetSettings } from './dialect/settings.ts'
import { sqlServerReading } from './queries/reading.ts'
import { facts } from './target-facts.ts'

export const sqlServerTarget: Target<SqlServerTargetSettings> = {
  kind: 'sqlserver',
  title: 'SQL Server',
  facts,
  section,
  parse: parseSettings,
  open: async (settings, around) => new OpenSqlTarget(sqlServerDialect(settings), around),
  reading: sqlServerReading,
}
