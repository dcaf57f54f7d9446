import { expect, test } from 'vitest'
import { decodeRows } from '../../encoding/copy-text.ts'
import type { OpenSource, Stream } from '../../ports/source.ts'
import { simulateCin7, streamOf } from '@tributary/testing/engine/apis/simulated-cin7.ts'

const size = { products: 30, customers: 5, suppliers: 2, sales: 1_200, purchases: 2, salesMax: 1_200, purchasesMax: 2 }

test('[ENG-1] a row that moves between pages while keys are read is not treated as deleted', async () => {
  await using simulation = await simulateCin7({ size })
  await using source = await simulation.open()
  const stream = await streamOf(source, 'sale')
  const withoutFirst = (body: unknown): unknown => {
    const { SaleList, ...rest } = body as { readonly SaleList: readonly unknown[] }
    return { ...rest, SaleList: SaleList.slice(1) }
  }
  simulation.sim.faults.inject({ kind: 'reshape', path: 'salelist', after: 1, reshape: withoutFirst })
  expect(await keysOf(source, stream)).toEqual(simulation.sim.company.sales.map(({ ID }) => ID).toSorted())
})

test('keys are read in pages of a thousand, without nested lists', async () => {
  await using simulation = await simulateCin7({ size })
  await using source = await simulation.open()
  expect(await keysOf(source, await streamOf(source, 'product'))).toHaveLength(30)
  const { query } = simulation.sim.requests.at(-1) ?? { query: {} }
  expect(query).toEqual({ includedeprecated: 'true', page: '1', limit: '1000' })
})

test('a response without its list fails instead of returning no keys, because missing keys delete rows', async () => {
  await using simulation = await simulateCin7({ size })
  await using source = await simulation.open()
  const stream = await streamOf(source, 'product')
  simulation.sim.faults.inject({
    kind: 'reply',
    path: 'product',
    reply: { status: 200, body: '{"Total":30,"Page":1}' },
  })
  await expect(keysOf(source, stream)).rejects.toMatchObject({ kind: 'data', code: 'cin7.unknown_shape' })
})

async function keysOf(source: OpenSource, stream: Stream): Promise<string[]> {
  const keys: string[] = []
  for await (const { bytes } of source.keys?.(stream) ?? []) keys.push(...decodeRows(bytes).map(([key]) => String(key)))
  return keys.toSorted()
}
