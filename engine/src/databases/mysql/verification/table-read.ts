/** A consistent read of a table of MySQL or MariaDB for verification. */
import { decodeRows } from '../../../encoding/copy-text.ts'
import type { NewerRows, TableRead } from '../../../ports/verified-table.ts'
import type { MysqlConnection } from '../connection.ts'
import { RowEncoder } from '../source/row-encoder.ts'
import { streamRows } from '../source/row-stream.ts'

export async function beginTableRead(connection: MysqlConnection, newer: NewerRows): Promise<TableRead> {
  try {
    await connection.run('SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ')
    await connection.run('START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY')
  } catch (error) {
    await connection[Symbol.asyncDispose]()
    throw error
  }
  return {
    ...newer,
    async *rows(sql, width) {
      const encoder = new RowEncoder(Array.from({ length: width }, () => 'text' as const))
      for await (const { bytes } of streamRows(connection, sql, encoder)) yield decodeRows(bytes)
    },
    // Ends the transaction, too.
    [Symbol.asyncDispose]: () => connection[Symbol.asyncDispose](),
  }
}
