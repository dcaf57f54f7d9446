/** Closed periods of a source without a ledger: a table with dated rows that an administrator describes. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { ClosedPeriodExamination, ClosedPeriodRequest, DatedTable } from '../ports/closed-periods.ts'
import type { Writer } from '../ports/target.ts'
import { type FakeBooks, booksSource, newBooks } from '@tributary/testing/engine/sync/fake-books.ts'
import { makePostgresBench, type PostgresBench } from '@tributary/testing/engine/databases/postgres-bench.ts'
import { sharedClock } from '@tributary/testing/engine/apis/shared-clock.ts'
import type { SyncOutcome, SyncRunRequest } from './sync-request.ts'
import { sync } from './run.ts'

let bench: PostgresBench
let books: FakeBooks
let writer: Writer
/** What the store keeps. */
let state: Pick<ClosedPeriodRequest, 'examinedUpTo' | 'closedThrough'>
const clock = sharedClock()
const table: DatedTable = {
  stream: 'entry',
  dateColumn: 'day',
  numberColumn: null,
  accountColumn: 'account',
  amountColumn: 'amount',
}

beforeAll(async () => {
  bench = await makePostgresBench()
})
afterAll(() => bench[Symbol.asyncDispose]())
beforeEach(async () => {
  await bench.client.query('DROP SCHEMA IF EXISTS "Target_1" CASCADE; CREATE SCHEMA "Target_1"')
  writer = { connectorId: randomUUID(), runId: '', fence: 0 }
  state = { examinedUpTo: null, closedThrough: null }
  books = newBooks()
  books.entries.push(
    { id: 'one', day: '2026-03-05', account: 'sales', amount: '-100.00' },
    { id: 'two', day: '2026-03-31', account: 'bank', amount: '100.00' },
    { id: 'three', day: '2026-04-01', account: 'sales', amount: '-0.10' },
  )
})

async function run(date: string | null, given: Partial<DatedTable> = {}): Promise<SyncOutcome> {
  writer = { ...writer, runId: randomUUID(), fence: writer.fence + 1 }
  clock.advance(3_600_000)
  await using target = await bench.open()
  const none = { examinedBy: null, examinedFrom: null, closedThroughBefore: null }
  const request: SyncRunRequest = {
    source: booksSource(books),
    target,
    writer,
    syncMode: 'full',
    closedPeriods: {
      version: '1',
      administratorDate: date,
      definition: null,
      table: { ...table, ...given },
      ...none,
      ...state,
    },
    report: () => {},
    log: () => {},
    clock,
    signal: new AbortController().signal,
  }
  return await sync(request)
}

/** A run whose examination the store keeps. @param date up to which an administrator has closed the books meanwhile */
async function examine(date: string | null, given: Partial<DatedTable> = {}): Promise<ClosedPeriodExamination> {
  const { closedPeriods: found } = await run(date, given)
  if (found === null || 'fault' in found) throw new Error(`Nothing was examined: ${String(found?.fault.notice)}`)
  state = { examinedUpTo: found.upTo, closedThrough: found.administratorDate }
  return found
}

const entry = (id: string) => books.entries.find((each) => each.id === id) ?? { day: '', account: '', amount: '' }
const listed = ({ changes }: ClosedPeriodExamination) =>
  changes.map(({ change, id, moved }) => [
    change,
    id,
    moved.map(({ accountId, moved: amount }) => `${accountId} ${amount}`),
  ])

test('[TRUST-10] rows of closed months that are added, changed or deleted are listed with the amount moved; others are not', async () => {
  await examine('2026-03-31')
  entry('one').amount = '-112345678901234.57'
  entry('three').amount = '7.00'
  books.entries.splice(1, 1)
  books.entries.push({ id: 'four', day: '2026-02-28', account: 'bank', amount: '0.03' })
  const found = await examine('2026-03-31')
  expect(listed(found)).toEqual([
    ['added', 'four', ['bank 0.03']],
    ['changed', 'one', ['sales -112345678901134.57']],
    ['deleted', 'two', ['bank -100.00']],
  ])
  expect(found.changes[1]).toMatchObject({
    before: { dates: ['2026-03-05'], postings: [{ accountId: 'sales', amount: '-100.00' }] },
    after: { dates: ['2026-03-05'], postings: [{ accountId: 'sales', amount: '-112345678901234.57' }] },
  })
  expect(listed(await examine('2026-03-31'))).toEqual([])
})

test('[TRUST-10] a row that moves between a closed and an open month, in either direction, is listed', async () => {
  await examine('2026-03-31')
  entry('two').day = '2026-04-02'
  entry('three').day = '2026-03-02'
  const found = await examine('2026-03-31')
  expect(listed(found)).toEqual([
    ['changed', 'three', ['sales -0.10']],
    ['changed', 'two', ['bank -100.00']],
  ])
})

test('[TRUST-10] what was changed before a month was closed is not listed, and what is changed after it was opened is not', async () => {
  await examine(null)
  entry('one').amount = '-1.00'
  expect(listed(await examine('2026-03-31'))).toEqual([])
  entry('one').amount = '-2.00'
  expect(listed(await examine('2026-02-28'))).toEqual([['changed', 'one', ['sales -1.00']]])
  entry('one').amount = '-3.00'
  expect(listed(await examine('2026-02-28'))).toEqual([])
})

test('[TRUST-11] changes between two runs that cancel each other out are not seen', async () => {
  await examine('2026-03-31')
  entry('one').amount = '-1.00'
  entry('one').amount = '-100.00'
  expect(listed(await examine('2026-03-31'))).toEqual([])
})

test('[TRUST-10] an examination that the store has not kept is repeated by the next run, which loses and doubles nothing', async () => {
  await examine('2026-03-31')
  entry('one').amount = '-1.00'
  await run('2026-03-31')
  entry('two').amount = '1.00'
  await run('2026-03-31')
  expect(listed(await examine('2026-03-31'))).toEqual([
    ['changed', 'one', ['sales 99.00']],
    ['changed', 'two', ['bank -99.00']],
  ])
})

test('[TRUST-10] without an amount column a changed row is listed without an amount, and rows of one number are one document', async () => {
  const plain = { amountColumn: null, accountColumn: null, numberColumn: 'account' }
  await examine('2026-03-31', plain)
  entry('one').amount = '-1.00'
  const found = await examine('2026-03-31', plain)
  expect(found.changes).toMatchObject([{ change: 'changed', kind: 'Document', id: 'sales', moved: [] }])
})

test('[TRUST-10] without history back to the last examination it begins again and says why', async () => {
  await examine('2026-03-31')
  state = { ...state, examinedUpTo: '2020-01-01T00:00:00.000000Z' }
  const found = await examine('2026-03-31')
  expect(found).toMatchObject({ from: null, changes: [] })
  expect(found.notice).toContain('There is no history of entry back to the last examination')
})

test.each([
  [{ stream: 'invoice' }, 'The connector moves no table ‘invoice’.'],
  [{ dateColumn: 'account' }, 'The column ‘account’ holds no dates. Choose a column with a date.'],
  [{ amountColumn: 'account' }, 'The column ‘account’ holds no exact amounts.'],
  [{ accountColumn: 'shop' }, 'The table ‘entry’ has no column ‘shop’, or it is not moved.'],
])('[TRUST-10] a description that does not fit the table is refused with what to do: %j', async (given, notice) => {
  const { status, closedPeriods } = await run('2026-03-31', given)
  expect(status).toBe('completed')
  expect(closedPeriods).toMatchObject({ fault: { kind: 'settings', notice: expect.stringContaining(notice) } })
})
