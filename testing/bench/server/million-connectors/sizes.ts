/** The size of the store, table by table. */
import type pg from 'pg'

export interface TableSize {
  readonly table: string
  readonly rows: number
  /** With indexes and long values. */
  readonly bytes: number
  readonly indexBytes: number
}

/** The tables of more than a megabyte, largest first. Rows are estimates of the statistics. */
export async function measureSizes(superuser: pg.Client): Promise<readonly TableSize[]> {
  const { rows } = await superuser.query<TableSize>(
    `SELECT relname AS table, greatest(reltuples, 0)::float8 AS rows, pg_total_relation_size(oid)::float8 AS bytes, pg_indexes_size(oid)::float8 AS "indexBytes"
     FROM pg_class WHERE relkind = 'r' AND relnamespace::regnamespace::text IN ('public', 'tributary_queue') AND relname NOT LIKE 'bench%'
       AND pg_total_relation_size(oid) > 1e6
     ORDER BY bytes DESC`,
  )
  return rows
}
