/** Views over what was moved, and what a SELECT over them answers. */
import type pg from 'pg'
import { errorCode } from '../faults.ts'
import { quote } from '../types.ts'
import { transaction } from '../sessions.ts'
import { fitName } from '../../sql-target/names.ts'
import { facts } from './facts.ts'
import { qualified } from './tables.ts'

interface Place {
  readonly schema: string
  readonly name: string
}

const otherColumns = '42P16'
const stillNeeded = '2BP01'

/**
 * A view whose columns have changed cannot be replaced, nor dropped while others are made upon it: those go on with the former one,
 * out of the way, until they are made anew, too.
 */
export async function replaceView(client: pg.Client, view: Place, select: string): Promise<void> {
  const former = { schema: view.schema, name: fitName(`tributary_former_${view.name}`, facts.identifierMax) }
  const create = `VIEW ${qualified(view)} AS ${select}`
  await transaction(client, async () => {
    // A report that reads the view for long is waited for, and so is every report after it.
    await client.query(`SET LOCAL lock_timeout = '5s'`)
    const isReplaced = await tried(client, `CREATE OR REPLACE ${create}`, otherColumns)
    if (!isReplaced) {
      await client.query(`DROP VIEW IF EXISTS ${qualified(former)}`)
      await client.query(`ALTER VIEW ${qualified(view)} RENAME TO ${quote(former.name)}`)
      await client.query(`CREATE ${create}`)
    }
    await tried(client, `DROP VIEW IF EXISTS ${qualified(former)}`, stillNeeded)
  })
}

/** Whether it could be done; the one error that is foreseen leaves the transaction as it was. */
async function tried(client: pg.Client, sql: string, foreseen: string): Promise<boolean> {
  await client.query('SAVEPOINT tributary_try')
  try {
    await client.query(sql)
    return true
  } catch (error) {
    if (errorCode(error) !== foreseen) throw error
    await client.query('ROLLBACK TO SAVEPOINT tributary_try')
    return false
  }
}

/** The planner knows nothing of tables that have just been filled, and would join them row by row. */
export async function analyseNew(client: pg.Client, tables: readonly string[]): Promise<void> {
  const found = await client.query<{ name: string }>(
    'SELECT name FROM unnest($1::text[]) AS name JOIN pg_class ON pg_class.oid = to_regclass(name) WHERE reltuples < 0',
    [tables],
  )
  if (found.rows.length > 0) await client.query(`ANALYZE ${found.rows.map(({ name }) => name).join(', ')}`)
}

const asText = { getTypeParser: () => (text: string) => text } as unknown as pg.CustomTypesConfig // The driver's types know the overloads for bytes, too, which text never takes.

export async function selectText(client: pg.Client, text: string): Promise<readonly (readonly (string | null)[])[]> {
  const found = await client.query<(string | null)[]>({ text, rowMode: 'array', types: asText })
  return found.rows
}
