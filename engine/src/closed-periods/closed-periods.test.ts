import { expect, test } from 'vitest'
import { ClosedBooks } from '@tributary/testing/engine/apis/closed-books.ts'
import { tinySize } from '@tributary/testing/engine/apis/small-xero.ts'
import { connectXero } from '@tributary/testing/engine/apis/xero-connector.ts'

const quick = { callsPerMinute: 6_000, limits: { perMinute: 12_000, perDay: 1_000_000 }, size: tinySize }

test('[TRUST-10] the list equals what was changed in closed months, in six random months, although some runs are killed', async () => {
  await using xero = await connectXero(quick)
  const books = new ClosedBooks(xero, 7)
  await books.run()
  for (let month = 1; month <= 6; month += 1) await books.month()
  expect(books.listed).toEqual(books.expected)
  expect(books.expected.flat().length).toBeGreaterThan(0)
})
