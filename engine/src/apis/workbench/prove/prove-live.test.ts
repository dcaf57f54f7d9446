/** What the live account shows about a description, and which faults of either are found. */
import { expect, test } from 'vitest'
import { descriptionOfGuide } from '@tributary/testing/engine/described/guide.ts'
import { type OrchardOptions, startOrchard } from '@tributary/testing/engine/described/orchard-api.ts'
import { sharedClock } from '@tributary/testing/engine/apis/shared-clock.ts'
import { openNetwork } from '@tributary/testing/engine/sync/source-context.ts'
import { requireDescription } from '../../described/description/parse.ts'
import { openEntered } from '../entered-settings.ts'
import { tryStream } from '../try/try-stream.ts'
import type { ConnectionContext } from '../../../ports/source.ts'
import { proveLive } from './prove-live.ts'
import type { Proof } from './verdict.ts'

const now = (): number => Date.parse('2026-11-02T09:00:00Z')
const guide = descriptionOfGuide()

function context(): ConnectionContext {
  return { network: openNetwork, clock: sharedClock(now()), signal: new AbortController().signal }
}

async function proven(yaml: string, options: Omit<OrchardOptions, 'now'> = {}): Promise<Record<string, string>> {
  await using api = await startOrchard({ now, ...options })
  const description = requireDescription(yaml, 'rest')
  const { settings } = openEntered(description, { key: api.key, address: api.address })
  const proofs: Proof[] = []
  for await (const proof of proveLive({ description, settings, stream: 'order' }, context())) proofs.push(proof)
  expect(api.calls.every((call) => call.startsWith('/v1/orders'))).toBe(true)
  expect(JSON.stringify(proofs)).not.toContain(api.key)
  return Object.fromEntries(proofs.map(({ check, verdict, why }) => [check, `${verdict}: ${why}`]))
}

test('[SRC-10] paging, types, order and limits of an API as described are proven live', async () => {
  expect(await proven(guide.replace('seconds: 60 }', 'seconds: 60, remainingHeader: x-ratelimit-remaining }'))).toEqual(
    {
      paging: expect.stringMatching(
        /^provenLive: The first 250 rows were the same in pages of 100 and of 7 rows/u,
      ) as string,
      types: 'provenLive: All values of 250 rows fit.',
      order: expect.stringMatching(/^provenLive: A read since the middle of the known rows gave 125 rows/u) as string,
      limits: expect.stringMatching(/^provenLive: Replies have x-ratelimit-remaining/u) as string,
    },
  )
})

test.each([
  ['losesRowsOfSmallPages', 'paging', /^notProven: Pages of 100 and of 7 rows differ/u],
  ['repeatsRows', 'paging', /^notProven: \d+ of \d+ rows have a key that was read before/u],
  ['ignoresSize', 'paging', /^notProven: The API gave all 250 rows on one page although 7/u],
  ['ignoresSince', 'order', /^notProven: \d+ of 250 rows are older than the moment/u],
  ['refusesOften', 'limits', /^notProven: 1 of \d+ calls were refused with 429/u],
] as const)('[SRC-10] an API that %s: %s is not proven', async (flaw, check, reason) => {
  expect((await proven(guide, { flaw }))[check]).toMatch(reason)
})

test('[SRC-10] a column at a wrong pointer, a wrong type and a list with one page are not proven', async () => {
  const wrongPointer = guide.replace("amount: { type: 'decimal(19,4)'", "amount: { at: /sum, type: 'decimal(19,4)'")
  expect((await proven(wrongPointer))['types']).toMatch(/No row has a value of order\.amount/u)
  const wrongType = guide.replace("'decimal(19,4)'", 'integer')
  expect((await proven(wrongType))['types']).toMatch(
    /^notProven: 50 values do not fit: order\.amount \(\/amount\), row 1, has 12\.5 instead of a whole number/u,
  )
  expect((await proven(guide, { orders: 2 }))['paging']).toMatch(/^notProven: The list has 2 rows/u)
  expect((await proven(guide.replace('records: /orders', 'records: /nowhere')))['order']).toMatch(
    /^notProven: The read failed/u,
  )
})

test('[SRC-10] try names table, column, pointer and row of each value that does not fit, and masks secrets everywhere', async () => {
  await using api = await startOrchard({ now })
  const description = requireDescription(guide.replace("'decimal(19,4)'", 'integer'), 'rest')
  const { settings } = openEntered(description, { key: api.key, address: api.address })
  const tried = await tryStream({ description, settings, pages: 1 }, context())
  expect(tried).toMatchObject({ stream: 'order', streams: ['order'], fault: null, hasMore: true })
  expect(tried.exchanges.at(-1)).toMatchObject({ method: 'GET', status: 200 })
  expect(tried.misfits[0]).toEqual({
    table: 'order',
    column: 'amount',
    pointer: '/amount',
    row: 1,
    value: '12.5',
    wanted: 'a whole number of 4 bytes',
  })
  expect(tried.tables.map(({ name, rowsRead }) => [name, rowsRead])).toEqual([
    ['order', 100],
    ['order_line', 100],
  ])
  expect(JSON.stringify(tried)).not.toContain(api.key)
  expect(tried.exchanges[0]?.headers['authorization']).toBe('•••')
})

test('[SRC-10] an address outside of the hosts of the description is never called', () => {
  const description = requireDescription(guide, 'rest')
  expect(() => openEntered(description, { key: 'ork_1', address: 'https://elsewhere.example/' })).toThrow(
    /elsewhere\.example is not a host of Orchard/u,
  )
})
