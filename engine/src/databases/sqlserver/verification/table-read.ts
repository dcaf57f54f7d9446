/** A read of a SQL Server table for verification: consistent where the database allows snapshots. */
import type { ComparedRow, NewerRows, TableRead } from '../../../ports/verified-table.ts'
import type { SqlConnection } from '../connection.ts'
import { streamRows } from '../source/row-stream.ts'

export async function beginTableRead(connection: SqlConnection, newer: NewerRows): Promise<TableRead> {
  try {
    await connection.run('SET LOCK_TIMEOUT 30000')
    const [row] = await connection.rows(
      'SELECT snapshot_isolation_state FROM sys.databases WHERE database_id = DB_ID()',
    )
    if (Number(row?.[0]) === 1) await connection.run('SET TRANSACTION ISOLATION LEVEL SNAPSHOT; BEGIN TRANSACTION')
  } catch (error) {
    await connection[Symbol.asyncDispose]()
    throw error
  }
  return {
    ...newer,
    async *rows(sql) {
      for await (const rows of streamRows(connection, sql)) yield rows.map((row): ComparedRow => row.map(asText))
    },
    // Ends the transaction, too.
    [Symbol.asyncDispose]: () => connection[Symbol.asyncDispose](),
  }
}

function asText(value: unknown): string | null {
  return value === null || value === undefined ? null : String(value)
}

/** Whether the server has a collation of UTF-8, without which texts have no checksum that other databases compute, too. */
export async function hasUtf8(connection: SqlConnection): Promise<boolean> {
  const rows = await connection.rows(
    `SELECT COUNT(*) FROM sys.fn_helpcollations() WHERE name = 'Latin1_General_100_BIN2_UTF8'`,
  )
  return Number(rows[0]?.[0]) > 0
}
