/** 'Test connection' of a SQL Server target. */
import { connectionSteps, runChecks } from '../../../ports/connection-test.ts'
import type { CheckResult } from '../../../ports/settings.ts'
import type { SqlConnection } from '../connection.ts'
import { literal, quote, renamed } from '../quoting.ts'

export function checkTarget(connect: () => Promise<SqlConnection>, schema: string): Promise<readonly CheckResult[]> {
  return runChecks([
    ...connectionSteps(connect, 'sqlserver.'),
    { name: `The schema ‘${schema}’ is there or can be made`, run: () => trySchema(connect, schema) },
    { name: `Tables can be made in the schema ‘${schema}’`, run: () => tryTable(connect, schema) },
  ])
}

async function trySchema(connect: () => Promise<SqlConnection>, schema: string): Promise<void> {
  await using connection = await connect()
  await connection.run('SET XACT_ABORT ON; BEGIN TRANSACTION')
  await makeSchema(connection, schema)
  await connection.run('ROLLBACK TRANSACTION')
}

async function makeSchema(connection: SqlConnection, schema: string): Promise<void> {
  await connection.run(`IF SCHEMA_ID(${literal(schema)}) IS NULL EXEC(${literal(`CREATE SCHEMA ${quote(schema)}`)})`)
}

/** Makes a table, writes to it, reads, renames and drops it, and takes everything back. */
async function tryTable(connect: () => Promise<SqlConnection>, schema: string): Promise<void> {
  await using connection = await connect()
  await connection.run('SET XACT_ABORT ON; BEGIN TRANSACTION')
  await makeSchema(connection, schema)
  await connection.run(`CREATE TABLE ${quote(schema)}.tributary_probe (probe int)`)
  await connection.run(`INSERT INTO ${quote(schema)}.tributary_probe VALUES (1)`)
  await connection.run(`UPDATE ${quote(schema)}.tributary_probe SET probe = 2`)
  await connection.run(`EXEC sp_rename ${renamed(schema, 'tributary_probe')}, 'tributary_probed', 'OBJECT'`)
  await connection.run('CREATE TABLE #tributary_probe (probe int)')
  await connection.run(`INSERT INTO #tributary_probe SELECT probe FROM ${quote(schema)}.tributary_probed`)
  await connection.run(`DELETE FROM ${quote(schema)}.tributary_probed`)
  await connection.run(`DROP TABLE ${quote(schema)}.tributary_probed`)
  await connection.run('ROLLBACK TRANSACTION')
}
