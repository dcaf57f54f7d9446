/** Interprets a response by its HTTP status, unless an API overrides it. */
import { Fault, type FaultKind } from '../../ports/faults.ts'
import type { HttpResponse } from './exchange.ts'

/**
 * `limited`: all calls with this key wait. `failing`: a server error, retried a few times. `unreachable`: no complete
 * response.
 * `expired`: the token must be renewed.
 */
export type ResponseVerdict = 'fine' | 'limited' | 'failing' | 'unreachable' | 'expired' | Fault

interface ApiName {
  readonly title: string
  readonly code: string
}

type FaultTemplate = readonly [kind: FaultKind, code: string, notice: string]
const faultsByStatus: Readonly<Record<number, FaultTemplate>> = {
  400: ['bug', 'bad_request', '{title} rejected a request from Tributary. Please report this.'],
  401: ['signIn', 'refused', '{title} refuses the credentials. Enter them again.'],
  403: [
    'signIn',
    'refused',
    '{title} refuses the credentials. Enter them again, or ask an administrator of {title} whether access was switched off.',
  ],
  404: ['settings', 'not_found', '{title} does not know the requested address. Check the address in the settings.'],
  405: ['bug', 'wrong_method', '{title} rejected the HTTP method of a request from Tributary. Please report this.'],
}
const redirect: FaultTemplate = [
  'settings',
  'redirected',
  '{title} points to another address, which Tributary does not follow with your credentials. Check the address in the settings.',
]
const page: FaultTemplate = [
  'settings',
  'not_available',
  '{title} answered with a web page instead of data. Perhaps the module is not part of your subscription, or the address is wrong.',
]
const other: FaultTemplate = [
  'bug',
  'unexpected_reply',
  '{title} answered in a way that Tributary does not know. Please report this.',
]

export function judgeByStatus(api: ApiName, reply: HttpResponse): ResponseVerdict {
  const { status } = reply
  if (status === 429 || status === 503) return 'limited'
  if (status >= 500) return 'failing'
  // The server has given up waiting for the request, so it is sent again.
  if (status === 408) return 'unreachable'
  if (status === 204) return 'fine'
  if (status >= 300 && status < 400) return faultOf(api, redirect)
  if (status >= 200 && status < 300) return isWebPage(reply) ? faultOf(api, page) : 'fine'
  return faultOf(api, faultsByStatus[status] ?? other)
}

export function isWebPage({ headers, body }: HttpResponse): boolean {
  return (
    headers['content-type']?.startsWith('text/html') === true ||
    body.subarray(0, 100).toString('latin1').trimStart().startsWith('<')
  )
}

/** Parses seconds or an HTTP date; returns milliseconds from now, or null. */
export function parseRetryAfter({ headers }: Pick<HttpResponse, 'headers'>, now: number): number | null {
  const header = headers['retry-after']
  if (header === undefined) return null
  const wait = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - now
  return Number.isFinite(wait) && wait > 0 ? wait : null
}

function faultOf({ title, code }: ApiName, [kind, suffix, notice]: FaultTemplate): Fault {
  return new Fault(kind, { code: `${code}.${suffix}`, notice: notice.replaceAll('{title}', title) })
}
