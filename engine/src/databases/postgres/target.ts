/** PostgreSQL as a target. */
import type { Target } from '../../ports/target.ts'
import { OpenSqlTarget } from '../sql-target/open-target.ts'
import { postgresDialect } from './dialect/dialect.ts'
import { parseSettings, section, type PostgresTargetSettings } from './dialect/settings.ts'
import { postgresReading } from './queries/reading.ts'
import { facts } from './target-facts.ts'

export const postgresTarget: Target<PostgresTargetSettings> = {
  kind: 'postgres',
  title: 'PostgreSQL',
  facts,
  section,
  parse: parseSettings,
  open: async (settings, around) => new OpenSqlTarget(postgresDialect(settings), around),
  reading: postgresReading,
}
