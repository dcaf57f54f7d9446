/** What a SQL source says about its tables: comments and foreign keys. */
import { expect } from 'vitest'
import type { OpenSource, Stream } from '@tributary/engine/ports/source'

/** @param names streams of the tables `customer` (with comments) and `invoice` (that refers to it) */
export async function expectDescriptions(
  source: OpenSource,
  names: { readonly customer: string; readonly invoice: string; readonly length?: number },
): Promise<void> {
  const streams = await source.streams()
  const find = (name: string): Stream['table'] | undefined => streams.find((stream) => stream.name === name)?.table
  const [customer, invoice] = [find(names.customer), find(names.invoice)]
  expect(customer?.description).toBe(`People & firms that "buy"; one's row\nand <b>more</b>`)
  const { description = '' } = customer?.columns.find(({ name }) => name === 'name') ?? {}
  expect([description.length, description.startsWith('xxx')]).toEqual([names.length ?? 4_000, true])
  expect(customer?.columns.find(({ name }) => name === 'id')).not.toHaveProperty('description')
  expect(invoice?.references).toEqual([{ columns: ['customer_id'], table: customer?.name, to: ['id'] }])
}
