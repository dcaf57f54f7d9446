/** Runs one query of a person on MySQL or MariaDB, in a transaction that is read-only and rolled back. Memory is bounded. */
import mysql from 'mysql2'
import {
  type QueryColumn,
  type QueryLimits,
  QueryRefused,
  type QueryResult,
  type QueryValueKind,
} from '../../../ports/query.ts'
import { parseStatement } from '../../queries/parse-statement.ts'
import { collectRows, type RowCollector } from '../../queries/row-collector.ts'
import { queryTimeout } from '../../queries/query-timeout.ts'
import type { MysqlConnection } from '../connection.ts'

interface MysqlQueryOptions {
  readonly limits: QueryLimits
  readonly signal: AbortSignal
  /** Ends the statement of the connection in the database. */
  readonly kill: () => Promise<void>
}

/** What may arrive, in relation to the limit of all values. */
const receivedFactor = 4

/** Throws `QueryRefused`. The connection is used for one query only. */
export async function runMysqlQuery(
  connection: MysqlConnection,
  statement: string,
  { limits, signal, kill }: MysqlQueryOptions,
): Promise<QueryResult> {
  signal.throwIfAborted()
  const { text } = parseStatement('mysql', statement)
  await connection.run('START TRANSACTION READ ONLY')
  const collector = collectRows(limits)
  const stop = () => void kill().catch(() => connection.driver.destroy())
  const timer = setTimeout(() => {
    collector.stop('timeMs')
    stop()
  }, limits.timeMs)
  signal.addEventListener('abort', stop, { once: true })
  try {
    const columns = await readRows(connection, text, { collector, limits, stop })
    signal.throwIfAborted()
    if (collector.reached === 'timeMs' && collector.rows.length === 0) throw queryTimeout()
    return { columns, rows: collector.rows, reached: collector.reached }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
  }
}

interface ReadOptions {
  readonly collector: RowCollector
  readonly limits: QueryLimits
  readonly stop: () => void
}

interface FieldDescription {
  readonly name: string
  readonly columnType?: number
}

function readRows({ driver, faultOf }: MysqlConnection, text: string, { collector, limits, stop }: ReadOptions) {
  return new Promise<readonly QueryColumn[]>((resolve, reject) => {
    let columns: readonly QueryColumn[] = []
    let received = 0
    const { stream } = driver as unknown as { readonly stream: NodeJS.ReadableStream }
    const end = (settle: () => void) => {
      stream.removeListener('data', count)
      settle()
    }
    const halt = () => {
      stop()
      end(() => resolve(columns))
    }
    const count = (bytes: Buffer) => {
      received += bytes.length
      if (received <= limits.bytes * receivedFactor) return
      collector.stop('bytes')
      driver.destroy()
      end(() => resolve(columns))
    }
    stream.on('data', count)
    driver
      .query({ sql: text, rowsAsArray: true })
      .on('fields', (fields: readonly FieldDescription[] | undefined) => {
        columns = (fields ?? []).map(toColumn)
      })
      .on('result', (row: unknown) => {
        if (!Array.isArray(row) || collector.reached !== null) return
        collector.add(row as (string | null)[])
        if (collector.reached !== null) halt()
      })
      .on('end', () => end(() => resolve(columns)))
      .on('error', (error: unknown) =>
        end(() => (collector.reached === null ? reject(refusal(error, text) ?? faultOf(error)) : resolve(columns))),
      )
  })
}

/** Node finds no export of this name in the driver's CommonJS module. */
const { Types } = mysql
const names = new Map(Object.entries(Types).map(([name, number]) => [Number(number), name.toLowerCase()]))
const numberTypes = new Set([
  'decimal',
  'tiny',
  'short',
  'long',
  'float',
  'double',
  'longlong',
  'int24',
  'newdecimal',
  'year',
])

function toColumn({ name, columnType = -1 }: FieldDescription): QueryColumn {
  const type = names.get(columnType) ?? 'text'
  return { name, type, kind: kindOf(type) }
}

function kindOf(type: string): QueryValueKind {
  if (numberTypes.has(type)) return 'number'
  if (type === 'date' || type === 'newdate') return 'date'
  return type === 'timestamp' || type === 'datetime' ? 'timestamp' : 'text'
}

/** Errors of the server have a state; those that end the connection are of the class 08. */
function refusal(error: unknown, text: string): QueryRefused | null {
  const { sqlState, sqlMessage, errno, code, fatal } = error as {
    readonly [Name in 'sqlState' | 'sqlMessage' | 'code']?: string
  } & { readonly errno?: number; readonly fatal?: boolean }
  if (sqlMessage === undefined || sqlState?.startsWith('08') === true || fatal === true) return null
  return new QueryRefused(sqlMessage, {
    position: findPlace(text, sqlMessage),
    code: code ?? String(errno),
    cause: error,
  })
}

/** The server quotes the text where it stopped reading, and counts lines. */
function findPlace(text: string, message: string): number | undefined {
  const [, near, line] = /near '([^']*)' at line (\d+)/u.exec(message) ?? []
  if (near === undefined) return undefined
  const lineStart = text
    .split('\n')
    .slice(0, Number(line) - 1)
    .join('\n').length
  const at = near === '' ? text.length : text.indexOf(near, Math.max(0, lineStart - 1))
  return at === -1 ? undefined : at
}
