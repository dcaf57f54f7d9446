/** Statements on the system tables in MySQL, and the fencing token. */
import type { Writer } from '../../../ports/target.ts'
import { holdFence, systemTablesIn } from '../../sql-target/state-store.ts'
import { insertClause } from '../../sql-target/system-rows.ts'
import type { MysqlDialect, MysqlSession } from './session.ts'

export const statements = {
  systemTables: systemTablesIn((name) => name),
  stateColumns: { checkpoint: 'checkpoint', refresh: 'refresh', rows: 'row_count', additional: ['swap'] },
  integer: (column) => column,
  async upsert({ run }, row) {
    const { sql, parameters } = insertClause(row, 'UTC_TIMESTAMP(3)')
    const updated = Object.keys(row.values).map((column) => `${column} = VALUES(${column})`)
    await run(
      row.initial === undefined ? `REPLACE ${sql}` : `INSERT ${sql} ON DUPLICATE KEY UPDATE ${updated.join(', ')}`,
      parameters,
    )
  },
  async lockFence({ rows }, connectorId) {
    const sql = 'SELECT fence, run_id FROM tributary_writer WHERE connector = ? LOCK IN SHARE MODE'
    return (await rows(sql, [connectorId]))[0]
  },
} satisfies Partial<MysqlDialect>

/** Commits, unless a newer run has begun (`Fenced`). */
export async function commitFenced(session: MysqlSession, writer: Writer): Promise<void> {
  await holdFence(statements, session, writer)
  await session.run('COMMIT')
}
