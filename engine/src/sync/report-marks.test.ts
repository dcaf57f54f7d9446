import { expect, test } from 'vitest'
import { ClosedBooks } from '@tributary/testing/engine/apis/closed-books.ts'
import { tinySize } from '@tributary/testing/engine/apis/small-xero.ts'
import { connectXero, type XeroConnector } from '@tributary/testing/engine/apis/xero-connector.ts'

const quick = { callsPerMinute: 6_000, limits: { perMinute: 12_000, perDay: 1_000_000 }, size: tinySize }

/** Every row of a view as text, in a fixed order. */
async function rowsOf(xero: XeroConnector, view: string): Promise<readonly unknown[]> {
  const rows = await xero.query(`select v::text as row from ${view} v order by 1`)
  return rows.map(({ row }) => row)
}

test('[TRUST-9] after months of further changes the views of a mark equal a copy kept when it was made', async () => {
  await using xero = await connectXero(quick)
  const books = new ClosedBooks(xero, 3)
  await books.run()
  const copies = new Map<string, readonly unknown[]>()
  for (const slug of ['board_pack', 'quarter']) {
    await books.month()
    books.mark(slug)
    for (const view of ['general_ledger', 'trial_balance'])
      copies.set(`reported_${slug}_${view}`, await rowsOf(xero, view))
  }
  for (let month = 1; month <= 4; month += 1) await books.month()
  for (const [view, copy] of copies) expect([view, await rowsOf(xero, view)]).toEqual([view, copy])
  expect(await rowsOf(xero, 'general_ledger')).not.toEqual(copies.get('reported_board_pack_general_ledger'))
})
