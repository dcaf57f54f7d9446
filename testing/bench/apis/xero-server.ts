/**
 * A separate process with a simulated year of a company at Xero. Replies are cached in memory, so that only the
 * reader's work is measured. Started by `xero.ts`.
 */
import { createServer, request } from 'node:http'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { startXero } from '@tributary/sims/xero/server'

export interface BenchCompany {
  /** The address that replaces https://api.xero.com/api.xro/2.0/. */
  readonly api: string
  readonly tenantId: string
  readonly accessToken: string
}

interface CachedReply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

const many = 1_000_000
const sim = await startXero({
  clock: { now: Date.now },
  seed: 20_261_120,
  size: 'year',
  limits: { perMinute: many, perDay: many, concurrent: many },
})
const tenantId = sim.companies[0]?.tenantId ?? ''
const cachedReplies = new Map<string, CachedReply>()

async function fetchCached(incoming: IncomingMessage): Promise<CachedReply> {
  const name = `${incoming.url} ${incoming.headers['if-modified-since'] ?? ''}`
  const known = cachedReplies.get(name)
  if (known !== undefined) return known
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    request(new URL(incoming.url ?? '/', sim.addresses.api), { headers: incoming.headers }, resolve)
      .once('error', reject)
      .end()
  })
  const found = { status: answer.statusCode ?? 0, headers: answer.headers, body: await buffer(answer) }
  cachedReplies.set(name, found)
  return found
}

async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const { status, headers, body } = await fetchCached(incoming)
  const { 'transfer-encoding': _, ...rest } = headers
  response.writeHead(status, { ...rest, 'content-length': String(body.length) }).end(body)
}

const server = createServer((incoming, response) => void serve(incoming, response))
server.listen(0, '127.0.0.1', () => {
  const api = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api.xro/2.0/`
  process.send?.({ api, tenantId, accessToken: sim.issueToken(0, [tenantId]).accessToken } satisfies BenchCompany)
})
// Replies to any message with all addresses that were served.
process.on('message', () =>
  process.send?.([...cachedReplies].flatMap(([name, { status }]) => (status === 200 ? [name.split(' ', 1)[0]] : []))),
)
process.once('disconnect', () => process.exit())
