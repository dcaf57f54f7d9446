/** Expressions and statements of history in SQL Server. */
import type { LogicalType } from '../../../ports/model.ts'
import type { HistoryChange } from '../../sql-target/history/history-sql.ts'
import type { TargetColumn } from '../../sql-target/table-layout.ts'
import { columnList, literal, quote } from '../quoting.ts'
import { isPadded, keysEqual } from './merge.ts'
import type { SqlServerColumn, SqlServerDialect } from './session.ts'
import { qualified } from './tables.ts'

const digits = 'char(64) COLLATE Latin1_General_100_BIN2'

export function historySql(schema: string) {
  return {
    ...historyExpressions,
    tableSizeSql: (name) =>
      `SELECT CONVERT(varchar(20), SUM(CASE WHEN p.index_id < 2 AND a.type = 1 THEN p.rows ELSE 0 END)), CONVERT(varchar(20), SUM(a.total_pages) * 8192)
       FROM sys.partitions p JOIN sys.allocation_units a ON a.container_id = CASE WHEN a.type = 2 THEN p.partition_id ELSE p.hobt_id END
       WHERE p.object_id = OBJECT_ID(${literal(qualified({ schema, name }))})`,
  } satisfies Partial<SqlServerDialect>
}

const historyExpressions = {
  historyTypes: { moment: 'datetime2(6)', runId: 'nvarchar(100)', hash: digits, number: 'bigint' },
  momentLiteral: (moment) => `CAST('${moment.slice(0, 26)}' AS datetime2(6))`,
  textLiteral: literal,
  asText: (column) => `CONVERT(nvarchar(max), ${column}) COLLATE Latin1_General_100_BIN2`,
  asMoment: (column, { kind }: LogicalType) =>
    kind === 'instant' || kind === 'localTimestamp' || kind === 'date' ? `CAST(${column} AS datetime2(6))` : null,
  storedType: (column) => JSON.stringify((column as SqlServerColumn).stored),
  async createHistoryTable({ run }, at, columns) {
    await run(
      `CREATE TABLE ${qualified(at)} (${columns.map(({ name, type }) => `${quote(name)} ${type} NULL`).join(', ')})`,
    )
  },
  async addHistoryColumns({ run }, at, columns) {
    const added = columns.map(({ name, type }) => `${quote(name)} ${type} NULL`)
    await run(`ALTER TABLE ${qualified(at)} ADD ${added.join(', ')}`)
  },
  /** A column cannot change while an index holds it (5074); the caller creates the index again. */
  async widenHistoryColumns({ rows, run }, at, columns) {
    const indexes = await rows(
      `SELECT name FROM sys.indexes WHERE object_id = OBJECT_ID(${literal(qualified(at))}) AND name LIKE N'tributary[_]current[_]%'`,
    )
    for (const [name] of indexes) await run(`DROP INDEX ${quote(String(name))} ON ${qualified(at)}`)
    for (const { name, type } of columns)
      await run(`ALTER TABLE ${qualified(at)} ALTER COLUMN ${quote(name)} ${type} NULL`)
  },
  async ensureHistoryIndex({ run }, at, { name, columns, validTo }) {
    const table = qualified(at)
    await run(
      `IF NOT EXISTS (SELECT 1 FROM sys.indexes WHERE object_id = OBJECT_ID(${literal(table)}) AND name = ${literal(name)})
       CREATE INDEX ${quote(name)} ON ${table} (${columnList(columns)}) WHERE ${quote(validTo)} IS NULL`,
    )
  },
  keysEqual,
  // INTERSECT takes NULLs as equal. Equality ignores blanks and zero bytes at the end, so lengths are compared too.
  valuesEqual: (columns, left, right) =>
    `EXISTS (SELECT ${comparedValues(columns, left)} INTERSECT SELECT ${comparedValues(columns, right)})`,
  rowHash(columns, values) {
    const texts = columns.map((column, at) => {
      const value = values[at] ?? ''
      return `ISNULL(CONVERT(nvarchar(20), DATALENGTH(${value})) + N':' + ${valueText(column, value)}, N'-')`
    })
    return `CONVERT(${digits.split(' ')[0]}, HASHBYTES('SHA2_256', CONCAT(${texts.join(', ')}, N'')), 2) COLLATE Latin1_General_100_BIN2`
  },
  planVersions: async () => {},
  analyseHistory: async () => {},
  async listKeys({ run }, names, { main, lists }) {
    const keys = main.columns.filter(({ isKey }) => isKey)
    const inOrder = main.key.flatMap((name) => keys.filter((column) => column.name === name))
    for (const name of names) {
      await run(`IF OBJECT_ID(${literal(`tempdb..${name}`)}) IS NOT NULL DROP TABLE ${name}`)
      await run(
        `CREATE TABLE ${name} (${inOrder.map((column) => `${quote(column.name)} ${column.type} NULL`).join(', ')})`,
      )
      const selects = lists.map(
        ({ from, columns }) =>
          `SELECT ${columns.map((column, at) => `${quote(column)} AS ${quote(main.key[at] ?? column)}`).join(', ')} FROM ${from}`,
      )
      // Two keys that differ in blanks at the end are two keys.
      const lengths = inOrder
        .filter(isPadded)
        .map(
          (column) =>
            `, DATALENGTH(k.${quote(column.name)}) AS ${quote(`tributary_length_${column.name}`.slice(0, 128))}`,
        )
      await run(
        `INSERT INTO ${name} SELECT ${columnList(main.key, 'd')} FROM (SELECT DISTINCT ${columnList(main.key, 'k')}${lengths.join('')} FROM (${selects.join(' UNION ALL ')}) k) d`,
      )
    }
  },
  /** A moment before the history began cannot be converted, which shows the reason. */
  async defineAsOf({ run, rows }, { schema, name, table, select, since }) {
    const at = qualified({ schema, name })
    const [state] = await rows(
      `SELECT CAST(HAS_PERMS_BY_NAME(DB_NAME(), 'DATABASE', 'CREATE FUNCTION') AS varchar(1)), CASE WHEN OBJECT_ID(${literal(at)}) IS NULL THEN 'CREATE' ELSE 'ALTER' END`,
    )
    if (state?.[0] === '0') return
    const refusal = literal(`The history of ${table} begins at ${since}, and nothing is known of before: of `)
    const isKnown = `1 = CASE WHEN @moment >= CAST('${since.slice(0, 26)}' AS datetime2(6)) THEN 1 ELSE CAST(${refusal} + CONVERT(nvarchar(30), @moment, 126) AS int) END`
    await run(
      `${state?.[1] ?? 'CREATE'} FUNCTION ${at}(@moment datetime2(6)) RETURNS TABLE AS RETURN (${select('@moment')} AND ${isKnown})`,
    )
  },
  async dropAsOf({ run }, at) {
    await run(`IF OBJECT_ID(${literal(qualified(at))}) IS NOT NULL DROP FUNCTION ${qualified(at)}`)
  },
  supersedeVersions: null,
  deleteVersions: ({ history, join, where }: HistoryChange) =>
    `DELETE h FROM ${history} h${joined(join)} WHERE ${where}`,
  closeVersions: ({ history, join, where }, validTo, moment) =>
    `UPDATE h SET ${validTo} = ${moment} FROM ${history} h${joined(join)} WHERE ${where}`,
} satisfies Partial<SqlServerDialect>

function joined(join: HistoryChange['join']): string {
  return join === null ? '' : ` JOIN ${join.table} k ON ${join.on}`
}

function comparedValues(columns: readonly TargetColumn[], values: readonly string[]): string {
  return columns
    .flatMap((column, at) => {
      const value = values[at] ?? ''
      return isPadded(column) ? [value, `DATALENGTH(${value})`] : [value]
    })
    .join(', ')
}

/** Exact: style 3 writes a float so that it reads back the same, style 2 writes bytes as digits. */
function valueText({ type }: TargetColumn, value: string): string {
  if (type.startsWith('varbinary')) return `CONVERT(nvarchar(max), ${value}, 2)`
  if (type.startsWith('float')) return `CONVERT(nvarchar(40), ${value}, 3)`
  return `CONVERT(nvarchar(max), ${value})`
}
