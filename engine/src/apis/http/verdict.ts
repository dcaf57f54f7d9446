/** What an answer means, by its status: the table that holds where an API does not say otherwise. */
import { Fault } from '../../ports/faults.ts'
import type { FaultKind } from '../../ports/faults.ts'
import type { Reply } from './exchange.ts'

/**
 * `limited`: everybody with this key waits. `failing`: their fault, a few more tries. `unreachable`: no whole answer.
 * `expired`: the token is to be renewed.
 */
export type Verdict = 'fine' | 'limited' | 'failing' | 'unreachable' | 'expired' | Fault

interface Named {
  readonly title: string
  readonly code: string
}

type Row = readonly [kind: FaultKind, code: string, notice: string]
const rows: Readonly<Record<number, Row>> = {
  400: ['bug', 'bad_request', '{title} did not accept a question that Tributary asked. Please report this.'],
  401: ['signIn', 'refused', '{title} refuses the credentials. Enter them again.'],
  403: [
    'signIn',
    'refused',
    '{title} refuses the credentials. Enter them again, or ask whoever manages {title} whether access was switched off.',
  ],
  404: [
    'settings',
    'not_found',
    '{title} does not know the address that Tributary asked. Check the address in the settings.',
  ],
  405: ['bug', 'wrong_method', '{title} did not accept the way Tributary asked. Please report this.'],
}
const redirect: Row = [
  'settings',
  'redirected',
  '{title} points to another address, which Tributary does not follow with your credentials. Check the address in the settings.',
]
const page: Row = [
  'settings',
  'not_available',
  '{title} answered with a web page instead of data. Perhaps the module is not part of your subscription, or the address is wrong.',
]
const other: Row = [
  'bug',
  'unexpected_reply',
  '{title} answered in a way that Tributary does not know. Please report this.',
]

export function judgeByTable(api: Named, reply: Reply): Verdict {
  const { status } = reply
  if (status === 429 || status === 503) return 'limited'
  if (status >= 500) return 'failing'
  if (status === 204) return 'fine'
  if (status >= 300 && status < 400) return faultOf(api, redirect)
  if (status >= 200 && status < 300) return isWebPage(reply) ? faultOf(api, page) : 'fine'
  return faultOf(api, rows[status] ?? other)
}

export function isWebPage({ headers, body }: Reply): boolean {
  return (
    headers['content-type']?.startsWith('text/html') === true ||
    body.subarray(0, 100).toString('latin1').trimStart().startsWith('<')
  )
}

/** Seconds or an HTTP date, in milliseconds from now. */
export function retryAfter({ headers }: Pick<Reply, 'headers'>, now: number): number | null {
  const header = headers['retry-after']
  if (header === undefined) return null
  const wait = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - now
  return Number.isFinite(wait) && wait > 0 ? wait : null
}

function faultOf({ title, code }: Named, [kind, suffix, notice]: Row): Fault {
  return new Fault(kind, { code: `${code}.${suffix}`, notice: notice.replaceAll('{title}', title) })
}
