/** 'Test connection' of a MySQL target. */
import { connectionSteps, runChecks } from '../../checks.ts'
import type { MysqlConnection } from '../../mysql/connection.ts'
import type { CheckResult } from '../../settings.ts'

export function checkTarget(connect: () => Promise<MysqlConnection>, database: string): Promise<readonly CheckResult[]> {
  return runChecks([
    ...connectionSteps(connect, 'mysql.'),
    { name: `Tables can be made in the database ‘${database}’`, run: () => tryTable(connect) },
  ])
}

/** Makes a table, changes it, writes to it and takes everything back. */
async function tryTable(connect: () => Promise<MysqlConnection>): Promise<void> {
  await using connection = await connect()
  await connection.run('CREATE TABLE IF NOT EXISTS tributary_probe (probe INT)')
  await connection.run('ALTER TABLE tributary_probe MODIFY COLUMN probe BIGINT')
  await connection.run('INSERT INTO tributary_probe VALUES (1)')
  await connection.run('UPDATE tributary_probe SET probe = 2')
  await connection.run('DELETE FROM tributary_probe')
  await connection.run('CREATE TEMPORARY TABLE tributary_probe_stage (probe INT PRIMARY KEY)')
  await connection.run('DROP TABLE tributary_probe')
}
