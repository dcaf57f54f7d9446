/** Maps refusals of a REST catalog to faults, by who must act. */
import type { HttpResponse } from '../../../../apis/http/exchange.ts'
import { faultByRule, type FaultRule, rulesByError } from '../../../../ports/fault-rules.ts'

const rules = rulesByError([
  [
    'signIn',
    'catalog_refused',
    'The Iceberg catalog refuses the sign-in. Enter the client secret or the token again; a token that has expired must be replaced by a new one.',
    401,
    419,
  ],
  [
    'settings',
    'catalog_denied',
    'The Iceberg catalog does not allow this. Grant the client the right to create namespaces and tables, and to write to them, in this warehouse.',
    403,
  ],
  [
    'settings',
    'catalog_not_found',
    'The Iceberg catalog does not know the warehouse or the address. Check both.',
    404,
    410,
  ],
  [
    'settings',
    'catalog_unsupported',
    'The Iceberg catalog does not support this operation. Check whether it accepts writes from other programs.',
    405,
    406,
    501,
  ],
  ['busy', 'catalog_busy', 'The Iceberg catalog is too busy at the moment. Trying again shortly.', 429, 503],
])

const failing: FaultRule = [
  'passing',
  'catalog_failing',
  'The Iceberg catalog has a problem at the moment. Trying again shortly.',
]
const unexpected: FaultRule = [
  'settings',
  'catalog_unexpected',
  'The address does not answer as an Iceberg REST catalog does, or the catalog refuses the request. Check the address; the server log has the catalog’s own message.',
]

export function restFault(reply: HttpResponse): Error {
  const fallback = reply.status >= 500 || reply.status === 408 ? failing : unexpected
  const { type, message } = readError(reply)
  const cause = new Error(`The catalog replied ${reply.status} ${type}: ${message}`)
  return faultByRule('iceberg', rules.get(reply.status) ?? fallback, cause)
}

/** The error of a reply in the form that the specification defines; empty texts for any other body. */
export function readError({ body }: HttpResponse): { readonly type: string; readonly message: string } {
  try {
    const { error } = JSON.parse(body.toString('utf8')) as { error?: { type?: unknown; message?: unknown } }
    return { type: String(error?.type ?? ''), message: String(error?.message ?? '').slice(0, 1_000) }
  } catch {
    return { type: '', message: '' }
  }
}
