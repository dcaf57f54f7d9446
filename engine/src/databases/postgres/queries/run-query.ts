/**
 * Runs one query of a person in a transaction that changes nothing and is always rolled back. Memory is bounded: rows come through a
 * cursor, and a connection that sends far more than the limit is closed.
 */
import type { Duplex } from 'node:stream'
import pg from 'pg'
import {
  type QueryColumn,
  type QueryLimits,
  QueryRefused,
  type QueryResult,
  type QueryValueKind,
} from '../../../ports/query.ts'
import { parseStatement } from '../../queries/parse-statement.ts'
import { queryTimeout } from '../../queries/query-timeout.ts'
import { collectRows, type RowCollector } from '../../queries/row-collector.ts'

/** Throws `QueryRefused`, or the error of the connection. The caller cancels through another connection. */
export async function runPostgresQuery(
  client: pg.ClientBase,
  statement: string,
  limits: QueryLimits,
): Promise<QueryResult> {
  const { text, keyword } = parseStatement('postgres', statement)
  const reader = new Reader(client, limits)
  try {
    await begin(client, limits)
    return keyword === 'explain' || keyword === 'show' ? await reader.runDirectly(text) : await reader.runByCursor(text)
  } finally {
    reader.close()
    // Fails only if the connection is closed, which has rolled back already.
    await client.query('ROLLBACK').catch(() => undefined)
  }
}

/**
 * Reading a row before the person's statement fixes that the transaction is read-only: PostgreSQL then refuses to lift it. The setting
 * of the session does not count, because the session may change it.
 */
async function begin(client: pg.ClientBase, { timeMs }: QueryLimits): Promise<void> {
  await client.query('BEGIN TRANSACTION READ ONLY')
  await client.query(
    `SELECT set_config('statement_timeout', $1, true), set_config('TimeZone', 'UTC', true),
    set_config('DateStyle', 'ISO, YMD', true), set_config('IntervalStyle', 'postgres', true), set_config('extra_float_digits', '1', true)`,
    [String(timeMs)],
  )
}

const cursorPrefix = 'DECLARE tributary_query NO SCROLL CURSOR FOR '
const firstRows = 100
const laterRows = 1_000
/** What may arrive for one batch, in relation to the limit of all values. */
const receivedFactor = 4

class Reader {
  readonly #client: pg.ClientBase
  readonly #limits: QueryLimits
  readonly #collector: RowCollector
  readonly #stream: Duplex
  readonly #endsAt: number
  #received = 0

  constructor(client: pg.ClientBase, limits: QueryLimits) {
    this.#client = client
    this.#limits = limits
    this.#collector = collectRows(limits)
    this.#endsAt = performance.now() + limits.timeMs
    this.#stream = (client as unknown as { readonly connection: { readonly stream: Duplex } }).connection.stream
    this.#stream.on('data', this.#count)
  }

  close(): void {
    this.#stream.off('data', this.#count)
  }

  /** A single value can have a gigabyte, and the driver would keep all of it. */
  readonly #count = (bytes: Buffer): void => {
    this.#received += bytes.length
    if (this.#received <= this.#limits.bytes * receivedFactor) return
    this.#collector.stop('bytes')
    this.#stream.destroy()
  }

  async runDirectly(text: string): Promise<QueryResult> {
    const fields = await this.#read(text, 0)
    return this.#result(fields.map(({ name }) => ({ name, type: 'text', kind: 'text' })))
  }

  async runByCursor(text: string): Promise<QueryResult> {
    await this.#read(cursorPrefix + text, cursorPrefix.length)
    const columns = await this.#describe(await this.#read('FETCH 0 FROM tributary_query', null))
    for (let batch = firstRows; this.#collector.reached === null; batch = laterRows) {
      const before = this.#collector.rows.length
      await this.#readBatch(batch)
      if (this.#collector.rows.length < before + batch) break
    }
    return this.#result(columns)
  }

  async #readBatch(rows: number): Promise<void> {
    const leftMs = Math.ceil(this.#endsAt - performance.now())
    if (leftMs <= 0) return this.#collector.stop('timeMs')
    this.#received = 0
    await this.#client.query(`SET LOCAL statement_timeout = ${leftMs}`)
    await this.#read(`FETCH ${rows} FROM tributary_query`, null)
  }

  #result(columns: readonly QueryColumn[]): QueryResult {
    const { rows, reached } = this.#collector
    return { columns, rows, reached }
  }

  /**
   * The extended protocol refuses more than one statement, whatever our own parser thinks.
   *
   * @param offset of the person's statement in the text. Null: the text is ours, and so are positions in it
   */
  #read(text: string, offset: number | null): Promise<readonly pg.FieldDef[]> {
    const query = new pg.Query<(string | null)[]>({
      text,
      rowMode: 'array',
      types: asText,
      queryMode: 'extended',
    } as pg.QueryConfig)
    return new Promise((resolve, reject) => {
      query.on('row', (row) => this.#collector.add(row))
      query.on('end', ({ fields }) => resolve(fields))
      query.on('error', (error) => {
        const { reached } = this.#collector
        if (reached === 'bytes' && !isStatementError(error)) return resolve([])
        if (isTimeout(error) && this.#collector.rows.length > 0) {
          this.#collector.stop('timeMs')
          return resolve([])
        }
        reject(refusal(error, text, offset))
      })
      this.#client.query(query)
    })
  }

  async #describe(fields: readonly pg.FieldDef[]): Promise<QueryColumn[]> {
    const { rows } = await this.#client.query<{ type: string }>(
      'SELECT format_type(type, modifier) AS type FROM unnest($1::oid[], $2::int[]) WITH ORDINALITY AS given(type, modifier, at) ORDER BY at',
      [fields.map(({ dataTypeID }) => dataTypeID), fields.map(({ dataTypeModifier }) => dataTypeModifier)],
    )
    return fields.map(({ name, dataTypeID }, at) => ({
      name,
      type: rows[at]?.type ?? 'text',
      kind: kinds.get(dataTypeID) ?? 'text',
    }))
  }
}

const asText = { getTypeParser: () => (value: string | Buffer) => String(value) }

/** By the object ids of pg_type, which are the same in every database. */
const kinds: ReadonlyMap<number, QueryValueKind> = new Map([
  ...[20, 21, 23, 26, 700, 701, 1_700].map((id) => [id, 'number'] as const),
  [16, 'boolean'],
  [1_082, 'date'],
  [1_114, 'timestamp'],
  [1_184, 'timestamp'],
])

const cancelled = '57014'

function isTimeout(error: Error): boolean {
  return (error as pg.DatabaseError).code === cancelled
}

/** The server has refused the statement, and the connection can be used further. */
function isStatementError(error: Error): boolean {
  const { code, severity } = error as pg.DatabaseError
  return code !== undefined && severity !== undefined && !/^(?:08|57P)/u.test(code)
}

function refusal(error: Error, text: string, offset: number | null): Error {
  if (!isStatementError(error)) return error
  const { code, hint, detail, position } = error as pg.DatabaseError
  if (code === cancelled) return queryTimeout(code, error)
  const at = position === undefined || offset === null ? undefined : codeUnits(text, Number(position) - 1) - offset
  const further = [detail, hint].filter((part) => part !== undefined).join(' ')
  return new QueryRefused(error.message, {
    position: at === undefined || at < 0 ? undefined : at,
    hint: further === '' ? undefined : further,
    code,
    cause: error,
  })
}

/** PostgreSQL counts characters; an offset in JavaScript counts UTF-16 code units. */
function codeUnits(text: string, characters: number): number {
  return [...text].slice(0, characters).join('').length
}
