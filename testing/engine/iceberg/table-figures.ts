/** Counts, sums and checksums of the columns of a table in PostgreSQL, as testing/programmes/iceberg/read-tables.py prints them for an Iceberg table. */
import type pg from 'pg'

export interface TableFigures {
  readonly rows: number
  readonly columns: {
    readonly [column: string]: { readonly values: number; readonly checksum: string; readonly sum: string | null }
  }
}

/** @param table in the schema `shop` */
export async function readTargetFigures(target: pg.Client, table: string): Promise<TableFigures> {
  const { rows: columns } = await target.query<{ name: string; type: string }>(
    `SELECT column_name AS name, udt_name AS type FROM information_schema.columns WHERE table_schema = 'shop' AND table_name = '${table}'`,
  )
  const figures: Record<string, TableFigures['columns'][string]> = {}
  for (const { name, type } of columns) {
    const text = canonicalText(`"${name}"`, type)
    const sum = /^(int\d|numeric)$/.test(type) ? `sum("${name}")::text` : 'NULL'
    const { rows } = await target.query<TableFigures['columns'][string]>(
      `SELECT count("${name}")::int AS values, coalesce(sum(('x' || left(md5(convert_to(${text}, 'UTF8')), 15))::bit(60)::bigint), 0)::text AS checksum,
         ${sum} AS sum FROM shop."${table}"`,
    )
    const [found] = rows
    if (found !== undefined) figures[name] = found
  }
  const { rows } = await target.query<{ rows: number }>(`SELECT count(*)::int AS rows FROM shop."${table}"`)
  return { rows: rows[0]?.rows ?? 0, columns: figures }
}

/** The text whose MD5 read-tables.py adds up, too. A time of day is text in the lake. */
function canonicalText(column: string, type: string): string {
  if (type === 'float8') return `encode(float8send(${column}), 'hex')`
  if (type === 'bytea') return `encode(${column}, 'hex')`
  if (type === 'date') return `(${column} - date '1970-01-01')::text`
  return type.startsWith('timestamp') ? `(extract(epoch FROM ${column}) * 1000000)::bigint::text` : `${column}::text`
}
