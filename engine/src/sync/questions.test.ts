/** Views of ready questions: runs create them, keep them, and never fail because of one. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { QuestionSet, ReadyQuestion } from '../ports/questions.ts'
import { type FakeBooks, booksSource, newBooks } from '@tributary/testing/engine/sync/fake-books.ts'
import { makePostgresBench, type PostgresBench } from '@tributary/testing/engine/databases/postgres-bench.ts'
import { sharedClock } from '@tributary/testing/engine/apis/shared-clock.ts'
import type { SyncOutcome, SyncRunRequest } from './sync-request.ts'
import { sync } from './run.ts'

let bench: PostgresBench
let books: FakeBooks
let writer: { readonly connectorId: string; readonly runId: string; readonly fence: number }
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
  books.entries.push({ id: 'one', day: '2026-03-05', account: 'sales', amount: '-100.00' })
})

function question(name: string, select: ReadyQuestion['select'], requiredStreams = ['entry']): ReadyQuestion {
  return { name, title: 'How much?', description: 'The sum.', columns: [], requiredStreams, select }
}

const sums = question(
  'sums',
  ({ table }) => `SELECT account, SUM(amount) AS amount FROM ${table('entry')} AS e GROUP BY account`,
)
const largest = question('largest', ({ view }) => `SELECT MAX(s.amount) AS amount FROM ${view('sums')} AS s`)

async function run(questions: readonly ReadyQuestion[], rest: Partial<SyncRunRequest> = {}): Promise<SyncOutcome> {
  writer = { ...writer, runId: randomUUID(), fence: writer.fence + 1 }
  logLines.length = 0
  const set: QuestionSet = { questions, ledgerViews: () => [] }
  const { signal = new AbortController().signal } = rest
  await using target = await bench.open(signal)
  return await sync({
    source: { ...booksSource(books), questions: set },
    target,
    writer,
    syncMode: 'incremental',
    report: () => {},
    log: (line) => logLines.push(line),
    clock,
    ...rest,
    signal,
  })
}

const rows = async (sql: string): Promise<readonly unknown[]> => (await bench.client.query(sql)).rows
const aboutViews = (): readonly string[] => logLines.filter((line) => line.includes('view'))
const oidOf = async (view: string) => (await rows(`SELECT to_regclass('"Target_1".${view}')::oid AS oid`))[0]

test('[SEE-7] a run creates the views in their order; a later one leaves unchanged views alone', async () => {
  expect(await run([sums, largest])).toMatchObject({ status: 'completed' })
  expect(await rows('SELECT amount FROM "Target_1".largest')).toEqual([{ amount: '-100.00' }])
  const before = await rows(`SELECT xmin::text FROM pg_class WHERE oid = '"Target_1".largest'::regclass`)
  await run([sums, largest])
  expect(await rows(`SELECT xmin::text FROM pg_class WHERE oid = '"Target_1".largest'::regclass`)).toEqual(before)
  expect(aboutViews()).toEqual([])
})

test('[SEE-7] a view whose definition changes is replaced, and so are the views that read it', async () => {
  await run([sums, largest])
  const other = question(
    'sums',
    ({ table }) => `SELECT 'all' AS all_accounts, SUM(amount) + 1 AS amount FROM ${table('entry')} AS e`,
  )
  await run([other, largest])
  expect(aboutViews()).toEqual([])
  expect(await rows('SELECT amount FROM "Target_1".largest')).toEqual([{ amount: '-99.00' }])
  expect(await rows(`SELECT relname FROM pg_class WHERE relname LIKE 'tributary_former%'`)).toEqual([])
})

test('[SEE-7] a faulty view never fails a run: its line says what to do, and the other views are created', async () => {
  const faulty = question('faulty', ({ table }) => `SELECT nothing FROM ${table('entry')} AS e`)
  expect(await run([faulty, sums])).toMatchObject({ status: 'completed', fault: null })
  expect(aboutViews()).toEqual([
    expect.stringMatching(
      /^The view faulty \(‘How much\?’\) could not be brought up to date, .* The next run tries again\.$/u,
    ),
  ])
  expect(await rows('SELECT amount FROM "Target_1".sums')).toEqual([{ amount: '-100.00' }])
})

test('[SEE-7] a table or view of a person with the same name stays, and the run says so', async () => {
  await bench.client.query(`CREATE VIEW "Target_1".sums AS SELECT 'mine' AS whose`)
  await run([sums])
  expect(aboutViews()).toEqual([
    'The view sums (‘How much?’) was not created, because the target has a table or view of that name that is not this connector’s. Rename that one, or choose another target schema.',
  ])
  expect(await rows('SELECT * FROM "Target_1".sums')).toEqual([{ whose: 'mine' }])
})

test('[SEE-7] a view is removed when its stream is not moved any more, and not when it failed or was left out once', async () => {
  const ofBoth = question('of_both', ({ table }) => `SELECT COUNT(*) AS entries FROM ${table('entry')} AS e`, [
    'entry',
    'report',
  ])
  await run([sums, ofBoth])
  const before = await oidOf('of_both')
  await run([sums, ofBoth], { streams: ['report'] })
  expect(await oidOf('of_both')).toEqual(before)
  await bench.client.query(
    `ALTER TABLE "Target_1".report DROP COLUMN amount CASCADE; ALTER TABLE "Target_1".report ADD COLUMN amount int[]`,
  )
  await run([sums, ofBoth])
  expect(await oidOf('of_both')).toEqual(before)
  expect(aboutViews()).toEqual([])
  await run([sums, ofBoth], { bundles: new Set() })
  expect([await oidOf('sums'), await oidOf('of_both')]).toEqual([{ oid: null }, { oid: null }])
  expect(aboutViews()).toEqual([
    'The view of_both was removed, because not everything that it needs is moved any more.',
    'The view sums was removed, because not everything that it needs is moved any more.',
  ])
})

test('[SEE-7] a view that a person’s view reads is not removed, and the run says why', async () => {
  await run([sums])
  await bench.client.query('CREATE VIEW "Target_1".report_of_ours AS SELECT * FROM "Target_1".sums')
  expect(await run([sums], { bundles: new Set() })).toMatchObject({ status: 'completed' })
  expect(aboutViews()).toEqual([
    expect.stringMatching(/^The view sums, which is out of date now, could not be removed\. /u),
  ])
  expect(await rows('SELECT amount FROM "Target_1".report_of_ours')).toEqual([{ amount: '-100.00' }])
})

test('[SEE-7] views survive a full refresh with their readers’ rights, and the table is swapped by rename', async () => {
  const role = `reader_${randomUUID().slice(0, 8)}`
  await run([sums, largest])
  await bench.client.query(
    `CREATE ROLE ${role}; GRANT SELECT ON "Target_1".largest TO ${role}; ALTER VIEW "Target_1".largest SET (security_invoker = true)`,
  )
  const table = await oidOf('entry')
  books.entries.push({ id: 'two', day: '2026-03-31', account: 'bank', amount: '100.00' })
  await run([sums, largest], { syncMode: 'full' })
  expect(aboutViews()).toEqual([])
  expect(await oidOf('entry')).not.toEqual(table)
  expect(await rows('SELECT amount FROM "Target_1".largest')).toEqual([{ amount: '100.00' }])
  expect(
    await rows(
      `SELECT has_table_privilege('${role}', oid, 'SELECT') AS may, reloptions FROM pg_class WHERE oid = '"Target_1".largest'::regclass`,
    ),
  ).toEqual([{ may: true, reloptions: ['security_invoker=true'] }])
  await bench.client.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`)
})
