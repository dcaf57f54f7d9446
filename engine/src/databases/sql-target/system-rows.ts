/** Statements that write rows of the system tables. */
import type { SqlDialect, SystemRow } from './dialect.ts'
import type { SqlValue } from './sessions.ts'

/** `INTO … VALUES …` of a row. @param now expression for the time of the server */
export function insertClause(
  { table, key, initial, values, touched }: SystemRow,
  now: string,
): { readonly sql: string; readonly parameters: readonly SqlValue[] } {
  const row = { ...key, ...initial, ...values }
  const columns = [...Object.keys(row), ...(touched === undefined ? [] : [touched])]
  const placeholders = columns.map((_, at) => (at < Object.keys(row).length ? '?' : now))
  return {
    sql: `INTO ${table} (${columns.join(', ')}) VALUES (${placeholders.join(', ')})`,
    parameters: Object.values(row),
  }
}

/** Writes rejected rows one by one, for databases whose statements take no list of rows as JSON. */
export function writeRejectsSingly(now: string, table: string): SqlDialect['writeRejects'] {
  return async (session, { writer, stream, rows, clearsEarlier }) => {
    const key = [writer.connectorId, stream, writer.runId]
    if (clearsEarlier) await session.run(`DELETE FROM ${table} WHERE connector = ? AND stream = ? AND run_id <> ?`, key)
    for (const { table: name, column, reason, row } of rows)
      await session.run(
        `INSERT INTO ${table} (connector, stream, run_id, table_name, column_name, reason, row_json, at) VALUES (?, ?, ?, ?, ?, ?, ?, ${now})`,
        [...key, name, column, reason, JSON.stringify(row)],
      )
  }
}
