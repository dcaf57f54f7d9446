/** Views over the tables of a target. */
import type pg from 'pg'
import { fitName } from '../../sql-target/names.ts'
import type { DateWords } from '../../../ports/view-names.ts'
import type { TableAddress } from '../../sql-target/table-layout.ts'
import { errorCode } from '../faults.ts'
import { transaction } from '../session-pool.ts'
import { facts } from '../target-facts.ts'
import { quote } from '../types.ts'
import type { PostgresSession } from './session.ts'
import { lockViews } from './dependent-views.ts'
import { qualified } from './tables.ts'

/** Of timestamps without time zone, so that the session's time zone does not matter. */
export const dates: DateWords = {
  month: (date) => `CAST(date_trunc('month', CAST(${date} AS timestamp)) AS date)`,
  monthEnd: (date) =>
    `CAST(date_trunc('month', CAST(${date} AS timestamp)) + INTERVAL '1 month' - INTERVAL '1 day' AS date)`,
  year: (date) => `CAST(EXTRACT(YEAR FROM ${date}) AS integer)`,
  monthOfYear: (date) => `CAST(EXTRACT(MONTH FROM ${date}) AS integer)`,
  daysBetween: (from, to) => `(${to} - ${from})`,
  addDays: (date, days) => `(${date} + ${days})`,
  today: (minutes) => `CAST((now() AT TIME ZONE 'UTC') + (${minutes}) * INTERVAL '1 minute' AS date)`,
}

const formerPrefix = 'tributary_former_'

/** SQLSTATE of a view that would get other columns, and of one on which others depend. */
const otherColumns = '42P16'
const stillNeeded = '2BP01'

export async function replaceView(client: pg.Client, view: TableAddress, select: string): Promise<void> {
  await transaction(client, () => replaceViewInTransaction(client, view, select))
}

/**
 * A view whose columns have changed cannot be replaced, nor dropped while other views depend on it. It is renamed out of the way: the others
 * use it until they are replaced, too.
 */
export async function replaceViewInTransaction(client: pg.Client, view: TableAddress, select: string): Promise<void> {
  const former = { schema: view.schema, name: fitName(`${formerPrefix}${view.name}`, facts.identifierMax) }
  // While this waits for a long report that reads the view, every later report waits, too.
  await client.query(`SET LOCAL lock_timeout = '5s'`)
  await lockViews(client)
  const create = `VIEW ${qualified(view)}${await optionsOf(client, view)} AS ${select}`
  const isReplaced = await runUnless(client, `CREATE OR REPLACE ${create}`, otherColumns)
  if (!isReplaced) {
    await client.query(`DROP VIEW IF EXISTS ${qualified(former)}`)
    await client.query(`ALTER VIEW ${qualified(view)} RENAME TO ${quote(former.name)}`)
    await client.query(`CREATE ${create}`)
  }
  await dropFormerViews(client, view.schema)
}

/** Views that were renamed out of the way, as far as nothing uses them any more. */
async function dropFormerViews(client: pg.Client, schema: string): Promise<void> {
  const found = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = to_regnamespace($1) AND relkind = 'v' AND starts_with(relname, $2)`,
    [quote(schema), formerPrefix],
  )
  for (const { name } of found.rows)
    await runUnless(client, `DROP VIEW IF EXISTS ${qualified({ schema, name })}`, stillNeeded)
}

/** Replacing a view would reset its options, such as `security_invoker`. */
async function optionsOf(client: pg.Client, view: TableAddress): Promise<string> {
  const found = await client.query<{ options: string | null }>(
    `SELECT array_to_string(reloptions, ', ') AS options FROM pg_class WHERE oid = to_regclass($1)`,
    [qualified(view)],
  )
  const options = found.rows[0]?.options ?? null
  return options === null ? '' : ` WITH (${options})`
}

export async function dropView(client: pg.Client, view: TableAddress): Promise<void> {
  await transaction(client, async () => {
    await client.query(`SET LOCAL lock_timeout = '5s'`)
    await lockViews(client)
    await client.query(`DROP VIEW IF EXISTS ${qualified(view)}`)
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
