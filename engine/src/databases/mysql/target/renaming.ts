/** Tables that were made before, and other names for them. */
import type { MysqlConnection } from '../connection.ts'
import { quote } from '../quoting.ts'
import type { MadeTable, RenameResult, Renaming, Writer } from '../../../ports/target.ts'
import { wishedName } from './tables.ts'
import { holdFence } from './records.ts'

interface Tables {
  readonly connection: MysqlConnection
  readonly writer: Writer
  readonly prefix: string
  readonly stream: string
}

export async function listTables({ connection, writer, stream }: Tables): Promise<readonly MadeTable[]> {
  const rows = await connection.rows(
    `SELECT source_name, name FROM tributary_table WHERE connector = ? AND stream = ?
     AND EXISTS (SELECT 1 FROM information_schema.tables WHERE table_schema = DATABASE() AND BINARY table_name = BINARY name) ORDER BY name`,
    [writer.connectorId, stream],
  )
  return rows.map((row) => ({ sourceName: row['source_name'] ?? '', name: row['name'] ?? '' }))
}

/**
 * A statement that renames cannot be taken back, so both names are ours while it runs: of one that is cut off, that name counts whose
 * table is there.
 */
export async function renameTables(tables: Tables, renamings: readonly Renaming[]): Promise<RenameResult> {
  const { connection, writer, stream } = tables
  const there = await listTables(tables)
  const wanted = renamings.flatMap(({ from, to }) => {
    const name = there.find(({ sourceName }) => sourceName === from)?.name
    return name === undefined ? [] : [{ name, from, to, fresh: wishedName(tables.prefix, to) }]
  })
  for (const { name, fresh } of wanted)
    if (await isTaken(tables, { name, fresh })) return { outcome: 'taken', name: fresh }
  for (const { to, fresh } of wanted)
    await connection.run('REPLACE INTO tributary_table (name, connector, stream, source_name) VALUES (?, ?, ?, ?)', [
      fresh,
      writer.connectorId,
      stream,
      to,
    ])
  await holdFence(connection, writer)
  await connection.run('COMMIT')
  const moved = wanted.filter(({ name, fresh }) => name !== fresh)
  if (moved.length > 0)
    await connection.run(
      `RENAME TABLE ${moved.map(({ name, fresh }) => `${quote(name)} TO ${quote(fresh)}`).join(', ')}`,
    )
  for (const { name, fresh } of moved) {
    await connection.run('DELETE FROM tributary_table WHERE name = ?', [name])
    await connection.run('DELETE FROM tributary_freshness WHERE table_name = ?', [fresh])
    await connection.run('UPDATE tributary_freshness SET table_name = ? WHERE table_name = ?', [fresh, name])
  }
  await holdFence(connection, writer)
  await connection.run('COMMIT')
  return { outcome: 'done' }
}

async function isTaken(
  { connection, writer, stream }: Tables,
  { name, fresh }: { readonly name: string; readonly fresh: string },
): Promise<boolean> {
  if (name.toLowerCase() === fresh.toLowerCase()) return false
  const others = await connection.rows(
    `SELECT 1 FROM tributary_table WHERE LOWER(name) = LOWER(?) AND NOT (connector = ? AND stream = ?)
     UNION ALL SELECT 1 FROM information_schema.tables WHERE table_schema = DATABASE() AND LOWER(table_name) = LOWER(?)`,
    [fresh, writer.connectorId, stream, fresh],
  )
  return others.length > 0
}
