/** PostgreSQL as a place where rows are kept. */
import type { Target } from '../../../ports/target.ts'
import { OpenPostgres } from './open-target.ts'
import { parseSettings, section, type PostgresTargetSettings } from './settings.ts'

export const postgresTarget: Target<PostgresTargetSettings> = {
  kind: 'postgres',
  title: 'PostgreSQL',
  section,
  parse: parseSettings,
  open: async (settings, around) => new OpenPostgres(settings, around),
}
