/** Lets the stub of SQL Server answer questions about tables that were created on it. */
import type { AnswerStatement } from './sqlserver-bench.ts'

/** Answers the claims and columns of these tables, once they exist. @param keys names of key columns */
export function createdTables(keys: ReadonlySet<string>): AnswerStatement {
  const created = new Map<string, readonly (readonly unknown[])[]>()
  return (sql) => {
    const [, name] = /^CREATE TABLE \[\w+\]\.\[(\w+)\]/u.exec(sql) ?? []
    if (name !== undefined) created.set(name, catalogueRows(sql, keys))
    const [, claimed] = /^SELECT name FROM \[\w+\]\.\[tributary_table\].* N'(\w+)'$/su.exec(sql) ?? []
    if (claimed !== undefined && created.has(claimed)) return { rows: [[claimed]] }
    const [, described] = /^SELECT c\.name, y\.name, c\.max_length.*N'\[\w+\]\.\[(\w+)\]'/su.exec(sql) ?? []
    const rows = created.get(described ?? '')
    return rows === undefined ? undefined : { rows }
  }
}

const bytesOf: Readonly<Record<string, number>> = { smallint: 2, int: 4, bigint: 8, datetime2: 8, time: 5, date: 3 }

/** Name, type, bytes, precision, scale and whether it is a key, of each column of a CREATE TABLE. */
function catalogueRows(sql: string, keys: ReadonlySet<string>): readonly (readonly unknown[])[] {
  return [...sql.matchAll(/\[(\w+)\] (\w+)(?:\((\w+)(?:,\s*(\d+))?\))?/gu)].map(
    ([, name = '', type = '', first, second]) => {
      const size = first === 'max' ? -1 : Number(first ?? 0)
      const isKey = keys.has(name) ? 1 : 0
      if (type === 'decimal') return [name, type, 17, size, Number(second ?? 0), isKey]
      const bytes = type === 'nvarchar' && size > 0 ? 2 * size : (bytesOf[type] ?? size)
      return [name, type, bytes, 0, Math.max(size, 0), isKey]
    },
  )
}
