/** Parses the description in docs/extending/describe-a-source.md, and runs it against an API as the guide describes it. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { requireDescription } from '@tributary/engine/apis/described/description/parse'
import { describedSource } from '@tributary/engine/apis/described/source'
import { connectApi } from './apis/api-connector.ts'
import { sharedClock } from './apis/shared-clock.ts'
import { openNetwork } from './sync/source-context.ts'

const key = 'ork_0123456789'

interface Order {
  readonly id: number
  amount: number
  updatedAt: string
  readonly lines: readonly { readonly sku: string; readonly quantity: number }[]
}

test('[SRC-1] the description of the guide reads orders with their lines, changes and deletions', async () => {
  const guide = readFileSync('docs/extending/describe-a-source.md', 'utf8')
  const yaml = [...guide.matchAll(/```yaml\n([\s\S]*?)```/gu)].map(([, block]) => block ?? '').join('')
  const source = describedSource(requireDescription(yaml, 'rest'))
  const clock = sharedClock()
  const now = (): string => new Date(clock.now()).toISOString()
  const orders = Array.from({ length: 250 }, (_, index): Order => ({
    id: index + 1,
    amount: 12.5,
    updatedAt: now(),
    lines: [{ sku: `sku-${index}`, quantity: 2 }],
  }))
  const server = createServer((request, reply) => {
    const { searchParams } = new URL(request.url ?? '/', 'http://localhost')
    if (request.headers.authorization !== `Bearer ${key}`) return void reply.writeHead(401).end()
    const since = searchParams.get('updatedSince') ?? ''
    const rest = orders.filter(({ id, updatedAt }) => id > Number(searchParams.get('after') ?? 0) && updatedAt >= since)
    const limit = Number(searchParams.get('limit') ?? 100)
    const page = rest.slice(0, limit).map((order) => ({ ...order, customer: 'Ada', channel: 'web' }))
    reply.end(JSON.stringify({ orders: page, more: rest.length > limit }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`
  await using orchard = await connectApi(
    {
      clock,
      open: (signal) =>
        source.open(source.parse({ 'orchard.key': key, 'orchard.address': address }), {
          network: openNetwork,
          clock,
          signal,
        }),
      async [Symbol.asyncDispose]() {
        server.closeAllConnections()
        await new Promise((resolve) => server.close(resolve))
      },
    },
    'postgres',
  )
  const completed = { status: 'completed', fault: null }
  expect(await orchard.run()).toMatchObject(completed)
  const [changed] = orders
  if (changed === undefined) throw new Error('There are orders.')
  clock.advance(86_400_000)
  Object.assign(changed, { amount: 99.0625, updatedAt: now() })
  orders.splice(5, 3)
  expect(await orchard.run()).toMatchObject(completed)
  expect(
    await orchard.query(
      'select count(*)::int as orders, max(amount)::text as highest, min(other::text) as other from "order"',
    ),
  ).toEqual([{ orders: 247, highest: '99.0625', other: expect.stringContaining('web') }])
  expect(await orchard.query('select count(*)::int as lines from order_line')).toEqual([{ lines: 247 }])
})
