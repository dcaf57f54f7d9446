/** ‘Test connection’ of a MySQL target. */
import type { MysqlDialect, MysqlSession } from './session.ts'

export function connectionChecks(database: string): ReturnType<MysqlDialect['checks']> {
  return [
    { name: `The database ‘${database}’ can be used`, run: tryDatabase },
    { name: `Tables can be made in the database ‘${database}’`, run: tryTable },
  ]
}

async function tryDatabase({ rows }: MysqlSession): Promise<void> {
  await rows('SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE() LIMIT 1')
}

/** Creates a table, changes it, writes to it, reads it and drops it. */
async function tryTable({ run }: MysqlSession): Promise<void> {
  // A check that failed half-way may have left its table.
  await run('DROP TABLE IF EXISTS tributary_probe')
  await run('CREATE TABLE tributary_probe (probe INT)')
  await run('ALTER TABLE tributary_probe MODIFY COLUMN probe BIGINT')
  await run('CREATE INDEX tributary_probe_index ON tributary_probe (probe)')
  await run('INSERT INTO tributary_probe VALUES (1)')
  await run('UPDATE tributary_probe SET probe = 2')
  await run('CREATE TEMPORARY TABLE tributary_probe_stage (probe BIGINT PRIMARY KEY)')
  await run('INSERT INTO tributary_probe_stage SELECT probe FROM tributary_probe')
  await run('DELETE FROM tributary_probe')
  await run('DROP TABLE tributary_probe')
}
