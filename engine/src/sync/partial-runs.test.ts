/** Partial runs: bundles, single streams, changes since a time; and the freshness of tables. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { Fault } from '../ports/faults.ts'
import { batch, column, table } from '@tributary/testing/engine/sync/fixtures.ts'
import { type FakeStream, fakeStream, fakeStreamOf, fakeSource } from '@tributary/testing/engine/sync/fake-source.ts'
import { makePostgresPair, type PostgresPair } from '@tributary/testing/engine/databases/postgres-pair.ts'
import { connectionContext } from '@tributary/testing/engine/sync/source-context.ts'
import { postgresTarget } from '../databases/postgres/target.ts'
import type { SyncOutcome, SyncRunRequest } from './sync-request.ts'
import { sync } from './run.ts'

const main = table('sale', [column('id', { kind: 'integer', bytes: 4 }, false), column('state', { kind: 'text' })])
const yesterday = new Date(Date.now() - 86_400_000)

let pair: PostgresPair
let connectorId: string
let fence: number
beforeAll(async () => {
  pair = await makePostgresPair()
})
afterAll(() => pair[Symbol.asyncDispose]())
beforeEach(async () => {
  await pair.target.query('DROP SCHEMA IF EXISTS shop CASCADE')
  connectorId = randomUUID()
  fence = 0
})

async function run(streams: readonly FakeStream[], request: Partial<SyncRunRequest> = {}): Promise<SyncOutcome> {
  const around = { ...connectionContext(), clock: request.clock ?? connectionContext().clock }
  await using target = await postgresTarget.open(postgresTarget.parse(pair.properties), around)
  const writer = { connectorId, runId: randomUUID(), fence: ++fence, ...request.writer }
  const { clock, signal } = around
  const log = (): void => {}
  return await sync({
    source: fakeSource(streams),
    target,
    syncMode: 'incremental',
    report: log,
    log,
    clock,
    signal,
    ...request,
    writer,
  })
}

const checkpoint = async (): Promise<unknown> =>
  (
    await pair.target.query<{ checkpoint: unknown }>(
      `SELECT checkpoint - 'tributary_columns' AS checkpoint FROM shop.tributary_state WHERE stream = 'sale'`,
    )
  ).rows[0]?.checkpoint

test('only streams whose bundle is held are moved; one that is asked for without its bundle is named', async () => {
  const streams = [fakeStream('free'), { ...fakeStream('sold'), bundle: 'Sales' }]
  const held = await run(streams, { bundles: new Set(['Base']) })
  expect(held.streams.map(({ stream }) => stream.name)).toEqual(['free'])
  expect(await run(streams, { bundles: new Set(['Base', 'Sales']) })).toMatchObject({ streams: { length: 2 } })
  expect(await run(streams, { bundles: new Set(['Base']), streams: ['sold'] })).toMatchObject({
    status: 'failed',
    fault: { kind: 'settings', code: 'engine.not_licensed', notice: expect.stringMatching(/^sold: .*licence/) },
  })
})

test('the notice stays readable and storable however many streams fail', async () => {
  const failing = Array.from({ length: 20 }, (_, at) =>
    fakeStream(`stream ${at}`, [], new Fault('settings', { code: 'test', notice: 'Not allowed. '.repeat(50) })),
  )
  const { fault } = await run(failing)
  expect(fault?.notice).toMatch(/^20 streams are not done; the others are. stream 0: Not allowed/)
  expect(fault?.notice).toHaveLength(4_000)
})

test('changes since a time are read again, and the checkpoint stays', async () => {
  const asked: string[] = []
  const first = batch(main, [['1', 'old']], { page: 9 })
  await run([fakeStreamOf(main, [first], { readRequests: asked })])
  await pair.target.query(`UPDATE shop.sale SET state = 'spoilt'`)
  const again = { readRequests: asked, again: { page: 4 } }
  const rows = [batch(main, [['1', 'mended']], { page: 5 }), batch(main, [['2', 'new']], { page: 10 })]
  const outcome = await run([fakeStreamOf(main, rows, again)], { changedSince: yesterday })
  expect(outcome).toMatchObject({ status: 'completed', streams: [{ freshAt: expect.any(Date), rows: 2 }] })
  expect(asked).toEqual(['sale', 'sale from {"page":4}'])
  expect(await pair.rows('sale')).toEqual(['(1,mended)', '(2,new)'])
  expect(await checkpoint()).toEqual({ page: 9 })
})

test('an interrupted re-read loses and duplicates nothing', async () => {
  await run([fakeStreamOf(main, [batch(main, [['1', 'old']], { page: 9 })])])
  const broken = new Fault('passing', { code: 'test', notice: 'gone' })
  const rows = [batch(main, [['1', 'mended']], { page: 5 })]
  expect(
    await run([fakeStreamOf(main, rows, { again: { page: 4 }, failure: broken })], { changedSince: yesterday }),
  ).toMatchObject({
    status: 'failed',
  })
  expect([await pair.rows('sale'), await checkpoint()]).toEqual([['(1,mended)'], { page: 9 }])
  const asked: string[] = []
  await run([fakeStreamOf(main, [batch(main, [['2', 'new']], { page: 10 })], { readRequests: asked })])
  expect(asked).toEqual(['sale from {"page":9}'])
  expect([await pair.rows('sale'), await checkpoint()]).toEqual([['(1,mended)', '(2,new)'], { page: 10 }])
})

test('a source without checkpoints for times is read whole; a table older than the time continues from its checkpoint', async () => {
  const asked: string[] = []
  const rows = [batch(main, [['1', 'one']], { page: 9 })]
  await run([fakeStreamOf(main, rows, { readRequests: asked })])
  await run([fakeStreamOf(main, rows, { readRequests: asked })], { changedSince: yesterday })
  await run([fakeStreamOf(main, rows, { readRequests: asked, again: { page: 4 } })], {
    changedSince: new Date(Date.now() + 60_000),
  })
  expect(asked).toEqual(['sale', 'sale', 'sale from {"page":9}'])
})

test('a run that waited for days reads finished streams again, and is fresh when it completes', async () => {
  const runId = randomUUID()
  const asked: string[] = []
  const limit = new Fault('busy', { code: 'test', notice: 'tomorrow', waitMs: 86_400_000 })
  const streams = (last?: Fault): FakeStream[] => [
    fakeStreamOf(main, [batch(main, [['1', 'one']], { page: 9 })], { readRequests: asked }),
    { ...fakeStream('limited', [], last), readRequests: asked },
  ]
  const day = (n: number): SyncRunRequest['clock'] => ({
    ...connectionContext().clock,
    now: () => yesterday.getTime() + n * 86_400_000,
  })
  const writer = (at: number): SyncRunRequest['writer'] => ({ connectorId, runId, fence: at })
  const cut = await run(streams(limit), { writer: writer(1), clock: day(0) })
  expect(cut.streams.map(({ freshAt }) => freshAt)).toEqual(
    [day(0).now(), null].map((at) => (at === null ? null : new Date(at))),
  )
  asked.length = 0
  const done = await run(streams(), { writer: writer(2), clock: day(2) })
  expect(asked.toSorted()).toEqual(['limited', 'sale from {"page":9}'])
  expect([cut, done].map(({ streams }) => streams.map(({ progress }) => progress.hasAdvanced))).toEqual([
    [true, false],
    [false, false],
  ])
  expect(done.streams.map(({ freshAt }) => freshAt?.getTime())).toEqual([day(2).now(), day(2).now()])
})

test('a stream that is read whole advances only at its end; one with checkpoints advances with each commit', async () => {
  const away = new Fault('passing', { code: 'test', notice: 'gone for a moment' })
  const gets = async (name: string, rest: Partial<FakeStream>) => {
    const of = table(name, main.columns)
    const { streams } = await run([fakeStreamOf(of, [batch(of, [['1', 'one']], { page: 1 })], rest)])
    return streams.map(({ progress: { rowsWritten, hasAdvanced } }) => [rowsWritten, hasAdvanced])
  }
  expect(await gets('whole', { reads: 'whole', failure: away })).toEqual([[1, false]])
  expect(await gets('since', { failure: away })).toEqual([[1, true]])
  expect(await gets('whole', { reads: 'whole' })).toEqual([[1, true]])
})

test('a re-read from a date advances only at its end', async () => {
  const rows = (text: string) => [batch(main, [['1', text]], { page: 9 })]
  await run([fakeStreamOf(main, rows('one'))])
  const away = new Fault('passing', { code: 'test', notice: 'gone for a moment' })
  const again = async (text: string, failure?: Fault) =>
    (await run([fakeStreamOf(main, rows(text), { again: { page: 4 }, failure })], { changedSince: yesterday }))
      .streams[0]?.progress
  expect(await again('two', away)).toMatchObject({ rowsWritten: 1, hasAdvanced: false })
  expect(await again('three')).toMatchObject({ rowsWritten: 1, hasAdvanced: true })
})

test('the target lists runs and tables; a failed report is only logged', async () => {
  await run([fakeStreamOf(main, [batch(main, [['1', 'one']], { page: 9 })])])
  const runs = await pair.target.query(
    `SELECT status, rows_read, rows_written, ended_at IS NOT NULL AS ended FROM shop.tributary_run`,
  )
  expect(runs.rows).toEqual([{ status: 'completed', rows_read: '1', rows_written: '1', ended: true }])
  const fresh = await pair.target.query(`SELECT table_name, rows_moved FROM shop.tributary_freshness`)
  expect(fresh.rows).toEqual([{ table_name: 'sale', rows_moved: '1' }])
  await pair.target.query('ALTER TABLE shop.tributary_run DROP COLUMN notice')
  const lines: string[] = []
  const outcome = await run([fakeStreamOf(main, [batch(main, [['2', 'two']], { page: 10 })])], {
    log: (line) => void lines.push(line),
  })
  expect(outcome.status).toBe('completed')
  expect(lines).toContainEqual(expect.stringContaining('list of runs was not brought up to date'))
})

test('rows that a batch cuts in two lose their rejected column, and a rejected child table is not written', async () => {
  const wide = table('wide', [...main.columns, column('secret', { kind: 'text' })])
  const line = { ...table('wide line', [column('id', { kind: 'integer', bytes: 4 }, false)]), parentKey: ['id'] }
  const whole = batch(wide, [
    ['1', 'ä\t', 'hidden\n'],
    ['2', null, 'hidden'],
  ])
  const [first, second] = [whole.bytes.subarray(0, 9), whole.bytes.subarray(9)]
  const batches = [
    { ...whole, bytes: first, rows: 1 },
    batch(line, [['1']]),
    { ...whole, bytes: second, rows: 1, checkpoint: { page: 9 } },
  ]
  const decisions = [
    { table: 'wide', column: 'secret', after: 'text', decision: 'rejected' },
    { table: 'wide line', column: null, after: 'new table', decision: 'rejected' },
  ] as const
  const schemaRules = { policy: 'ask', decisions, reportChanges: () => {} } as const
  expect(await run([fakeStreamOf(wide, batches, { children: [line] })], { schemaRules })).toMatchObject({
    status: 'completed',
  })
  expect((await pair.target.query('SELECT * FROM shop.wide ORDER BY id')).rows).toEqual([
    { id: 1, state: 'ä\t' },
    { id: 2, state: null },
  ])
  await expect(pair.rows('"wide line"')).rejects.toThrow('does not exist')
})
