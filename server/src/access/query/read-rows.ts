/**
 * Reads the rows of a query. Each read is one transaction that changes nothing, in one snapshot, with UTC as its time zone. Where more rows
 * follow the limit, the result has the position at which the next page starts.
 */
import { copyOut, release } from '@tributary/engine/databases/postgres/copy-out'
import type { ClientBase } from 'pg'
import { BinaryJsonRows } from './binary-json-rows.ts'
import { compileJson, type JsonFormat, type JsonQuery } from './json-rows.ts'
import { tableName } from './relation.ts'
import { isRowStillThere, type RowPosition } from './row-position.ts'
import { withLiterals, withParameters } from './sql-text.ts'
import { compileCount, type TableQuery } from './table-query.ts'

export interface RowsEnd {
  readonly rows: number
  /** Whether the query has rows after its limit. */
  readonly hasMore: boolean
  /** Null after the last row, and for a view without a key, whose rows have no position. */
  readonly next: RowPosition | null
}

/** The row at which a page of a table without a key ended has changed or was replaced, so the page cannot continue. */
export class PositionLost extends Error {
  override readonly name = 'PositionLost'
}

/**
 * Yields the rows as the elements of a JSON array without its brackets, with constant memory: PostgreSQL writes the JSON, and a slow
 * reader makes it wait. Call `end` after the last chunk. If the reader stops before the end, the connection is unusable: cancel the
 * statement and close it.
 */
export function streamRows(
  client: ClientBase,
  query: TableQuery,
  format: JsonFormat,
): { readonly chunks: AsyncIterable<Buffer>; readonly end: () => RowsEnd } {
  const json = compileJson(withOneMore(query), format)
  const rows = new BinaryJsonRows(query.limit ?? Number.POSITIVE_INFINITY)
  async function* chunks() {
    try {
      await beginReading(client, query, json)
      for await (const bytes of copyOut(client, `COPY (${withLiterals(json.statement)}) TO STDOUT (FORMAT binary)`)) {
        const text = rows.push(bytes)
        // A copy was made; waiting for the garbage collector, the buffers would accumulate.
        if (text.buffer !== bytes.buffer) release(bytes)
        if (text.length > 0) yield text
      }
      await client.query('COMMIT')
    } catch (error) {
      await client.query('ROLLBACK').catch(() => undefined)
      throw error
    }
  }
  const end = (): RowsEnd => {
    const { position, hasMore } = rows
    return { rows: rows.rows, hasMore, next: hasMore && position.length > 0 ? position : null }
  }
  return { chunks: chunks(), end }
}

export interface ReadPage extends RowsEnd {
  /** Each row as JSON text. */
  readonly json: readonly string[]
  /** Where each row is. Empty ones if rows have no position. */
  readonly positions: readonly RowPosition[]
}

/** Reads a page at once. Each row is JSON text, because `JSON.parse` would round its numbers. */
export async function readRows(
  client: ClientBase,
  query: TableQuery & { readonly limit: number },
  format: JsonFormat,
): Promise<ReadPage> {
  const json = compileJson(withOneMore(query), format)
  const { text, values } = withParameters(json.statement)
  const types = { getTypeParser: () => (value: string | Buffer) => String(value) }
  const { rows } = await inTransaction(client, async () => {
    await beginReading(client, query, json)
    return client.query<(string | null)[]>({ text, values: [...values], rowMode: 'array', types })
  })
  const page = rows.slice(0, query.limit)
  const hasMore = rows.length > page.length
  const positions = page.map((row) => row.slice(1))
  const position = positions.at(-1) ?? []
  const next = hasMore && position.length > 0 ? position : null
  return { rows: page.length, hasMore, next, json: page.map(([row]) => row ?? ''), positions }
}

function withOneMore(query: TableQuery): TableQuery {
  return query.limit === undefined ? query : { ...query, limit: query.limit + 1 }
}

/** Throws `PositionLost`. */
async function beginReading(client: ClientBase, { table, after }: TableQuery, { compiled }: JsonQuery): Promise<void> {
  await client.query(`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL TimeZone = 'UTC'`)
  if (!compiled.hasPlace || after === undefined) return
  if (!(await isRowStillThere(client, tableName(table), after))) throw new PositionLost()
}

async function inTransaction<T>(client: ClientBase, work: () => Promise<T>): Promise<T> {
  try {
    const result = await work()
    await client.query('COMMIT')
    return result
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined)
    throw error
  }
}

/** Counts the rows of a query, without its page. */
export async function countRows(client: ClientBase, query: TableQuery): Promise<bigint> {
  const { text, values } = withParameters(compileCount(query))
  const { rows } = await client.query<{ rows: string }>(text, [...values])
  return BigInt(rows[0]?.rows ?? 0)
}
