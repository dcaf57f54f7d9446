/** Tables that were made before, and other names for them. */
import type pg from 'pg'
import { fitName } from '../../sql-target/names.ts'
import { quote } from '../types.ts'
import type { MadeTable, RenameResult, Renaming, Writer } from '../../../ports/target.ts'
import { facts } from './facts.ts'
import { keyName, qualified, readColumns } from './tables.ts'
import { holdFence, lockNames, type Records } from './records.ts'

interface Tables {
  readonly client: pg.Client
  readonly records: Records
  readonly writer: Writer
  readonly stream: string
}

export async function listTables({ client, records, writer, stream }: Tables): Promise<readonly MadeTable[]> {
  const found = await client.query<MadeTable>(
    `SELECT source_name AS "sourceName", name FROM ${records.tables} JOIN pg_class ON relname = name AND relnamespace = $3::regnamespace AND relkind IN ('r', 'p')
     WHERE connector = $1 AND stream = $2 ORDER BY name`,
    [writer.connectorId, stream, quote(records.schema)],
  )
  return found.rows
}

/** In a transaction of the caller's. */
export async function renameTables(tables: Tables, renamings: readonly Renaming[]): Promise<RenameResult> {
  const { client, records, writer, stream } = tables
  await lockNames(client, records)
  const there = await listTables(tables)
  const wanted = renamings.flatMap(({ from, to }) => {
    const name = there.find(({ sourceName }) => sourceName === from)?.name
    return name === undefined ? [] : [{ name, from, to, fresh: fitName(to, facts.identifierMax) }]
  })
  for (const { name, fresh } of wanted)
    if (fresh !== name && (await isTaken(tables, fresh))) return { outcome: 'taken', name: fresh }
  await client.query(`SET LOCAL lock_timeout = '5s'`)
  for (const { name, from, to, fresh } of wanted) {
    if (fresh !== name) await renameTable(client, records, { name, fresh })
    await client.query(
      `UPDATE ${records.tables} SET name = $4, source_name = $5 WHERE connector = $1 AND stream = $2 AND source_name = $3`,
      [writer.connectorId, stream, from, fresh, to],
    )
    await client.query(`DELETE FROM ${records.freshness} WHERE table_name = $1 AND table_name <> $2`, [fresh, name])
    await client.query(`UPDATE ${records.freshness} SET table_name = $1 WHERE table_name = $2`, [fresh, name])
  }
  await holdFence(client, records, writer)
  return { outcome: 'done' }
}

/** The key is named after its table. */
async function renameTable(
  client: pg.Client,
  { schema }: Records,
  { name, fresh }: { readonly name: string; readonly fresh: string },
): Promise<void> {
  const hasKey = (await readColumns(client, { schema, name })).some(({ keyAt }) => keyAt !== null)
  await client.query(`ALTER TABLE ${qualified({ schema, name })} RENAME TO ${quote(fresh)}`)
  if (hasKey)
    await client.query(
      `ALTER TABLE ${qualified({ schema, name: fresh })} RENAME CONSTRAINT ${quote(keyName(name))} TO ${quote(keyName(fresh))}`,
    )
}

async function isTaken({ client, records }: Tables, name: string): Promise<boolean> {
  const found = await client.query(
    `SELECT FROM ${records.tables} WHERE name = $1 UNION ALL SELECT FROM pg_class WHERE relnamespace = $2::regnamespace AND relname = $1`,
    [name, quote(records.schema)],
  )
  return found.rowCount !== 0
}
