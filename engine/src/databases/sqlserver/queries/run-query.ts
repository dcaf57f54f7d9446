/** Runs one query of a person on SQL Server. What it returns is rolled back, and read with bounded memory. */
import { Request } from 'tedious'
import { type QueryColumn, type QueryLimits, QueryRefused, type QueryResult } from '../../../ports/query.ts'
import { parseStatement, severalStatements } from '../../queries/parse-statement.ts'
import { queryTimeout } from '../../queries/query-timeout.ts'
import { collectRows } from '../../queries/row-collector.ts'
import type { SqlConnection } from '../connection.ts'
import { errorNumber } from '../faults.ts'
import { type ColumnDescription, formatValue, toColumn } from './values.ts'

interface SqlServerQueryOptions {
  readonly limits: QueryLimits
  readonly signal: AbortSignal
}

/** Throws `QueryRefused`. The connection is used for one query only. */
export async function runSqlServerQuery(
  connection: SqlConnection,
  statement: string,
  { limits, signal }: SqlServerQueryOptions,
): Promise<QueryResult> {
  signal.throwIfAborted()
  const { text } = parseStatement('sqlserver', statement)
  await connection.run('SET NOCOUNT ON; SET XACT_ABORT ON; SET LOCK_TIMEOUT 30000; BEGIN TRANSACTION')
  const collector = collectRows(limits)
  // The attention signal of the protocol, which ends the statement on the server.
  const cancel = () => void connection.driver.cancel()
  const timer = setTimeout(() => {
    collector.stop('timeMs')
    cancel()
  }, limits.timeMs)
  signal.addEventListener('abort', cancel, { once: true })
  try {
    const columns = await read(connection, text, collector, cancel)
    signal.throwIfAborted()
    if (collector.reached === 'timeMs' && collector.rows.length === 0) throw queryTimeout()
    return { columns, rows: collector.rows, reached: collector.reached }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', cancel)
  }
}

function read(
  { driver, faultOf }: SqlConnection,
  text: string,
  collector: ReturnType<typeof collectRows>,
  cancel: () => void,
): Promise<readonly QueryColumn[]> {
  return new Promise((resolve, reject) => {
    let described: readonly ColumnDescription[] | null = null
    let refused: QueryRefused | null = null
    const stop = (refusal: QueryRefused | null) => {
      refused ??= refusal
      cancel()
    }
    const request = new Request(text, (error) => {
      if (refused !== null) return reject(refused)
      if (error && collector.reached === null) return reject(refusal(error, text) ?? faultOf(error))
      resolve((described ?? []).map(toColumn))
    })
    request.on('columnMetadata', (columns: unknown) => {
      if (described !== null) stop(severalStatements())
      else described = columns as readonly ColumnDescription[]
    })
    request.on('row', (cells: readonly { readonly value: unknown; readonly metadata: ColumnDescription }[]) => {
      if (refused !== null || collector.reached !== null) return
      try {
        collector.add(cells.map(({ value, metadata }) => formatValue(value, metadata)))
      } catch (error) {
        if (error instanceof QueryRefused) return stop(error)
        throw error
      }
      if (collector.reached !== null) cancel()
    })
    driver.execSqlBatch(request)
  })
}

/** Null if it is no error of the statement. */
function refusal(error: Error, text: string): QueryRefused | null {
  const number = errorNumber(error)
  if (number === undefined) return null
  const { lineNumber } = error as Error & { readonly lineNumber?: number }
  const position =
    lineNumber === undefined || lineNumber < 1
      ? undefined
      : Math.min(
          text.length,
          text
            .split('\n')
            .slice(0, lineNumber - 1)
            .join('\n').length + (lineNumber > 1 ? 1 : 0),
        )
  return new QueryRefused(error.message, { position, code: String(number), cause: error })
}
