/** 'Test connection' of a PostgreSQL target. */
import type pg from 'pg'
import { connectionSteps, runChecks } from '../../../ports/connection-test.ts'
import type { Sessions } from '../sessions.ts'
import { quote } from '../types.ts'
import type { CheckResult } from '../../../ports/settings.ts'

export function checkTarget(sessions: Sessions, schema: string): Promise<readonly CheckResult[]> {
  return runChecks([
    ...connectionSteps(() => sessions.borrow(), 'postgres.'),
    {
      name: `The schema ‘${schema}’ is there or can be made`,
      run: () => sessions.use((client) => trySchema(client, schema)),
    },
    {
      name: `Tables can be made in the schema ‘${schema}’`,
      run: () => sessions.use((client) => tryTable(client, schema)),
    },
  ])
}

async function trySchema(client: pg.Client, schema: string): Promise<void> {
  await client.query('BEGIN')
  await makeSchema(client, schema)
  await client.query('ROLLBACK')
}

/** `IF NOT EXISTS` would ask for the right even where the schema is there. */
async function makeSchema(client: pg.Client, schema: string): Promise<void> {
  const there = await client.query('SELECT FROM pg_namespace WHERE nspname = $1', [schema])
  if (there.rowCount === 0) await client.query(`CREATE SCHEMA ${quote(schema)}`)
}

/** Makes a table, writes to it, reads and drops it, and takes everything back. */
async function tryTable(client: pg.Client, schema: string): Promise<void> {
  await client.query('BEGIN')
  await makeSchema(client, schema)
  await client.query(`CREATE TABLE ${quote(schema)}.tributary_probe (probe text)`)
  await client.query(`INSERT INTO ${quote(schema)}.tributary_probe VALUES ('written')`)
  await client.query(`UPDATE ${quote(schema)}.tributary_probe SET probe = 'changed'`)
  await client.query('CREATE TEMP TABLE tributary_probe_stage (probe text)')
  await client.query(`INSERT INTO tributary_probe_stage SELECT probe FROM ${quote(schema)}.tributary_probe`)
  await client.query(`DROP TABLE ${quote(schema)}.tributary_probe`)
  await client.query('ROLLBACK')
}
