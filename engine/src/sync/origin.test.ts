/** Connectors whose source is now another company or database: rows of the two are never mixed. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Fault } from '../ports/faults.ts'
import { openBoth } from '@tributary/testing/engine/databases/both-ends.ts'
import { connectApi } from '@tributary/testing/engine/apis/api-connector.ts'
import { cin7Differences } from '@tributary/testing/engine/apis/cin7-connector.ts'
import { type DatabaseEnd, type EndKind, makeEnd } from '@tributary/testing/engine/databases/database-ends.ts'
import { batch, column, table } from '@tributary/testing/engine/sync/fixtures.ts'
import { type FakeStream, fakeStreamOf, fakeSource } from '@tributary/testing/engine/sync/fake-source.ts'
import { makePostgresPair, type PostgresPair } from '@tributary/testing/engine/databases/postgres-pair.ts'
import { simulateCin7, tinySize } from '@tributary/testing/engine/apis/simulated-cin7.ts'
import { realClock, connectionContext } from '@tributary/testing/engine/sync/source-context.ts'
import { connectXero } from '@tributary/testing/engine/apis/xero-connector.ts'
import { postgresTarget } from '../databases/postgres/target.ts'
import type { SyncRunRequest } from './sync-request.ts'
import { sync } from './run.ts'

const main = table('sale', [column('id', { kind: 'integer', bytes: 4 }, false), column('state', { kind: 'text' })])

describe('what the loop does', () => {
  let pair: PostgresPair
  let connectorId: string
  let fence = 0
  let lines: string[] = []
  let asked: string[] = []
  beforeAll(async () => {
    pair = await makePostgresPair()
  })
  afterAll(() => pair[Symbol.asyncDispose]())

  /** Begins with two rows of the first company, read to the end. */
  async function begin(rest: Partial<FakeStream> = {}, origin: string | null = 'first'): Promise<void> {
    await pair.target.query('DROP SCHEMA IF EXISTS shop CASCADE')
    connectorId = randomUUID()
    const rows = [
      ['1', 'of the first'],
      ['2', 'of the first'],
    ]
    await run(origin, fakeStreamOf(main, [batch(main, rows, { page: 9 })], rest))
  }

  async function run(
    origin: string | null,
    stream: FakeStream,
    { runId = randomUUID(), ...request }: Partial<SyncRunRequest & { runId: string }> = {},
  ) {
    lines = []
    asked = []
    const around = connectionContext()
    await using target = await postgresTarget.open(postgresTarget.parse(pair.properties), around)
    const log = (line: string): void => void lines.push(line)
    const usual = {
      syncMode: 'incremental',
      report: () => {},
      log,
      clock: around.clock,
      signal: around.signal,
    } as const
    const source = fakeSource([{ ...stream, readRequests: asked }], origin ?? undefined)
    return await sync({ source, target, ...usual, ...request, writer: { connectorId, runId, fence: ++fence } })
  }

  const second = (rest: Partial<FakeStream> = {}): FakeStream =>
    fakeStreamOf(main, [batch(main, [['2', 'of the second']], { page: 4 })], rest)

  test.each([
    ['an incremental run', {}, {}],
    ['a run from a date', { changedSince: new Date(0) }, {}],
    ['a run of a slow stream, whose rows are otherwise shown as they come,', {}, { isSlow: true }],
  ])(
    '%s reads all of another company, whose rows take the place of the former ones, and says so',
    async (_, request, rest) => {
      await begin(rest)
      expect(await run('second', second(rest), request)).toMatchObject({ status: 'completed' })
      expect([asked, lines]).toEqual([
        ['sale'],
        ['sale: its rows are of another company or database. All of it is read, and takes their place.'],
      ])
      expect(await pair.rows('sale')).toEqual(['(2,"of the second")'])
      await run('second', fakeStreamOf(main, []))
      expect([asked, lines]).toEqual([['sale from {"page":4}'], []])
    },
  )

  test.each([
    ['', {}],
    [' of a slow stream', { isSlow: true }],
  ])(
    'so does a run%s whose table gets a column with the other company, though it was killed once it had made it',
    async (_, rest) => {
      await begin(rest)
      const wider = table('sale', [...main.columns, column('paid', { kind: 'boolean' })])
      const other = (more: Partial<FakeStream>): FakeStream =>
        fakeStreamOf(wider, [batch(wider, [['2', 'of the second', 't']], { page: 4 })], { ...rest, ...more })
      const failure = new Fault('passing', { code: 'test', notice: 'gone' })
      await run('second', { ...other({ failure }), batches: [] })
      await run('second', other({}))
      expect(lines).toContain(
        'sale: its rows are of another company or database. All of it is read, and takes their place.',
      )
      expect(await pair.rows('sale')).toEqual(['(2,"of the second",t)'])
    },
  )

  test.each([
    ['can be read from a checkpoint', { reads: 'since' }, { page: 9 }],
    ['is always read whole', { reads: 'whole' }, undefined],
  ] as const)('a retried run reads again what it had finished of the former company, which %s', async (_, rest, at) => {
    await begin()
    const runId = randomUUID()
    await run('first', fakeStreamOf(main, [batch(main, [['1', 'of the first']], at)], rest), { runId })
    await run('first', fakeStreamOf(main, [batch(main, [['3', 'of the first']], at)], rest), { runId })
    expect(asked).toEqual([])
    await run('second', fakeStreamOf(main, [batch(main, [['2', 'of the second']], at)], rest), { runId })
    expect(await pair.rows('sale')).toEqual(['(2,"of the second")'])
  })

  test('an interrupted first load does not continue with another company', async () => {
    await begin()
    await pair.target.query('DROP SCHEMA shop CASCADE')
    const failure = new Fault('passing', { code: 'test', notice: 'gone' })
    await run('first', fakeStreamOf(main, [batch(main, [['1', 'of the first']], { page: 3 })], { failure }))
    await run('second', second())
    expect([asked, await pair.rows('sale')]).toEqual([['sale'], ['(2,"of the second")']])
  })

  test('an interrupted replacement of the former rows continues where it stopped', async () => {
    await begin()
    const failure = new Fault('passing', { code: 'test', notice: 'gone' })
    await run('second', second({ failure }))
    expect(await pair.rows('sale')).toEqual(['(1,"of the first")', '(2,"of the first")'])
    await run('second', fakeStreamOf(main, [batch(main, [['3', 'of the second']], { page: 5 })]))
    expect([asked, await pair.rows('sale')]).toEqual([
      ['sale from {"page":4}'],
      ['(2,"of the second")', '(3,"of the second")'],
    ])
  })

  test('checkpoints of earlier releases, which have no origin, are continued', async () => {
    await begin({}, null)
    await run('second', second())
    expect([asked, await pair.rows('sale')]).toEqual([
      ['sale from {"page":9}'],
      ['(1,"of the first")', '(2,"of the second")'],
    ])
    await run('third', fakeStreamOf(main, []))
    expect(asked).toEqual(['sale'])
  })
})

describe.each(['postgres', 'mysql'] as const)('from %s', (kind: EndKind) => {
  const sources: DatabaseEnd[] = []
  let target: DatabaseEnd
  beforeAll(async () => {
    target = await makeEnd('postgres', 'target')
    for (const [at, name] of ['test', 'live'].entries()) {
      const source = await makeEnd(kind, 'source')
      sources.push(source)
      const changed = kind === 'postgres' ? 'timestamp' : 'timestamp(6)'
      await source.run(`CREATE TABLE sale (id int PRIMARY KEY, state varchar(20), changed_at ${changed} NOT NULL)`)
      // Those of the live one were changed before the test one was read.
      const rows = Array.from({ length: 3 }, (_, row) => `(${row + at * 2}, '${name}', '2025-0${2 - at}-01')`)
      await source.run(`INSERT INTO sale VALUES ${rows.join(', ')}`)
    }
  })
  afterAll(async () => {
    for (const end of [...sources, target]) await end[Symbol.asyncDispose]()
  })

  test('[ENG-1] a connector that is pointed at another database has that database’s rows, and those alone', async () => {
    const connectorId = randomUUID()
    for (const [at, source] of sources.entries()) {
      const { signal } = new AbortController()
      await using ends = await openBoth(
        { from: kind, to: 'postgres', properties: { ...source.properties, ...target.properties } },
        signal,
      )
      const quiet = (): void => {}
      const writer = { connectorId, runId: randomUUID(), fence: at + 1 }
      const outcome = await sync({
        ...ends,
        writer,
        syncMode: 'incremental',
        report: quiet,
        log: quiet,
        clock: realClock,
        signal,
      })
      expect(outcome).toMatchObject({ status: 'completed' })
      expect(await target.rows('sale')).toEqual(await source.rows('sale'))
    }
  })
})

describe('from an API', () => {
  test('[ENG-1] a Xero connector of another company has that company’s rows, and only those, although it was not reconfigured', async () => {
    await using xero = await connectXero({ callsPerMinute: 600, limits: { perMinute: 660 }, tier: 'advanced' })
    expect(await xero.run()).toMatchObject({ status: 'completed' })
    const other = xero.sim.companies[1]?.tenantId
    expect(await xero.run({ more: { 'xero.tenantId': other } })).toMatchObject({ status: 'completed' })
    expect(await xero.differences(/./, /^$/, other)).toEqual([])
  })

  test('[ENG-1] a Cin7 connector of another account has that account’s rows, and those alone', async () => {
    const first = await simulateCin7({ size: tinySize })
    await using second = await simulateCin7({ size: tinySize, seed: 12 })
    let there = first
    await using cin7 = await connectApi({ ...first, open: (signal) => there.open(signal) }, 'postgres')
    expect(await cin7.run()).toMatchObject({ status: 'completed' })
    expect(await cin7Differences(first.sim, cin7.target)).toEqual([])
    there = second
    expect(await cin7.run()).toMatchObject({ status: 'completed' })
    expect(await cin7Differences(second.sim, cin7.target)).toEqual([])
  })
})
