/** Replies of the simulated Stripe: pages of lists, objects with the first rows of their lists, and errors. */
import type { StripeAccount } from './account.ts'
import type { StripeObject } from './objects.ts'

export interface StripeReply {
  readonly status: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export function stripeError(status: number, code: string | null, message: string, param?: string): StripeReply {
  const type = status === 429 ? 'rate_limit_error' : status >= 500 ? 'api_error' : 'invalid_request_error'
  return { status, body: { error: { type, code, message, ...(param !== undefined && { param }) } } }
}

const rowsWithin = 10

/** Stripe gives the first ten rows of a list within an object, and a list of all of them. */
export function withRows(account: StripeAccount, object: StripeObject): unknown {
  const member = { invoice: 'lines', credit_note: 'lines', subscription: 'items' }[object.object]
  if (member === undefined) return object
  const rows = account.rowsOf(object.id)
  const url = `/v1/${object.object}s/${object.id}/${member}`
  return {
    ...object,
    [member]: { object: 'list', data: rows.slice(0, rowsWithin), has_more: rows.length > rowsWithin, url },
  }
}

/**
 * A page of a list.
 * @param found in the order in which they were created
 * @param isNewestFirst rows of an object come in their own order
 */
export function listReply(
  url: URL,
  found: readonly StripeObject[],
  isNewestFirst = true,
  render: (object: StripeObject) => unknown = (object) => object,
): StripeReply {
  const limit = Number(url.searchParams.get('limit') ?? 10)
  if (!Number.isInteger(limit) || limit < 1 || limit > 100)
    return stripeError(400, 'parameter_invalid_integer', 'Limit must be between 1 and 100.', 'limit')
  const wanted = found.filter((object) => isWithin(url, object) && isOfType(url, object))
  const ordered = isNewestFirst ? wanted.toReversed() : wanted
  const after = url.searchParams.get('starting_after')
  const start = after === null ? 0 : ordered.findIndex(({ id }) => id === after) + 1
  if (after !== null && start === 0)
    return stripeError(400, 'resource_missing', `No such object: '${after}'`, 'starting_after')
  const page = ordered.slice(start, start + limit)
  return {
    status: 200,
    body: { object: 'list', url: url.pathname, has_more: ordered.length > start + limit, data: page.map(render) },
  }
}

function isWithin(url: URL, { created = 0 }: StripeObject): boolean {
  const bound = (name: string): number | null => {
    const value = url.searchParams.get(`created[${name}]`)
    return value === null ? null : Number(value)
  }
  const [from, before] = [bound('gte'), bound('lt')]
  return (from === null || created >= from) && (before === null || created < before)
}

function isOfType(url: URL, { object, type }: StripeObject): boolean {
  if (object !== 'event') return true
  const types = [...url.searchParams].flatMap(([name, value]) => (/^types\[\d*\]$/u.test(name) ? [value] : []))
  return types.length === 0 || types.includes(String(type))
}
