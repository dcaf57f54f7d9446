/** What ‘Test connection’ tries in a PostgreSQL target. */
import type { SchemaTrials } from '../../sql-target/schema-names.ts'
import { quote } from '../types.ts'
import type { PostgresSession } from './session.ts'

export const trials: SchemaTrials<PostgresSession> = {
  begin: 'BEGIN',
  rollback: 'ROLLBACK',
  createSchema,
  async tryTable({ run }, schema) {
    const probe = `${quote(schema)}.tributary_probe`
    await run(`CREATE TABLE ${probe} (probe text)`)
    await run(`INSERT INTO ${probe} VALUES ('written')`)
    await run(`UPDATE ${probe} SET probe = 'changed'`)
    await run('CREATE TEMP TABLE tributary_probe_stage (probe text)')
    await run(`INSERT INTO tributary_probe_stage SELECT probe FROM ${probe}`)
    await run(`DROP TABLE ${probe}`)
  },
}

/** `IF NOT EXISTS` would need the right even where the schema exists. */
export async function createSchema({ rows, run }: PostgresSession, schema: string): Promise<void> {
  const existing = await rows('SELECT nspname FROM pg_namespace WHERE nspname = ?', [schema])
  if (existing.length === 0) await run(`CREATE SCHEMA ${quote(schema)}`)
}
