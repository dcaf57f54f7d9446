/** Calls the simulator like an app. */
import type { XeroSimulator } from '@tributary/sims/xero/server'
import type { XeroRow } from '@tributary/sims/xero/api/value-format'

export const start = Date.parse('2026-11-20T09:00:00Z')

/** A clock that a test advances. */
export function movableClock(at = start) {
  let now = at
  return { now: () => now, advance: (ms: number) => void (now += ms) }
}

export interface ApiReply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The parsed body if it is JSON, else an empty object. */
  readonly body: XeroRow
}

export async function readReply(answer: Promise<Response>): Promise<ApiReply> {
  const { status, headers, text } = await answer.then(async (got) => ({
    status: got.status,
    headers: got.headers,
    text: await got.text(),
  }))
  const isJson = headers.get('content-type')?.includes('json') === true && text !== ''
  return { status, headers, text, body: isJson ? (JSON.parse(text) as XeroRow) : {} }
}

/** Reads the API of a company with a token. */
export function reader(
  sim: XeroSimulator,
  token = sim.issueToken().accessToken,
  tenantId = sim.companies[0]?.tenantId ?? '',
) {
  return (path: string, headers: Readonly<Record<string, string>> = {}): Promise<ApiReply> =>
    readReply(
      fetch(sim.addresses.api + path, {
        headers: {
          accept: 'application/json',
          authorization: `Bearer ${token}`,
          'xero-tenant-id': tenantId,
          ...headers,
        },
      }),
    )
}

const basic = ({ clientId, clientSecret }: { clientId: string; clientSecret: string }): string =>
  `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`

/** Calls the token endpoint. */
export function tokenCall(
  sim: XeroSimulator,
  form: Readonly<Record<string, string>>,
  app: { clientId: string; clientSecret: string } = sim,
) {
  return readReply(
    fetch(sim.addresses.token, {
      method: 'POST',
      headers: { authorization: basic(app) },
      body: new URLSearchParams(form),
    }),
  )
}
