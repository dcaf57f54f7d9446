/** What ‘Test connection’ tries in a SQL Server target. */
import type { SchemaTrials } from '../../sql-target/schema-names.ts'
import { literal, procedureName, quote } from '../quoting.ts'
import type { SqlServerSession } from './session.ts'

export const trials: SchemaTrials<SqlServerSession> = {
  begin: 'SET XACT_ABORT ON; BEGIN TRANSACTION',
  rollback: 'ROLLBACK TRANSACTION',
  createSchema,
  async tryTable({ run }, schema) {
    const [probe, renamed] = ['tributary_probe', 'tributary_probed'].map((name) => `${quote(schema)}.${name}`)
    await run(`CREATE TABLE ${probe} (probe int)`)
    await run(`INSERT INTO ${probe} VALUES (1)`)
    await run(`UPDATE ${probe} SET probe = 2`)
    await run(`EXEC sp_rename ${procedureName(schema, 'tributary_probe')}, 'tributary_probed', 'OBJECT'`)
    await run('CREATE TABLE #tributary_probe (probe int)')
    await run(`INSERT INTO #tributary_probe SELECT probe FROM ${renamed}`)
    await run(`DELETE FROM ${renamed}`)
    await run(`DROP TABLE ${renamed}`)
  },
}

export async function createSchema({ run }: SqlServerSession, schema: string): Promise<void> {
  await run(`IF SCHEMA_ID(${literal(schema)}) IS NULL EXEC(${literal(`CREATE SCHEMA ${quote(schema)}`)})`)
}
