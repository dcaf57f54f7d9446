/** The API of docs/extending/describe-a-source.md: orders with lines, in pages, and those changed since a moment. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Order {
  readonly id: number
  amount: number
  updatedAt: string
  readonly lines: readonly { readonly sku: string; readonly quantity: number }[]
}

export interface OrchardApi extends AsyncDisposable {
  readonly address: string
  readonly host: string
  readonly key: string
  readonly orders: Order[]
  readonly calls: string[]
}

export interface OrchardOptions {
  readonly now: () => number
  readonly orders?: number
  readonly port?: number
  /** What the API does other than the guide says. */
  readonly flaw?: 'ignoresSince' | 'losesRowsOfSmallPages' | 'repeatsRows' | 'ignoresSize' | 'refusesOften'
}

export async function startOrchard({
  now,
  orders: count = 250,
  port: chosenPort = 0,
  flaw,
}: OrchardOptions): Promise<OrchardApi> {
  const key = 'ork_0123456789'
  const calls: string[] = []
  const orders = Array.from({ length: count }, (_, index): Order => ({
    id: index + 1,
    amount: 12.5,
    updatedAt: new Date(now() - (count - index) * 60_000).toISOString(),
    lines: [{ sku: `sku-${index}`, quantity: 2 }],
  }))
  const server = createServer((request, reply) => {
    calls.push(request.url ?? '')
    const { searchParams } = new URL(request.url ?? '/', 'http://localhost')
    if (request.headers.authorization !== `Bearer ${key}`) return void reply.writeHead(401).end(`{"token":"${key}"}`)
    if (flaw === 'refusesOften' && calls.length === 2) return void reply.writeHead(429, { 'retry-after': '0' }).end()
    const { page, more } = pageOf(orders, searchParams, flaw)
    reply.setHeader('x-ratelimit-remaining', '59')
    reply.end(JSON.stringify({ orders: page, more, echo: key }))
  })
  await new Promise<void>((resolve) => server.listen(chosenPort, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    address: `http://127.0.0.1:${port}/v1/`,
    host: `127.0.0.1:${port}`,
    key,
    orders,
    calls,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function pageOf(
  orders: readonly Order[],
  parameters: URLSearchParams,
  flaw: OrchardOptions['flaw'],
): { readonly page: readonly object[]; readonly more: boolean } {
  const since = flaw === 'ignoresSince' ? '' : (parameters.get('updatedSince') ?? '')
  const limit = flaw === 'ignoresSize' ? 1_000 : Number(parameters.get('limit') ?? 100)
  const after = Number(parameters.get('after') ?? 0)
  const from = after + (after > 0 ? shiftOf(flaw, limit) : 0)
  const rest = orders.filter(({ id, updatedAt }) => id > from && updatedAt >= since)
  const page = rest.slice(0, limit).map((order) => ({ ...order, customer: 'Ada', channel: 'web' }))
  return { page, more: rest.length > limit }
}

function shiftOf(flaw: OrchardOptions['flaw'], limit: number): number {
  if (flaw === 'repeatsRows') return -1
  return flaw === 'losesRowsOfSmallPages' && limit < 20 ? 1 : 0
}
