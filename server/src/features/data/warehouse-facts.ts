/** Facts about the tables of a warehouse that a person may read: size, rows and indexes. */
import { quote } from '@tributary/engine/databases/postgres/types'
import type { PoolClient } from 'pg'
import { keyOf, type TableModel, type TableName } from '../../access/query/table-model.ts'

export interface TableSize {
  readonly bytes: number
  readonly rows: number
  /** False: the rows were counted. */
  readonly isEstimate: boolean
}

interface SizeRow extends TableName {
  readonly bytes: number
  readonly ownBytes: number
  readonly estimate: number
}

/** Up to this size counting takes no longer than asking for an estimate. */
const countedMaxBytes = 512 * 1_024
const countedTablesMax = 200

/**
 * Sizes of tables by `keyOf`, as the login of `client` sees them: it counts only the rows that it may read. Small tables are counted, the
 * rows of others are estimated by PostgreSQL's statistics.
 */
export async function readSizes(
  client: PoolClient,
  models: readonly TableModel[],
): Promise<ReadonlyMap<string, TableSize>> {
  const tables = models.filter(({ kind }) => kind === 'table')
  if (tables.length === 0) return new Map()
  const { rows } = await client.query<SizeRow>(sizesSql, [
    tables.map(({ schema }) => schema),
    tables.map(({ name }) => name),
  ])
  const small = rows.filter(({ ownBytes }) => ownBytes <= countedMaxBytes).slice(0, countedTablesMax)
  const counts = await countRows(client, small)
  return new Map(
    rows.map((row) => {
      const counted = counts.get(keyOf(row))
      return [keyOf(row), { bytes: row.bytes, rows: counted ?? row.estimate, isEstimate: counted === undefined }]
    }),
  )
}

const sizesSql = `
  SELECT n.nspname AS schema, c.relname AS name, pg_total_relation_size(c.oid)::float8 AS bytes, pg_relation_size(c.oid)::float8 AS "ownBytes",
    greatest(c.reltuples, pg_stat_get_live_tuples(c.oid), 0)::float8 AS estimate
  FROM unnest($1::text[], $2::text[]) AS wanted(schema, name)
    JOIN pg_namespace n ON n.nspname = wanted.schema JOIN pg_class c ON c.relnamespace = n.oid AND c.relname = wanted.name`

async function countRows(client: PoolClient, tables: readonly TableName[]): Promise<ReadonlyMap<string, number>> {
  const counts = tables.map(({ schema, name }) => `(SELECT count(*) FROM ${quote(schema)}.${quote(name)})`)
  const { rows } = await client.query<{ counts: readonly number[] }>(
    `SELECT ARRAY[${counts.join(', ')}]::float8[] AS counts`,
  )
  return new Map(tables.map((table, at) => [keyOf(table), rows[0]?.counts[at] ?? 0]))
}

/** The columns that lead an index, so that rows come in their order at once. */
export async function listIndexedColumns(client: PoolClient, { schema, name }: TableName): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT DISTINCT a.attname AS name FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid JOIN pg_namespace n ON n.oid = c.relnamespace
       JOIN pg_class x ON x.oid = i.indexrelid JOIN pg_am m ON m.oid = x.relam AND m.amname = 'btree'
       JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0]
     WHERE n.nspname = $1 AND c.relname = $2 AND i.indisvalid AND i.indpred IS NULL`,
    [schema, name],
  )
  return rows.map((row) => row.name)
}
