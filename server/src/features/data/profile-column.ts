/** Describes a column in figures: empty and distinct values, the smallest, the largest and the most frequent ones. */
import type { DataFilter, DataProfile } from '@tributary/contract/data'
import type { Camel } from '@tributary/contract/wire'
import { quote } from '@tributary/engine/databases/postgres/types'
import type { PoolClient } from 'pg'
import { type SqlText, sql, withParameters } from '../../access/query/sql-text.ts'
import { type ColumnModel, keyOf, type TableModel, type ValueKind } from '../../access/query/table-model.ts'
import { compileQuery } from '../../access/query/table-query.ts'
import { badField } from '../../kernel/http/api-fault.ts'
import { type FilterClock, toExpression } from './table-filters.ts'
import { readSizes } from './warehouse-facts.ts'

export interface ProfileRequest {
  readonly column: string
  readonly filters?: readonly DataFilter[] | undefined
}

/** Rows that are looked at. More are sampled. */
const profiledRows = 200_000
export const frequentMax = 10
const percentDigits = 2

/** The statement runs in one snapshot, so that the figures agree. */
export async function profileColumn(
  client: PoolClient,
  table: TableModel,
  request: ProfileRequest,
  clock: FilterClock,
): Promise<Camel<DataProfile>> {
  const column = table.columns.find(({ name }) => name === request.column)
  if (column === undefined) throw badField('column', 'must be a column of the table')
  const filter = toExpression(table, request.filters ?? [], clock)
  const { from, where } = compileQuery({ table, filter })
  const samplePercent = table.kind === 'table' ? await chooseSample(client, table) : null
  const sampled = samplePercent === null ? from : sql`${from} TABLESAMPLE SYSTEM (${String(samplePercent)})`
  const limit = table.kind === 'view' ? [` LIMIT ${profiledRows + 1}`] : []
  const { text, values } = withParameters(figuresSql(column, sql`${sampled}${where}${limit}`))
  const { figures } = await inUtc(client, async () => {
    const { rows } = await client.query<{ figures: Omit<Camel<DataProfile>, 'samplePercent' | 'sampleRows'> }>(text, [
      ...values,
    ])
    return rows[0] ?? { figures: noFigures }
  })
  const isCut = table.kind === 'view' && figures.rows > profiledRows
  return { ...figures, samplePercent, sampleRows: isCut ? profiledRows : null }
}

const noFigures = { rows: 0, empty: 0, distinct: 0, least: null, greatest: null, frequent: [] }

async function inUtc<T>(client: PoolClient, work: () => Promise<T>): Promise<T> {
  await client.query(`BEGIN READ ONLY; SET LOCAL TimeZone = 'UTC'`)
  const result = await work()
  await client.query('COMMIT')
  return result
}

/** The percentage of the table's blocks to read; null: all. */
async function chooseSample(client: PoolClient, table: TableModel): Promise<number | null> {
  return sampledPercent((await readSizes(client, [table])).get(keyOf(table))?.rows ?? 0)
}

/** The percentage of a table's rows that is looked at; null: all. */
export function sampledPercent(rows: number): number | null {
  return rows <= profiledRows ? null : Number(((100 * profiledRows) / rows).toPrecision(percentDigits))
}

export const withoutExtremes: readonly ValueKind[] = ['boolean', 'guid', 'bytes', 'json', 'other']
const asText: readonly ValueKind[] = ['json', 'other']

/** Values are ISO 8601 and exact, as JSON has them, without its quotes. */
function figuresSql({ name, kind }: ColumnModel, rows: SqlText): SqlText {
  const value = `t.${quote(name)}${asText.includes(kind) ? '::text' : ''}`
  const extreme = (of: 'min' | 'max') =>
    withoutExtremes.includes(kind) ? 'NULL' : `(SELECT ${inWords(`${of}(v)`)} FROM s)`
  return sql`WITH s AS MATERIALIZED (SELECT ${value} AS v FROM ${rows})
    SELECT json_build_object('rows', (SELECT count(*) FROM s),
      'empty', (SELECT count(*) FROM s WHERE ${kind === 'text' ? `v IS NULL OR v = ''` : 'v IS NULL'}),
      'distinct', (SELECT count(DISTINCT v) FROM s), 'least', ${extreme('min')}, 'greatest', ${extreme('max')},
      'frequent', (SELECT coalesce(json_agg(json_build_object('value', ${inWords('v')}, 'rows', n) ORDER BY n DESC, v), '[]')
        FROM (SELECT v, count(*) AS n FROM s WHERE v IS NOT NULL GROUP BY v ORDER BY n DESC, v LIMIT ${String(frequentMax)}) AS f)) AS figures`
}

function inWords(value: string): string {
  return `to_json(${value}) #>> '{}'`
}
