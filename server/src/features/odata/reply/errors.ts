/** Turns errors into OData's form (JSON Format 4.01, section 21). No message repeats a value of a row. */
import type { FastifyError, FastifyReply } from 'fastify'
import { ExpressionError } from '../../../access/query/expression.ts'
import { PositionLost } from '../../../access/query/read-rows.ts'
import type { AppServices } from '../../../app-services.ts'
import { ApiFault } from '../../../kernel/http/api-fault.ts'
import { prepareFault } from '../../../kernel/http/http-server.ts'
import { badRequest, ODataError } from '../odata-error.ts'

export function replyWithError(
  services: Pick<AppServices, 'isDiskFull' | 'log'>,
  error: FastifyError,
  reply: FastifyReply,
): FastifyReply {
  const refusal = toODataError(error) ?? toFault(services, error, reply)
  const { status, code, message, target, position } = refusal
  const text = position === undefined ? message : `At character ${position}: ${message}`
  const body = {
    error: {
      code,
      message: text,
      ...(target !== undefined && { target }),
      ...(position !== undefined && { innererror: { position } }),
    },
  }
  if (status === 401) reply.header('www-authenticate', 'Basic realm="Tributary", charset="UTF-8"')
  return reply.code(status).type('application/json;charset=utf-8').serializer(JSON.stringify).send(body)
}

function toFault(
  services: Pick<AppServices, 'isDiskFull' | 'log'>,
  error: FastifyError,
  reply: FastifyReply,
): ODataError {
  const { statusCode, code, message } = prepareFault(services, error, reply)
  return new ODataError(statusCode, code, message)
}

function toODataError(error: Error): ODataError | null {
  if (error instanceof ODataError) return error
  if (error instanceof ExpressionError)
    return badRequest(error.message, { position: error.at === undefined ? undefined : error.at + 1, cause: error })
  if (error instanceof PositionLost)
    return new ODataError(
      410,
      'pageLost',
      'The table has no key, and its rows were refreshed since the last page. Start again with its first page.',
    )
  return error instanceof ApiFault ? null : ofDatabase(error)
}

/** By SQLSTATE: https://www.postgresql.org/docs/current/errcodes-appendix.html */
function ofDatabase(cause: Error & { readonly code?: unknown }): ODataError | null {
  const code = typeof cause.code === 'string' && /^[0-9A-Z]{5}$/.test(cause.code) ? cause.code : ''
  const found = refusals.find(([prefix]) => code.startsWith(prefix))
  return found === undefined ? null : new ODataError(found[1], found[2], found[3], { cause })
}

const refusals: readonly (readonly [sqlState: string, status: number, code: string, message: string])[] = [
  ['22012', 400, 'badRequest', 'The expression divides by zero in a row. Exclude these rows with $filter.'],
  ['22003', 400, 'badRequest', 'A number of the expression is too large to compute with.'],
  ['22', 400, 'badRequest', 'The expression cannot be computed for a row, or a value does not fit its column.'],
  [
    '57014',
    400,
    'limitTime',
    'The query took longer than a query may take. Narrow it with $filter, sort by the key, or request fewer columns.',
  ],
  [
    '53400',
    400,
    'limitDisk',
    'The query needs more disk space for sorting or grouping than a query may use. Narrow it with $filter, or sort by the key.',
  ],
  ['54', 400, 'limitSize', 'The query is too large for the database. Use a shorter filter, or fewer columns.'],
  ['42501', 403, 'notAllowed', 'You may no longer read this table.'],
  ['42P01', 404, 'notFound', 'The table does not exist any more. Read the service document again.'],
  ['42703', 409, 'tableChanged', 'The columns of the table have changed. Read $metadata again.'],
]
