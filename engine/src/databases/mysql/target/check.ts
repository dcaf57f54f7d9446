/** 'Test connection' of a MySQL target. */
import { connectionSteps, runChecks } from '../../../ports/connection-test.ts'
import type { MysqlConnection } from '../connection.ts'
import type { CheckResult } from '../../../ports/settings.ts'

export function checkTarget(
  connect: () => Promise<MysqlConnection>,
  database: string,
): Promise<readonly CheckResult[]> {
  return runChecks([
    ...connectionSteps(connect, 'mysql.'),
    { name: `The database ‘${database}’ can be used`, run: () => tryDatabase(connect) },
    { name: `Tables can be made in the database ‘${database}’`, run: () => tryTable(connect) },
  ])
}

async function tryDatabase(connect: () => Promise<MysqlConnection>): Promise<void> {
  await using connection = await connect()
  await connection.rows('SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE() LIMIT 1')
}

/** Makes a table, changes it, writes to it, reads it and drops it. */
async function tryTable(connect: () => Promise<MysqlConnection>): Promise<void> {
  await using connection = await connect()
  // One that was refused half-way may have left its table.
  await connection.run('DROP TABLE IF EXISTS tributary_probe')
  await connection.run('CREATE TABLE tributary_probe (probe INT)')
  await connection.run('ALTER TABLE tributary_probe MODIFY COLUMN probe BIGINT')
  await connection.run('CREATE INDEX tributary_probe_index ON tributary_probe (probe)')
  await connection.run('INSERT INTO tributary_probe VALUES (1)')
  await connection.run('UPDATE tributary_probe SET probe = 2')
  await connection.run('CREATE TEMPORARY TABLE tributary_probe_stage (probe BIGINT PRIMARY KEY)')
  await connection.run('INSERT INTO tributary_probe_stage SELECT probe FROM tributary_probe')
  await connection.run('DELETE FROM tributary_probe')
  await connection.run('DROP TABLE tributary_probe')
}
