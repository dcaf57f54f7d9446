/** 'Test connection' of a SQL Server target. */
import { connectionSteps, runChecks } from '../../checks.ts'
import type { CheckResult } from '../../settings.ts'
import { literal, quote, type SqlConnection } from '../../sqlserver/connection.ts'

export function checkTarget(connect: () => Promise<SqlConnection>, schema: string): Promise<readonly CheckResult[]> {
  return runChecks([
    ...connectionSteps(connect, 'sqlserver.'),
    { name: `Tables can be made in the schema ‘${schema}’`, run: () => tryTable(connect, schema) },
  ])
}

/** Makes a table, writes to it and takes everything back. */
async function tryTable(connect: () => Promise<SqlConnection>, schema: string): Promise<void> {
  await using connection = await connect()
  await connection.run('SET XACT_ABORT ON; BEGIN TRANSACTION')
  await connection.run(`IF SCHEMA_ID(${literal(schema)}) IS NULL EXEC(${literal(`CREATE SCHEMA ${quote(schema)}`)})`)
  await connection.run(`CREATE TABLE ${quote(schema)}.tributary_probe (probe int)`)
  await connection.run(`INSERT INTO ${quote(schema)}.tributary_probe VALUES (1)`)
  await connection.run(`EXEC sp_rename ${literal(`${quote(schema)}.tributary_probe`)}, 'tributary_probed', 'OBJECT'`)
  await connection.run('CREATE TABLE #tributary_probe (probe int)')
  await connection.run('ROLLBACK TRANSACTION')
}
