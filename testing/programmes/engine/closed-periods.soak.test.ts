/** Months of a simulated company whose documents change at random, in open and in closed months, while its lock dates move. */
import { expect, test } from 'vitest'
import { ClosedBooks } from '../../engine/apis/closed-books.ts'
import { tinySize } from '../../engine/apis/small-xero.ts'
import { connectXero } from '../../engine/apis/xero-connector.ts'
import { isFull, printFigure, seed } from '../extent.ts'

const quick = { callsPerMinute: 6_000, limits: { perMinute: 12_000, perDay: 1_000_000 }, size: tinySize }
const companies = isFull ? 10 : 1
const months = isFull ? 20 : 6

// In full two hundred months: each company is young, so that a year of closed months stays small.
test.each(Array.from({ length: companies }, (_, index) => index))(
  `[TRUST-10] in ${months} random months of company %i the list equals what was changed in closed months, although runs are killed`,
  async (company) => {
    await using xero = await connectXero({ ...quick, seed: 100 + company }, company % 5 === 1 ? 'mysql' : 'postgres')
    const books = new ClosedBooks(xero, seed + company)
    await books.run()
    for (let month = 1; month <= months; month += 1) await books.month()
    expect(books.listed).toEqual(books.expected)
    const found = books.expected.flat()
    expect(found.length).toBeGreaterThan(0)
    printFigure(`${months} months, ${found.length} changes in closed months, ${books.kills} killed runs, 0 differences`)
  },
  900_000,
)
