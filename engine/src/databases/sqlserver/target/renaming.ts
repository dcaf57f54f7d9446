/** Tables that were made before, and other names for them. */
import { fitName } from '../../sql-target/names.ts'
import type { SqlConnection } from '../connection.ts'
import { literal, quote, renamed } from '../quoting.ts'
import type { MadeTable, RenameResult, Renaming, Writer } from '../../../ports/target.ts'
import { facts } from './facts.ts'
import { qualified } from './tables.ts'
import { holdFence, type Records } from './records.ts'

interface Tables {
  readonly connection: SqlConnection
  readonly records: Records
  readonly writer: Writer
  readonly stream: string
}

export async function listTables({ connection, records, writer, stream }: Tables): Promise<readonly MadeTable[]> {
  const rows = await connection.rows(
    `SELECT source_name, name FROM ${records.tables} WHERE connector = ${literal(writer.connectorId)} AND stream = ${literal(stream)}
     AND OBJECT_ID(${literal(`${quote(records.schema)}.`)} + QUOTENAME(name)) IS NOT NULL ORDER BY name`,
  )
  return rows.map(([sourceName, name]) => ({ sourceName: String(sourceName), name: String(name) }))
}

/** In a transaction of the caller's. */
export async function renameTables(tables: Tables, renamings: readonly Renaming[]): Promise<RenameResult> {
  const { connection, records, writer, stream } = tables
  const there = await listTables(tables)
  const wanted = renamings.flatMap(({ from, to }) => {
    const name = there.find(({ sourceName }) => sourceName === from)?.name
    return name === undefined ? [] : [{ name, from, to, fresh: fitName(to, facts.identifierMax) }]
  })
  for (const { name, fresh } of wanted)
    if (fresh.toLowerCase() !== name.toLowerCase() && (await isTaken(tables, fresh)))
      return { outcome: 'taken', name: fresh }
  for (const { name, from, to, fresh } of wanted) {
    if (fresh !== name)
      await connection.run(`EXEC sp_rename ${renamed(records.schema, name)}, ${literal(fresh)}, 'OBJECT'`)
    const isIt = `connector = ${literal(writer.connectorId)} AND stream = ${literal(stream)} AND source_name = ${literal(from)}`
    await connection.run(
      `UPDATE ${records.tables} SET name = ${literal(fresh)}, source_name = ${literal(to)} WHERE ${isIt}`,
    )
    if (fresh === name) continue
    await connection.run(
      `DELETE FROM ${records.freshness} WHERE table_name = ${literal(fresh)}; UPDATE ${records.freshness} SET table_name = ${literal(fresh)} WHERE table_name = ${literal(name)}`,
    )
  }
  await holdFence(connection, records, writer)
  return { outcome: 'done' }
}

async function isTaken({ connection, records }: Tables, name: string): Promise<boolean> {
  const [row] = await connection.rows(
    `SELECT CASE WHEN OBJECT_ID(${literal(qualified({ schema: records.schema, name }))}) IS NOT NULL
      OR EXISTS (SELECT 1 FROM ${records.tables} WITH (UPDLOCK, HOLDLOCK) WHERE LOWER(name) = LOWER(${literal(name)})) THEN 1 ELSE 0 END`,
  )
  return row?.[0] === 1
}
