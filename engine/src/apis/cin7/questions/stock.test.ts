/** The questions about stock, against the simulated company. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Cin7Connector, connectCin7 } from '@tributary/testing/engine/apis/cin7-connector.ts'
import { tinySize } from '@tributary/testing/engine/apis/simulated-cin7.ts'

const dayMs = 86_400_000

describe.each(['postgres', 'mysql'] as const)('the questions about stock in %s', (kind) => {
  let cin7: Cin7Connector
  beforeAll(async () => {
    // The views know only the server's clock.
    cin7 = await connectCin7({ size: tinySize, startAt: Date.now() }, kind)
  })
  afterAll(() => cin7[Symbol.asyncDispose]())

  async function rowsOf(view: string) {
    const { columns, rows } = await cin7.target.read(view)
    return rows.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at] ?? null])))
  }

  test('[SEE-7] a run creates the views', async () => {
    const { status, fault } = await cin7.run()
    expect([status, fault]).toEqual(['completed', null])
    expect(cin7.logLines.filter((line) => line.includes('view'))).toEqual([])
  })

  test('[SEE-7] stock on hand is what the company has of each product at each location', async () => {
    const { products, locations } = cin7.sim.company
    const expected = products.flatMap((product) =>
      locations.map((location, at) => {
        const [onHand = 0, allocated = 0] = [product.onHand[at], product.allocated[at]]
        return [
          product.sku,
          location.Name,
          onHand,
          allocated,
          onHand - allocated,
          money(onHand * product.costCents),
        ].join(' ')
      }),
    )
    const found = (await rowsOf('stock_on_hand')).map((row) =>
      [
        row['sku'],
        row['location'],
        Number(row['on_hand']),
        Number(row['allocated']),
        Number(row['available']),
        row['stock_value'],
      ].join(' '),
    )
    expect(found.toSorted()).toEqual(expected.toSorted())
  })

  test('[SEE-7] stock turn is the cost of sales of a year divided by the average stock', async () => {
    const { products, sales, purchases } = cin7.sim.company
    const moved = (deals: typeof sales | typeof purchases, sku: string): number =>
      [...deals]
        .filter(({ voided, stage, orderedAt }) => !voided && stage >= 1 && orderedAt + dayMs <= cin7.clock.now())
        .flatMap(({ lines }) => lines)
        .filter(({ product }) => product.sku === sku)
        .reduce((sum, { product, quantity }) => sum + quantity * product.costCents, 0)
    const expected = products.map(({ sku, costCents, onHand }) => {
      const value = onHand.reduce((sum, pieces) => sum + pieces, 0) * costCents
      const [sold, bought] = [moved(sales, sku), moved(purchases, sku)]
      const before = Math.max(0, value + sold - bought)
      return [
        sku,
        money(sold),
        money(bought),
        money(value),
        money(before),
        (sold / ((value + before) / 2)).toFixed(2),
      ].join(' ')
    })
    const found = (await rowsOf('stock_turn')).map((row) =>
      [
        row['sku'],
        row['cost_of_sales'],
        row['cost_of_purchases'],
        row['stock_value'],
        row['stock_value_a_year_ago'],
        row['turns_per_year'],
      ].join(' '),
    )
    expect(found.toSorted()).toEqual(expected.toSorted())
    expect(expected.some((line) => !line.includes(' 0.00 '))).toBe(true)
  })
})

const money = (cents: number): string => (cents / 100).toFixed(2)
