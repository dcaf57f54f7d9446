/** Turns errors of PostgreSQL, and of queries that do not fit their table, into faults of the API. */
import { dataLimits } from '@tributary/contract/limits'
import type { PoolClient } from 'pg'
import { ExpressionError } from '../../access/query/expression.ts'
import { PositionLost } from '../../access/query/read-rows.ts'
import { ApiFault, badField, notFound } from '../../kernel/http/api-fault.ts'

/**
 * Runs a query of a person. The signal aborts it on the server, too.
 *
 * @param seconds the limit of its statements, for the message. Default: that of all queries of the explorer
 *
 * Throws `notFound` for a table that was dropped or may not be read, whichever it is.
 */
export async function withStatementFaults<T>(
  signal: AbortSignal,
  work: () => Promise<T>,
  seconds: number = dataLimits.querySeconds,
): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    throw signal.aborted ? new ApiFault('queryCancelled', { cause }) : toFault(cause, seconds)
  }
}

function toFault(cause: unknown, seconds: number): unknown {
  if (cause instanceof ExpressionError)
    return badField('filters', `do not fit the table: ${cause.message.replace(/\.$/u, '')}`)
  if (cause instanceof PositionLost) return new ApiFault('rowsMoved', { cause })
  const { code, message } = cause as { readonly code?: unknown; readonly message?: unknown }
  if (typeof code !== 'string') return cause
  if (missing.has(code)) return notFound()
  if (code === undefinedColumn) return new ApiFault('rowsMoved', { cause })
  if (code === queryCancelled)
    return String(message).includes('timeout')
      ? new ApiFault('queryTooLong', { cause, values: { seconds } })
      : new ApiFault('queryCancelled', { cause })
  if (tooLarge.has(code)) return new ApiFault('queryTooLarge', { cause })
  // Class 22: a value that PostgreSQL cannot convert. Those of filters were checked before.
  return code.startsWith('22') ? foreignPosition() : cause
}

export function foreignPosition(): ApiFault {
  return badField('after', 'or before does not belong to this query; start again at the first row')
}

/** For this session. */
export async function limitStatements(client: PoolClient, seconds: number): Promise<void> {
  await client.query(`SELECT set_config('statement_timeout', $1, false)`, [`${seconds}s`])
}

/** SQLSTATEs, https://www.postgresql.org/docs/current/errcodes-appendix.html. */
const undefinedColumn = '42703'
const queryCancelled = '57014'
/** No such table or schema, or no right to read it. */
const missing: ReadonlySet<string> = new Set(['42P01', '3F000', '42501'])
/** The limit of temporary files, or the disk, is reached. */
const tooLarge: ReadonlySet<string> = new Set(['53400', '53100'])
