import { expect, test } from 'vitest'
import { decodeRows } from '../../encoding/copy-text.ts'
import type { OpenSource, Stream } from '../../ports/source.ts'
import { simulated, streamOf } from '@tributary/testing/engine/apis/simulated-cin7.ts'

const size = { products: 30, customers: 5, suppliers: 2, sales: 1_200, purchases: 2, salesMax: 1_200, purchasesMax: 2 }

test('[ENG-1] a row that slips from one page to another while keys are read is not taken for deleted', async () => {
  await using there = await simulated({ size })
  await using source = await there.open()
  const stream = await streamOf(source, 'sale')
  const withoutFirst = (body: unknown): unknown => {
    const { SaleList, ...rest } = body as { readonly SaleList: readonly unknown[] }
    return { ...rest, SaleList: SaleList.slice(1) }
  }
  there.sim.mishaps.order({ kind: 'reshape', path: 'salelist', after: 1, reshape: withoutFirst })
  expect(await keysOf(source, stream)).toEqual(there.sim.company.sales.map(({ ID }) => ID).toSorted())
})

test('keys come of lists of a thousand, without what a product comes with', async () => {
  await using there = await simulated({ size })
  await using source = await there.open()
  expect(await keysOf(source, await streamOf(source, 'product'))).toHaveLength(30)
  const { query } = there.sim.requests.at(-1) ?? { query: {} }
  expect(query).toEqual({ includedeprecated: 'true', page: '1', limit: '1000' })
})

test('an answer without its list gives no keys at all, for what is missing among them is deleted', async () => {
  await using there = await simulated({ size })
  await using source = await there.open()
  const stream = await streamOf(source, 'product')
  there.sim.mishaps.order({ kind: 'reply', path: 'product', reply: { status: 200, body: '{"Total":30,"Page":1}' } })
  await expect(keysOf(source, stream)).rejects.toMatchObject({ kind: 'data', code: 'cin7.unknown_shape' })
})

async function keysOf(source: OpenSource, stream: Stream): Promise<string[]> {
  const keys: string[] = []
  for await (const { bytes } of source.keys?.(stream) ?? []) keys.push(...decodeRows(bytes).map(([key]) => String(key)))
  return keys.toSorted()
}
