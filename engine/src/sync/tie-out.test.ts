/** Tie-out: runs whose rows do or do not add up to the source's own report. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Fault } from '../ports/faults.ts'
import { FencedError, type Writer } from '../ports/target.ts'
import type { TieOutDefinition } from '../ports/tie-out.ts'
import { type FakeBooks, booksSource, booksTieOut, newBooks } from '@tributary/testing/engine/sync/fake-books.ts'
import { makePostgresBench, type PostgresBench } from '@tributary/testing/engine/databases/postgres-bench.ts'
import { sharedClock } from '@tributary/testing/engine/apis/shared-clock.ts'
import type { SyncOutcome, SyncRunRequest } from './sync-request.ts'
import { sync } from './run.ts'

let bench: PostgresBench
let books: FakeBooks
let writer: Writer
const clock = sharedClock()
const logLines: string[] = []

beforeAll(async () => {
  bench = await makePostgresBench()
})
afterAll(() => bench[Symbol.asyncDispose]())

beforeEach(async () => {
  await bench.client.query('DROP SCHEMA IF EXISTS "Target_1" CASCADE; CREATE SCHEMA "Target_1"')
  writer = { connectorId: randomUUID(), runId: '', fence: 0 }
  books = newBooks()
  books.entries.push(
    { id: 'one', day: '2026-03-05', account: 'sales', amount: '-100.00' },
    { id: 'two', day: '2026-03-31', account: 'bank', amount: '100.00' },
    { id: 'three', day: '2026-04-01', account: 'sales', amount: '-0.10' },
  )
  logLines.length = 0
})

async function run(rest: Partial<SyncRunRequest> & { readonly tieOut?: TieOutDefinition } = {}): Promise<SyncOutcome> {
  writer = { ...writer, runId: randomUUID(), fence: writer.fence + 1 }
  books.readAgain.length = 0
  const { tieOut = booksTieOut, signal = new AbortController().signal, ...given } = rest
  await using target = await bench.open(signal)
  return await sync({
    source: booksSource(books, tieOut),
    target,
    writer,
    syncMode: 'incremental',
    report: () => {},
    log: (line) => logLines.push(line),
    clock,
    signal,
    ...given,
  })
}

async function kept(columns: string): Promise<readonly unknown[]> {
  const found = await bench.client.query({
    text: `SELECT ${columns} FROM "Target_1".tributary_tie_out ORDER BY period, account_id`,
    rowMode: 'array',
  })
  return found.rows
}

describe('rows that add up', () => {
  test('are reported as equal to the cent, and the figures are stored in the target', async () => {
    const outcome = await run()
    expect(outcome).toMatchObject({
      status: 'completed',
      tieOut: { state: 'green', notice: null, company: 'Made Ltd', currency: 'NZD', mended: [], fault: null },
    })
    expect(
      outcome.tieOut?.lines
        .map(({ period, accountId, computed, state }) => [period, accountId, computed, state])
        .toSorted(),
    ).toEqual([
      ['2026-03-01', 'bank', '100.00', 'green'],
      ['2026-03-01', 'sales', '-100.00', 'green'],
      ['2026-04-01', 'sales', '-0.10', 'green'],
    ])
    expect(logLines.at(-1)).toBe('Tie-out: 3 figures equal to the cent.')
    expect(await kept('period::text, account_name, difference::text, state, run_id')).toEqual([
      ['2026-03-01', 'Account bank', '0.00', 'green', writer.runId],
      ['2026-03-01', 'Account sales', '0.00', 'green', writer.runId],
      ['2026-04-01', 'Account sales', '0.00', 'green', writer.runId],
    ])
    expect(books.readAgain).toEqual([])
    expect((await bench.client.query('SELECT count(*)::int AS rows FROM "Target_1".ledger')).rows).toEqual([
      { rows: 3 },
    ])
  })

  test('[TRUST-12] are offered to publish, and the table of the tie-out is not', async () => {
    const { tieOut, offer } = await run({ publicationSet: randomUUID(), keepsHistory: () => true })
    expect(tieOut).toMatchObject({ state: 'green' })
    expect(offer).toMatchObject({ outcome: 'offered' })
  })

  test('of a report that is older than they are, count once the report is read again', async () => {
    await run()
    books.stale.add('2026-03-01')
    await bench.client.query(`UPDATE "Target_1".report SET amount = 7 WHERE account = 'bank'`)
    expect((await run()).tieOut).toMatchObject({ state: 'green', mended: [] })
    expect(books.readAgain).toEqual(['report 2026-03-01'])
  })

  test('are not compared where only some streams are moved, or one that is needed failed or is not held', async () => {
    expect((await run({ streams: ['entry', 'report'] })).tieOut).toBeNull()
    expect((await run({ tieOut: { ...booksTieOut, requiredStreams: ['entry', 'other'] } })).tieOut).toBeNull()
    await bench.client.query(
      'DROP SCHEMA "Target_1" CASCADE; CREATE SCHEMA "Target_1"; CREATE TABLE "Target_1".entry (of_others int)',
    )
    const failed = await run()
    expect(failed.streams.map(({ progress }) => progress.phase)).toEqual(['failed', 'done'])
    expect(failed.tieOut).toBeNull()
  })
})

describe('rows that do not add up', () => {
  test('are read again, and what had changed unannounced is named', async () => {
    await run()
    const [first] = books.entries
    if (first !== undefined) first.amount = '-99.00'
    const { tieOut, streams } = await run()
    expect(streams.find(({ progress }) => progress.stream === 'entry')?.progress.rowsWritten).toBe(0)
    expect(books.readAgain).toEqual(['report 2026-03-01', 'entry 2026-03-01'])
    expect(tieOut).toMatchObject({ state: 'green', mended: ['2026-03-01'] })
    expect(
      tieOut?.lines.find(({ accountId, period }) => accountId === 'sales' && period === '2026-03-01'),
    ).toMatchObject({
      computed: '-99.00',
      state: 'green',
      notice: 'It differed until the month was read again: 1 document had changed unannounced.',
      documents: [{ kind: 'Entry', id: 'one', amount: '-99.00', wasQuiet: true, address: 'https://books.example/one' }],
    })
    expect(logLines.slice(-2)).toEqual([
      'Tie-out: March 2026 differed at first and was read again. Changed unannounced: Entry one.',
      'Tie-out: 3 figures equal to the cent.',
    ])
    expect((await run()).tieOut).toMatchObject({ state: 'green', mended: [] })
    expect(books.readAgain).toEqual([])
  })

  test('a row changed in the target is corrected by the next run, and the checkpoint stays', async () => {
    await run()
    const state = async () =>
      (await bench.client.query(`SELECT checkpoint, fresh_at FROM "Target_1".tributary_state WHERE stream = 'entry'`))
        .rows
    await bench.client.query(`UPDATE "Target_1".entry SET amount = 1 WHERE id = 'one'`)
    const { tieOut } = await run()
    expect(tieOut).toMatchObject({ state: 'green', mended: ['2026-03-01'] })
    expect(
      await bench.rows({
        name: 'entry',
        columns: [
          { name: 'id', type: { kind: 'text' }, nullable: false },
          { name: 'amount', type: { kind: 'decimal' }, nullable: true },
        ],
        key: ['id'],
      }),
    ).toContainEqual(['one', '-100.00'])
    expect(await state()).toMatchObject([{ checkpoint: { read: true } }])
  })

  test('stay red where reading again does not help, with their documents; the month is left alone for a day', async () => {
    books.reported.set('2026-03-01 sales', '-90.00')
    const { status, tieOut } = await run()
    expect(status).toBe('completed')
    expect(tieOut).toMatchObject({ state: 'red', notice: '1 account differs in March 2026.', mended: [] })
    const line = tieOut?.lines.find(({ state }) => state === 'red')
    expect(line).toMatchObject({ accountId: 'sales', computed: '-100.00', reported: '-90.00', difference: '-10.00' })
    expect(line?.documents).toEqual([
      {
        kind: 'Entry',
        id: 'one',
        number: null,
        date: '2026-03-05',
        contact: null,
        amount: '-100.00',
        wasQuiet: false,
        address: 'https://books.example/one',
      },
    ])
    expect(logLines.at(-1)).toBe('Tie-out: 1 account differs in March 2026. 2 figures equal to the cent.')
    clock.advance(60 * 60_000)
    expect((await run()).tieOut).toMatchObject({ state: 'red' })
    expect(books.readAgain).toEqual([])
    clock.advance(23 * 60 * 60_000)
    expect((await run()).tieOut).toMatchObject({ state: 'red' })
    expect(books.readAgain).toEqual(['report 2026-03-01', 'entry 2026-03-01'])
  })

  test('are amber where the source books something by itself', async () => {
    books.entries.push({ id: 'four', day: '2026-03-05', account: 'beyond', amount: '0.00' })
    books.reported.set('2026-03-01 beyond', '5.00')
    const { tieOut } = await run()
    expect(tieOut).toMatchObject({
      state: 'amber',
      notice: '1 figure differs by what the source books by itself.',
      fault: null,
    })
    expect(tieOut?.lines.find(({ accountId }) => accountId === 'beyond')).toMatchObject({
      state: 'amber',
      notice: 'The source books it by itself.',
    })
    expect(books.readAgain).toEqual([])
  })

  test('in more months than one run may read again are amber until their turn comes', async () => {
    const months = Array.from({ length: 30 }, (_, at) => new Date(Date.UTC(2022, at, 1)).toISOString().slice(0, 10))
    for (const month of months) {
      books.entries.push({ id: month, day: month, account: 'sales', amount: '1.00' })
      books.reported.set(`${month} sales`, '2.00')
    }
    const first = await run()
    expect(first.tieOut?.state).toBe('red')
    const states = (outcome: SyncOutcome) =>
      outcome.tieOut?.lines
        .filter(({ state }) => state === 'amber')
        .map(({ period }) => period)
        .toSorted()
    expect(states(first)).toEqual(months.slice(0, 6))
    expect(books.readAgain.filter((each) => each.startsWith('entry'))).toHaveLength(4)
    expect(states(await run())).toEqual([])
    expect(books.readAgain).toEqual([
      `report ${months.slice(0, 6).toReversed().join(' ')}`,
      `entry ${months.slice(0, 6).toReversed().join(' ')}`,
    ])
  })
})

describe('a tie-out that does not come to its end', () => {
  beforeEach(() => books.reported.set('2026-03-01 sales', '-90.00'))

  test('because of the source’s rate limit is amber, and the run still completes', async () => {
    books.fault = new Fault('busy', { code: 'made.busy', notice: 'The limit of the day is reached.', waitMs: 1_000 })
    const { status, fault, tieOut } = await run()
    expect([status, fault]).toEqual(['completed', null])
    expect(tieOut).toMatchObject({ state: 'amber', fault: { code: 'made.busy' } })
    expect(tieOut?.notice).toBe('1 figure differs and will be read again. The limit of the day is reached.')
    expect(tieOut?.lines.find(({ state }) => state === 'amber')).toMatchObject({
      notice: 'The account differs, and the month has not been read again yet.',
    })
    books.fault = null
    expect((await run()).tieOut).toMatchObject({ state: 'red' })
  })

  test('because of its own fault is amber, and the run still completes', async () => {
    const broken: TieOutDefinition = { ...booksTieOut, company: () => 'SELECT nothing FROM nowhere' }
    expect(await run({ tieOut: broken })).toMatchObject({
      status: 'completed',
      tieOut: { state: 'amber', lines: [], fault: expect.any(Fault) },
    })
    expect(logLines.at(-1)).toMatch(/^Tie-out: it is not known/)
  })

  test('because views cannot be created is logged, and compares without them', async () => {
    await bench.client.query('CREATE TABLE "Target_1".ledger (taken int)')
    expect((await run()).tieOut).toMatchObject({ state: 'red' })
    expect(logLines.some((line) => line.startsWith('The views ledger could not be brought up to date.'))).toBe(true)
  })

  test('because the run is stopped leaves it cancelled', async () => {
    const stop = new AbortController()
    books.before = () => stop.abort(new Error('stopped by a person'))
    const { status, tieOut, streams } = await run({ signal: stop.signal })
    expect([status, tieOut]).toEqual(['cancelled', null])
    expect(streams.map(({ progress }) => progress.phase)).toEqual(['done', 'done'])
  })

  test('because a newer run has begun reports nothing more', async () => {
    books.before = async () => {
      await using newer = await bench.open()
      await newer.begin({ ...writer, runId: randomUUID(), fence: writer.fence + 1 })
    }
    await expect(run()).rejects.toBeInstanceOf(FencedError)
  })
})
