import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Fault, type FaultKind } from '../ports/faults.ts'
import { FencedError } from '../ports/target.ts'
import { batch } from '@tributary/testing/engine/sync/fixtures.ts'
import { type FakeStream, fakeStream, fakeSource } from '@tributary/testing/engine/sync/fake-source.ts'
import { makePostgresPair, type PostgresPair } from '@tributary/testing/engine/databases/postgres-pair.ts'
import { connectionContext } from '@tributary/testing/engine/sync/source-context.ts'
import { postgresTarget } from '../databases/postgres/target.ts'
import type { SyncRunRequest } from './sync-request.ts'
import { sync } from './run.ts'

let pair: PostgresPair
beforeAll(async () => {
  pair = await makePostgresPair()
})
afterAll(() => pair[Symbol.asyncDispose]())

describe('from PostgreSQL to PostgreSQL', () => {
  test('[ENG-1] a first run brings everything, the next ones what was changed, added and deleted', async () => {
    await pair.source.query(
      `CREATE TABLE item (id integer PRIMARY KEY, name text); INSERT INTO item SELECT n, 'item ' || n FROM generate_series(1, 100) n`,
    )
    const first = await pair.run({ streams: ['public.item'] })
    expect(first).toMatchObject({
      status: 'completed',
      streams: [{ progress: { phase: 'done', rowsRead: 100, rowsWritten: 100 } }],
    })
    await pair.source.query(
      `UPDATE item SET name = NULL WHERE id = 7; INSERT INTO item VALUES (101, 'new'); DELETE FROM item WHERE id = 3; UPDATE item SET id = 200 WHERE id = 4`,
    )
    const second = await pair.run({ streams: ['public.item'] })
    expect(second.streams[0]?.progress).toMatchObject({ rowsWritten: 3, rowsUpdated: 1, rowsDeleted: 2 })
    expect(await pair.rows('item')).toEqual(await sourceRows('item'))
    const third = await pair.run({ streams: ['public.item'] })
    expect(third.streams[0]?.progress).toMatchObject({ rowsWritten: 0, rowsUpdated: 0, rowsDeleted: 0 })
  })

  test('a transaction that began before a read and committed after it is not lost', async () => {
    await pair.source.query(`CREATE TABLE slow (id integer PRIMARY KEY); INSERT INTO slow VALUES (1)`)
    await using other = await makeOther()
    await other.client.query('BEGIN')
    await other.client.query('INSERT INTO slow VALUES (2)')
    // A later transaction that commits first: remembering only the highest id would skip the slow one.
    await pair.source.query('INSERT INTO slow VALUES (3)')
    await pair.run({ streams: ['public.slow'] })
    expect(await pair.rows('slow')).toEqual(['(1)', '(3)'])
    await other.client.query('COMMIT')
    await pair.run({ streams: ['public.slow'] })
    expect(await pair.rows('slow')).toEqual(['(1)', '(2)', '(3)'])
  })

  test('a column added with a default, and a table put in place of another, are read from the beginning', async () => {
    await pair.source.query(
      `CREATE TABLE grown (id integer PRIMARY KEY); INSERT INTO grown VALUES (1), (2); CREATE TABLE spare (id integer PRIMARY KEY); INSERT INTO spare VALUES (8)`,
    )
    await pair.run({ streams: ['public.grown'] })
    await pair.source.query(`ALTER TABLE grown ADD COLUMN state text DEFAULT 'open'`)
    await pair.run({ streams: ['public.grown'] })
    expect(await pair.rows('grown')).toEqual(['(1,open)', '(2,open)'])
    expect(pair.logLines).toContain('The table grown has a new column state (text).')
    await pair.source.query(
      `DROP TABLE grown; ALTER TABLE spare ADD COLUMN state text; ALTER TABLE spare RENAME TO grown`,
    )
    await pair.run({ streams: ['public.grown'] })
    expect(await pair.rows('grown')).toEqual(['(8,)'])
  })

  test.each(['binary', 'text'])(
    'every value is in the target as it is in the source, endless dates and odd names too (%s)',
    async (lane) => {
      const other = lane === 'binary' ? '' : ', mood mood, tags text[], cost money'
      await pair.source.query(`DROP TYPE IF EXISTS mood; CREATE TYPE mood AS ENUM ('fine');
      CREATE TABLE "Values ${lane}" ("Id" bigint PRIMARY KEY, price numeric(18,4), free numeric, day date, moment timestamptz, wall timestamp(3), hour time, open boolean,
        share double precision, reference uuid, "select" varchar(30), note text, document jsonb, raw bytea${other});
      INSERT INTO "Values ${lane}" ("Id", price, free, day, moment, wall, hour, open, share, reference, "select", note, document, raw) VALUES
        (1, 90071992547409.9301, 12345678901234567890.000000000012345, 'infinity', '-infinity', '1969-07-20 20:17:40.123', '24:00', true, 'NaN', gen_random_uuid(), '', E'\\N\t\n\r\\\b\f\v', '{"a": 1.10}', '\\x005c0a'),
        (2, NULL, 'NaN', '0044-03-15 BC', '2024-06-01 12:00+05', NULL, NULL, NULL, 0.1, NULL, NULL, repeat('x', 200000), 'null', '')`)
      const name = `public.Values ${lane}`
      expect(await pair.run({ streams: [name] })).toMatchObject({
        status: 'completed',
        streams: [{ progress: { rowsRead: 2, rowsWritten: 2, rowsRejected: 0 } }],
      })
      const columns = `"Id", price, free, day, moment, wall, hour, open, share, reference, "select", note, document, raw`
      const read = (client: PostgresPair['source'], from: string): Promise<unknown> =>
        client
          .query(
            `SELECT ${columns
              .split(', ')
              .map((each) => `${each}::text`)
              .join(', ')} FROM ${from} ORDER BY "Id"`,
          )
          .then(({ rows }) => rows)
      expect(await read(pair.target, `shop."Values ${lane}"`)).toEqual(await read(pair.source, `"Values ${lane}"`))
    },
  )

  test('a full refresh reverts manual changes in the target', async () => {
    await pair.source.query(
      `CREATE TABLE mended (id integer PRIMARY KEY, name text); INSERT INTO mended VALUES (1, 'one')`,
    )
    await pair.run({ streams: ['public.mended'] })
    await pair.target.query(`UPDATE shop.mended SET name = 'spoilt'`)
    await pair.run({ streams: ['public.mended'], syncMode: 'full' })
    expect(await pair.rows('mended')).toEqual(['(1,one)'])
  })

  test('a target restored to yesterday is brought to today by the next run', async () => {
    await pair.source.query(
      `CREATE TABLE restored (id integer PRIMARY KEY, name text); INSERT INTO restored VALUES (1, 'one')`,
    )
    await pair.run({ streams: ['public.restored'] })
    await pair.target.query(
      `CREATE TABLE kept_rows AS SELECT * FROM shop.restored; CREATE TABLE kept_state AS SELECT * FROM shop.tributary_state WHERE stream = 'public.restored'`,
    )
    await pair.source.query(`INSERT INTO restored VALUES (2, 'two')`)
    await pair.run({ streams: ['public.restored'] })
    await pair.target.query(
      `TRUNCATE shop.restored; INSERT INTO shop.restored SELECT * FROM kept_rows; DELETE FROM shop.tributary_state WHERE stream = 'public.restored'; INSERT INTO shop.tributary_state SELECT * FROM kept_state`,
    )
    await pair.run({ streams: ['public.restored'] })
    expect(await pair.rows('restored')).toEqual(['(1,one)', '(2,two)'])
  })

  test('if most rows are gone from the source nothing is deleted, which is reported; a full refresh deletes them', async () => {
    await pair.source.query(
      `CREATE TABLE shrunk (id integer PRIMARY KEY); INSERT INTO shrunk SELECT generate_series(1, 3000)`,
    )
    await pair.run({ streams: ['public.shrunk'] })
    await pair.source.query(`DELETE FROM shrunk WHERE id > 1500`)
    const guarded = await pair.run({ streams: ['public.shrunk'] })
    expect(guarded).toMatchObject({
      status: 'failed',
      fault: { kind: 'data', notice: expect.stringContaining('1500 of the 3000 rows') },
    })
    expect(await pair.rows('shrunk')).toHaveLength(3000)
    expect(await pair.run({ streams: ['public.shrunk'], syncMode: 'full' })).toMatchObject({ status: 'completed' })
    expect(await pair.rows('shrunk')).toHaveLength(1500)
  })

  test('a requested stream that is not offered fails the run by name; the others are moved', async () => {
    const outcome = await pair.run({ streams: ['public.item', 'public.nowhere'] })
    expect(outcome).toMatchObject({
      status: 'failed',
      fault: { kind: 'settings', notice: expect.stringContaining('public.nowhere') },
      streams: [{ progress: { phase: 'done' } }],
    })
  })
})

describe('failures of the source', () => {
  test('a stream with too many bad rows, or with a settings fault, does not stop the others', async () => {
    const bad = fakeStream('bad', [
      batch(
        fakeStream('bad').table,
        Array.from({ length: 1_200 }, (_, at) => [`x${at}`]),
      ),
    ])
    const shut = fakeStream('shut', [], fault('settings'))
    const outcome = await runMade([bad, shut, fakeStream('good', [batch(fakeStream('good').table, [['1']])])])
    expect(outcome.status).toBe('failed')
    expect(outcome.fault?.notice).toMatch(/bad: .*could not be placed.*shut: settings/s)
    expect(outcome.streams.map(({ progress, fault: each }) => [progress.stream, progress.phase, each?.kind])).toEqual([
      ['bad', 'failed', 'data'],
      ['shut', 'failed', 'settings'],
      ['good', 'done', undefined],
    ])
    expect(outcome.streams[0]?.rejected.length).toBeGreaterThan(0)
  })

  test.each(['signIn', 'busy'] as const)(
    'a %s fault stops the run: what has not begun is left for the next attempt',
    async (kind) => {
      const outcome = await runMade([
        fakeStream(`${kind} 1`, [], fault(kind)),
        fakeStream(`${kind} 2`),
        fakeStream(`${kind} 3`),
        fakeStream(`${kind} 4`),
      ])
      expect(outcome).toMatchObject({ status: 'failed', fault: { kind } })
      expect(outcome.streams.at(-1)?.progress.phase).toBe('waiting')
    },
  )

  test.each(['passing', 'bug'] as const)(
    'a %s fault of one stream does not stop the others, and the run says so',
    async (kind) => {
      const one = fakeStream(`${kind} 1`, [], fault(kind))
      const outcome = await runMade([one, fakeStream(`${kind} 2`), fakeStream(`${kind} 3`), fakeStream(`${kind} 4`)])
      expect(outcome).toMatchObject({ status: 'failed', fault: { kind, code: 'test', notice: `${kind} 1: ${kind}` } })
      expect(outcome.streams.map(({ progress }) => progress.phase)).toEqual(['failed', 'done', 'done', 'done'])
      const both = await runMade([one, fakeStream('shut', [], fault('settings')), fakeStream('fine')])
      expect(both.fault).toMatchObject({
        kind: kind === 'passing' ? 'passing' : 'settings',
        code: 'engine.streams_failed',
      })
    },
  )

  test('an unreachable end stops the run immediately; transient faults stop it after three streams', async () => {
    const names = Array.from({ length: 12 }, (_, at) => `away ${at}`)
    const away = new Fault('passing', { code: 'network.unreachable', notice: 'It does not answer.' })
    for (const [failure, failed] of [
      [away, 2],
      [new Fault('passing', { code: 'store.unreachable', notice: 'The store is away.' }), 2],
      [fault('passing'), 4],
    ] as const) {
      const outcome = await runMade(names.map((name) => fakeStream(name, [], failure)))
      expect(outcome).toMatchObject({ status: 'failed', fault: { kind: 'passing', code: failure.code } })
      const phases = outcome.streams.map(({ progress }) => progress.phase)
      expect(phases.filter((phase) => phase === 'failed').length).toBeLessThanOrEqual(failed)
      expect(phases).toContain('waiting')
    }
    const now = await runMade(
      names.map((name, at) => fakeStream(name, [], at % 3 === 0 ? fault('passing') : undefined)),
    )
    expect(now.streams.filter(({ progress }) => progress.phase === 'done')).toHaveLength(8)
  })

  test('a retry under the same run id skips finished streams', async () => {
    const asked: string[] = []
    const runId = randomUUID()
    const connectorId = randomUUID()
    const streams = (last?: Fault): FakeStream[] =>
      ['done 1', 'done 2', 'third'].map((name) => ({
        ...fakeStream(name, [batch(fakeStream(name).table, [['1']])], name === 'third' ? last : undefined),
        readRequests: asked,
      }))
    await runMade(streams(fault('busy')), { writer: { runId, connectorId, fence: 1 } })
    expect(asked.splice(0).sort()).toEqual(['done 1', 'done 2', 'third'])
    const again = await runMade(streams(), { writer: { runId, connectorId, fence: 2 }, syncMode: 'full' })
    expect(asked.splice(0)).toEqual(['third'])
    expect(again.status).toBe('completed')
    await runMade(streams(), { writer: { runId: randomUUID(), connectorId, fence: 3 }, syncMode: 'full' })
    expect(asked.sort()).toEqual(['done 1', 'done 2', 'third'])
  })

  test('an abort stops a source that never answers within a second, and the run is cancelled', async () => {
    const stop = new AbortController()
    const silent: FakeStream = { ...fakeStream('silent'), hangs: () => stop.abort(new Error('stopped by a person')) }
    const since = performance.now()
    const outcome = await runMade([silent, fakeStream('waits')], { signal: stop.signal })
    expect(performance.now() - since).toBeLessThan(1_000)
    expect(outcome).toMatchObject({ status: 'cancelled', fault: null })
    expect(outcome.streams[0]?.progress.phase).toBe('cancelled')
  })

  test('a run that was declared dead ends with FencedError and reports nothing more', async () => {
    const connectorId = randomUUID()
    await runMade([fakeStream('fenced')], { writer: { connectorId, runId: randomUUID(), fence: 5 } })
    await expect(
      runMade([fakeStream('fenced')], { writer: { connectorId, runId: randomUUID(), fence: 4 } }),
    ).rejects.toBeInstanceOf(FencedError)
  })

  test('an unexpected error is a bug, and its notice does not repeat the message', async () => {
    const outcome = await runMade([fakeStream('unforeseen', [], new Error('password=canary-secret'))])
    expect(outcome.fault).toMatchObject({ kind: 'bug' })
    expect(JSON.stringify(outcome)).not.toContain('canary-secret')
  })
})

function fault(kind: FaultKind): Fault {
  return new Fault(kind, { code: 'test', notice: kind })
}

async function runMade(streams: readonly FakeStream[], request: Partial<SyncRunRequest> = {}): ReturnType<typeof sync> {
  const around = connectionContext(request.signal)
  const properties = { ...pair.properties, 'target.schema': 'made' }
  await using target = await postgresTarget.open(postgresTarget.parse(properties), around)
  // Every run is another connector unless stated, so its tables must not collide.
  if (request.writer === undefined) await pair.target.query('DROP SCHEMA IF EXISTS made CASCADE')
  const writer = { connectorId: randomUUID(), runId: randomUUID(), fence: 1 }
  return await sync({
    source: fakeSource(streams),
    target,
    writer,
    syncMode: 'incremental',
    report: () => {},
    log: () => {},
    clock: around.clock,
    signal: around.signal,
    ...request,
  })
}

async function sourceRows(name: string): Promise<string[]> {
  const found = await pair.source.query<{ row: string }>(`SELECT t::text AS row FROM ${name} AS t ORDER BY 1`)
  return found.rows.map(({ row }) => row)
}

async function makeOther(): Promise<{ client: PostgresPair['source'] } & AsyncDisposable> {
  const { Client } = (await import('pg')).default
  const client = new Client({ ...(pair.properties['source.connectionString'] as object) })
  await client.connect()
  return { client, [Symbol.asyncDispose]: () => client.end() }
}
