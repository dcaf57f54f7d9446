/** Parses the description in docs/extending/describe-a-source.md, and runs it against an API as the guide describes it. */
import { expect, test } from 'vitest'
import { requireDescription } from '@tributary/engine/apis/described/description/parse'
import { describedSource } from '@tributary/engine/apis/described/source'
import { connectApi } from './apis/api-connector.ts'
import { sharedClock } from './apis/shared-clock.ts'
import { descriptionOfGuide } from './described/guide.ts'
import { startOrchard } from './described/orchard-api.ts'
import { openNetwork } from './sync/source-context.ts'

test('[SRC-1] the description of the guide reads orders with their lines, changes and deletions', async () => {
  const source = describedSource(requireDescription(descriptionOfGuide(), 'rest'))
  const clock = sharedClock()
  const now = (): string => new Date(clock.now()).toISOString()
  await using api = await startOrchard({ now: () => clock.now() })
  const { orders, key, address } = api
  await using orchard = await connectApi(
    {
      clock,
      open: (signal) =>
        source.open(source.parse({ 'orchard.key': key, 'orchard.address': address }), {
          network: openNetwork,
          clock,
          signal,
        }),
      [Symbol.asyncDispose]: () => Promise.resolve(),
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
