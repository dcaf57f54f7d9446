/** Reports of months, whose oldest entries can be deleted. */
import { expect, test } from 'vitest'
import type { Checkpoint } from '../../../ports/model.ts'
import { eachRow } from '../../../encoding/copy-text.ts'
import { requireDescription } from '../description/parse.ts'
import { shapeOf } from '../shape.ts'
import { monthlyDescription } from './monthly-stream.ts'
import { type MonthlyReport, readByMonth } from './read-by-month.ts'

const dayMs = 86_400_000

function shapeOfReport(): MonthlyReport['shape'] {
  const description = requireDescription(
    `format: 1
type: ledger-api
engine: rest
title: Ledger
needs: A key.
about: Balances.
guide: [Ask for a key.]
settings: { key: { label: Key, kind: secret } }
base: https://api.ledger.example/
hosts: [api.ledger.example]
signIn: { kind: bearer, token: key }
pace: { calls: 10, seconds: 1 }
paging: { kind: none }
check: { path: balances }
streams:
  balance:
    path: balances
    records: /data
    key: [account]
    columns: { account: text, amount: decimal }
    changes:
      kind: months
      to: { parameter: to, format: date }
      first: { path: entries, at: /first }
`,
    'rest',
  )
  const stream = description.streams['balance']
  if (stream === undefined) throw new Error('The description has no stream.')
  return shapeOf('balance', monthlyDescription('balance', stream), description)
}

test('[SRC-8] a month of which all entries were deleted is read again, although the report now begins later', async () => {
  let now = Date.parse('2026-05-10T08:00:00Z')
  let first: string | null = '2026-02-03'
  const report: MonthlyReport = {
    name: 'balance',
    shape: shapeOfReport(),
    hasBalances: false,
    now: () => now,
    firstDay: () => Promise.resolve(first),
    rows: () => Promise.resolve([]),
  }
  const run = async (since: Checkpoint | null) => {
    const months: string[] = []
    let checkpoint = since
    for await (const batch of readByMonth(report, { since, log: () => undefined })) {
      if (batch.table === 'balance' && batch.rows > 0)
        months.push(...[...eachRow(batch.bytes)].map((row) => row.trim()))
      checkpoint = batch.checkpoint ?? checkpoint
    }
    return { months, checkpoint }
  }
  const before = await run(null)
  expect(before.months).toEqual(['2026-02-01', '2026-03-01', '2026-04-01', '2026-05-01'])
  now += dayMs
  first = '2026-04-20'
  const after = await run(before.checkpoint)
  expect(after.months).toEqual(before.months)
  now += dayMs
  first = null
  expect((await run(after.checkpoint)).months).toEqual(before.months)
  // An older entry was added.
  now += dayMs
  first = '2026-01-31'
  expect((await run(after.checkpoint)).months).toEqual(['2026-01-01', ...before.months])
})
