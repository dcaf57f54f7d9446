/** Reads from the warehouse of which tables history is kept, since when, and how large it is. */
import { fitName } from '@tributary/engine/databases/sql-target/names'
import { type Client, escapeIdentifier as q, escapeLiteral } from 'pg'
import { keyOf, type TableName } from '../query/table-model.ts'
import type { WarehouseRow } from './queries.ts'

export interface WarehouseHistory extends TableName {
  /** Name of the history table, in the same schema. */
  readonly historyName: string
  readonly connectorId: string
  readonly stream: string
  /** The cut-off of the run that began it, such as `2026-11-28T06:00:00.123456Z`. Nothing is known of before. */
  readonly since: string
  /** The cut-off of the run that ended it. Null while it is kept. */
  readonly endedAt: string | null
  /** Name of the function that returns the table as of a moment. Null if no such function exists. */
  readonly asOfFunction: string | null
  /** Of the table, and of its history. Rows are estimates. */
  readonly size: TableMeasure
  readonly historySize: TableMeasure
}

interface TableMeasure {
  readonly rows: number
  readonly bytes: number
}

/** Of names, in bytes. */
const nameMax = { count: 63, unit: 'bytes' } as const

/** By `keyOf` of the table. @param client of the admin */
export async function readHistories(
  client: Client,
  names: WarehouseRow,
): Promise<ReadonlyMap<string, WarehouseHistory>> {
  const schemas = await listHistorySchemas(client, names)
  if (schemas.length === 0) return new Map()
  const { rows } = await client.query<HistoryRow>(schemas.map(({ name }) => historiesSql(name)).join(' UNION ALL '))
  return new Map(
    rows.map(({ rows: count, bytes, historyRows, historyBytes, ...row }) => {
      const asOf = fitName(`${row.name}__as_of`, nameMax)
      const isDefined = schemas.some(({ name, functions }) => name === row.schema && functions.includes(asOf))
      const history: WarehouseHistory = {
        ...row,
        asOfFunction: isDefined ? asOf : null,
        size: { rows: count, bytes },
        historySize: { rows: historyRows, bytes: historyBytes },
      }
      return [keyOf(row), history]
    }),
  )
}

interface HistoryRow extends Pick<
  WarehouseHistory,
  'schema' | 'name' | 'historyName' | 'connectorId' | 'stream' | 'since' | 'endedAt'
> {
  readonly rows: number
  readonly bytes: number
  readonly historyRows: number
  readonly historyBytes: number
}

interface HistorySchema {
  readonly name: string
  /** Functions from a moment to rows. */
  readonly functions: readonly string[]
}

async function listHistorySchemas(client: Client, { writerName }: WarehouseRow): Promise<readonly HistorySchema[]> {
  const { rows } = await client.query<HistorySchema>(
    `SELECT n.nspname AS name, ARRAY(SELECT p.proname::text FROM pg_proc p WHERE p.pronamespace = n.oid AND p.proretset
         AND p.pronargs = 1 AND p.proargtypes[0] = 'timestamptz'::regtype) AS functions
     FROM pg_namespace n JOIN pg_class c ON c.relnamespace = n.oid AND c.relname = 'tributary_history' AND c.relkind = 'r'
     WHERE pg_get_userbyid(n.nspowner) = $1 AND pg_get_userbyid(c.relowner) = $1 ORDER BY n.nspname`,
    [writerName],
  )
  return rows
}

function historiesSql(schema: string): string {
  const at = escapeLiteral(schema)
  return `SELECT ${at} AS schema, k.table_name AS name, k.history_name AS "historyName", k.connector AS "connectorId", k.stream, k.since,
      k.ended_at AS "endedAt", ${measureSql('m')} , ${measureSql('h', 'history')}
    FROM ${q(schema)}.tributary_history k
      LEFT JOIN pg_class m ON m.relnamespace = ${at}::regnamespace AND m.relname = k.table_name
      LEFT JOIN pg_class h ON h.relnamespace = ${at}::regnamespace AND h.relname = k.history_name
    WHERE k.since IS NOT NULL`
}

function measureSql(alias: string, of = ''): string {
  const named = (name: string) => q(of === '' ? name.toLowerCase() : `${of}${name}`)
  return `greatest(${alias}.reltuples, pg_stat_get_live_tuples(${alias}.oid), 0)::float8 AS ${named('Rows')},
    coalesce(pg_total_relation_size(${alias}.oid), 0)::float8 AS ${named('Bytes')}`
}

/** The latest first. @param schema one that `readHistories` has found */
export async function listCutOffs(
  client: Client,
  { schema, connectorId, since, endedAt }: WarehouseHistory,
  limit: number,
): Promise<readonly { readonly runId: string; readonly cutOff: string }[]> {
  const { rows } = await client.query<{ runId: string; cutOff: string }>(
    `SELECT run_id AS "runId", cut_off AS "cutOff" FROM ${q(schema)}.tributary_cut_off
     WHERE connector = $1 AND cut_off >= $2 AND ($3::text IS NULL OR cut_off < $3) ORDER BY cut_off DESC LIMIT $4`,
    [connectorId, since, endedAt, limit],
  )
  return rows
}
