/** Views over the tables of a target. */
import type pg from 'pg'
import { fitName } from '../../sql-target/names.ts'
import type { TableAddress } from '../../sql-target/table-layout.ts'
import { errorCode } from '../faults.ts'
import { transaction } from '../session-pool.ts'
import { facts } from '../target-facts.ts'
import { quote } from '../types.ts'
import type { PostgresSession } from './session.ts'
import { qualified } from './tables.ts'

/** SQLSTATE of a view that would get other columns, and of one on which others depend. */
const otherColumns = '42P16'
const stillNeeded = '2BP01'

/**
 * A view whose columns have changed cannot be replaced, nor dropped while other views depend on it. It is renamed out of the way: the others
 * use it until they are replaced, too.
 */
export async function replaceView(client: pg.Client, view: TableAddress, select: string): Promise<void> {
  const former = { schema: view.schema, name: fitName(`tributary_former_${view.name}`, facts.identifierMax) }
  const create = `VIEW ${qualified(view)} AS ${select}`
  await transaction(client, async () => {
    // While this waits for a long report that reads the view, every later report waits, too.
    await client.query(`SET LOCAL lock_timeout = '5s'`)
    const isReplaced = await runUnless(client, `CREATE OR REPLACE ${create}`, otherColumns)
    if (!isReplaced) {
      await client.query(`DROP VIEW IF EXISTS ${qualified(former)}`)
      await client.query(`ALTER VIEW ${qualified(view)} RENAME TO ${quote(former.name)}`)
      await client.query(`CREATE ${create}`)
    }
    await runUnless(client, `DROP VIEW IF EXISTS ${qualified(former)}`, stillNeeded)
  })
}

/** Returns false on the expected error, and leaves the transaction as it was. */
async function runUnless(client: pg.Client, sql: string, expected: string): Promise<boolean> {
  await client.query('SAVEPOINT tributary_try')
  try {
    await client.query(sql)
    return true
  } catch (error) {
    if (errorCode(error) !== expected) throw error
    await client.query('ROLLBACK TO SAVEPOINT tributary_try')
    return false
  }
}

/** Without statistics of tables that were just filled, the planner would join them row by row. */
export async function analyseNewTables(session: PostgresSession, tables: readonly string[]): Promise<void> {
  const found = await session.rows(
    'SELECT name FROM jsonb_array_elements_text(?::jsonb) AS name JOIN pg_class ON pg_class.oid = to_regclass(name) WHERE reltuples < 0',
    [JSON.stringify(tables)],
  )
  if (found.length > 0) await session.run(`ANALYZE ${found.map(([name]) => name).join(', ')}`)
}
