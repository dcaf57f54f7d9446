import { alerts } from '@tributary/contract/alerts'
import { runs, type RunDetail } from '@tributary/contract/runs'
import { streams } from '@tributary/contract/streams'
import { verifications } from '@tributary/contract/verifications'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { RunDriver, until } from '@tributary/testing/server/connectors/run-driver.ts'
import { openTransaction } from '@tributary/testing/databases/open-transaction.ts'
import { type SourceDatabase, sourceDatabase } from '@tributary/testing/server/connectors/source-database.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { systemClock } from '../../../kernel/clock.ts'
import { startWorker, type Worker } from '../../../worker.ts'

let app: TestApp
let worker: Worker
let source: SourceDatabase
let target: SourceDatabase
let driver: RunDriver
let connectorId: string
let connectorCount = 0

beforeAll(async () => {
  app = await testApp({ env: { TRIBUTARY_LIMITS: 'off' } })
  worker = await startWorker({ ...app.services, clock: systemClock }, { leaseMs: 5_000, pollMs: 300 })
})
afterAll(async () => {
  await worker.stop()
  await app[Symbol.asyncDispose]()
})
beforeEach(async () => {
  source = await sourceDatabase(`
    CREATE TABLE sale (id int PRIMARY KEY, total numeric(12,2) NOT NULL, note text);
    INSERT INTO sale SELECT n, n / 4.0, 'row ' || n FROM generate_series(1, 500) n`)
  target = await sourceDatabase('SELECT 1')
  driver = new RunDriver(app.as.admin, app.harbour.id, source)
  connectorId = await driver.add(`Shop ${(connectorCount += 1)}`, {}, [
    { name: 'target.connectionString', value: { connector: 'postgres', ...target.settings } },
    { name: 'target.schema', value: 'copy' },
  ])
})

const params = () => ({ clientId: app.harbour.id, connectorId })
const isOver = ({ Status }: RunDetail) => ['COMPLETED', 'FAILED', 'CANCELLED'].includes(Status)

async function verify(body: { repair?: boolean; streams?: string[] } = {}): Promise<RunDetail> {
  const { status, body: started } = await app.as.admin.call(verifications.start, { params: params(), body })
  expect(status).toBe(202)
  return driver.until({ connectorId, runId: started.RunId }, isOver)
}
const read = async () => (await app.as.admin.call(verifications.read, { params: params() })).body
const differences = async () =>
  (await app.as.admin.call(verifications.differences, { params: params(), query: {} })).body

describe('a run that moves rows', () => {
  test('[TRUST-2] [TRUST-5] verifies its tables after its rows are committed, and the source is proven', async () => {
    const run = await driver.runToEnd(connectorId)
    expect(run).toMatchObject({ Status: 'COMPLETED', Mode: 'incremental', RowsWritten: 500 })
    expect(run.Lines.map(({ Text }) => Text)).toContainEqual(expect.stringMatching(/Verified identical, 500 rows/u))
    const { Source, Tables } = await read()
    expect(Source).toMatchObject({ Verdict: 'proven', Tables: 1, Verified: 1, Rows: 500 })
    expect(Tables).toMatchObject([{ State: 'identical', Rows: 500, Method: 'checksums', RowsSoFar: null }])
    const [stream] = (await app.as.admin.call(streams.list, { params: params() })).body
    expect(stream?.Verification).toMatchObject({ State: 'identical', Rows: 500 })
  })

  test('[TRUST-2] does not verify again what is not due, and nothing if it is switched off', async () => {
    await app.as.admin.call(verifications.saveSettings, {
      params: params(),
      body: { schedule: null, secondsAfterRuns: 0 },
    })
    await driver.runToEnd(connectorId)
    expect((await read()).Tables).toMatchObject([{ State: 'none' }])
    await app.as.admin.call(verifications.saveSettings, {
      params: params(),
      body: { schedule: null, secondsAfterRuns: 20 },
    })
    await driver.runToEnd(connectorId)
    const first = (await read()).Source.CheckedAtUtc
    await driver.runToEnd(connectorId)
    expect([(await read()).Source.CheckedAtUtc, (await read()).Source.Verdict]).toEqual([first, 'proven'])
  })
})

describe('a verification on demand', () => {
  test('[TRUST-2] finds a row that was edited in the target, with both values; a repair corrects it and the incident closes', async () => {
    await driver.runToEnd(connectorId)
    await target.query(`UPDATE copy.sale SET note = 'spoilt ' WHERE id = 7; DELETE FROM copy.sale WHERE id = 9`)
    const run = await verify()
    expect(run).toMatchObject({ Status: 'COMPLETED', Mode: 'verify', RowsWritten: 0 })
    expect(run.Streams).toMatchObject([{ Phase: 'done', Notice: expect.stringContaining('2 rows differ') }])
    const found = await differences()
    expect(found.map(({ Kind, Key, Columns }) => [Kind, Key, Columns]).toSorted()).toEqual([
      ['different', { id: '7' }, [{ Name: 'note', Source: 'row 7', Target: 'spoilt ' }]],
      ['missing', { id: '9' }, []],
    ])
    expect(found.map(({ IsRepaired }) => IsRepaired)).toEqual([false, false])
    const incidents = async () =>
      (await app.as.admin.call(alerts.incidents, { params: params() })).body.map(({ Kind, ClosedAtUtc }) => [
        Kind,
        ClosedAtUtc === null,
      ])
    await until(incidents, (all) => all.length > 0)
    expect(await incidents()).toEqual([['verification', true]])
    expect(await verify({ repair: true })).toMatchObject({ Status: 'COMPLETED', Mode: 'repair' })
    expect((await differences()).map(({ IsRepaired }) => IsRepaired)).toEqual([true, true])
    expect((await read()).Tables).toMatchObject([{ State: 'identical', Differences: 0, Repaired: 2 }])
    const rows = await target.query(`SELECT id, note FROM copy.sale WHERE id IN (7, 9) ORDER BY id`)
    expect(rows).toEqual([
      { id: 7, note: 'row 7' },
      { id: 9, note: 'row 9' },
    ])
    await until(incidents, (all) => all.every(([, isOpen]) => isOpen === false))
  })

  test('[TRUST-2] a row that the source changes after the run is not reported as a difference', async () => {
    await driver.runToEnd(connectorId)
    await source.query(`UPDATE sale SET total = 0 WHERE id = 3; INSERT INTO sale VALUES (501, 1, 'new')`)
    await verify({ streams: ['public.sale'] })
    expect(await read()).toMatchObject({ Source: { Differences: 0, Verdict: 'proven' } })
    expect(await differences()).toEqual([])
  })

  test('[TRUST-1] a row that differs is found although a transaction is open at the source, and never called identical after it has ended', async () => {
    await using open = await openTransaction(source.connection)
    await open.query(`UPDATE sale SET note = 'late' WHERE id = 1`)
    await source.query(`UPDATE sale SET note = 'committed' WHERE id = 7`)
    await open.isAlone()
    await driver.runToEnd(connectorId)
    await target.query(`UPDATE copy.sale SET note = 'spoilt' WHERE id = 7`)
    await verify()
    expect((await differences()).map(({ Key, Kind }) => [Key, Kind])).toEqual([[{ id: '7' }, 'different']])
    await verify({ repair: true })
    expect((await read()).Tables).toMatchObject([{ State: 'identical', NewerRows: 0, Repaired: 1 }])
    await target.query(`UPDATE copy.sale SET note = 'spoilt' WHERE id = 7`)
    await open.query('COMMIT')
    await verify()
    const { Source, Tables } = await read()
    expect(Source).toMatchObject({ Verdict: null, NewerRows: 1 })
    expect(Tables).toMatchObject([
      { State: 'pending', NewerRows: 1, Notice: expect.stringMatching(/^1 row differs .* The next run reads/u) },
    ])
    await driver.runToEnd(connectorId)
    expect((await read()).Tables).toMatchObject([{ State: 'identical', NewerRows: 0 }])
  })

  test('[TRUST-2] a source that is gone makes the verification fail, but neither the last run nor its verdict', async () => {
    await driver.runToEnd(connectorId)
    await source.query('DROP TABLE sale')
    const run = await verify()
    expect(run.Status === 'FAILED' || run.Streams.length > 0).toBe(true)
    const list = (await app.as.admin.call(runs.list, { params: params(), query: {} })).body
    expect(list.map(({ Mode, Status }) => [Mode, Status]).at(-1)).toEqual(['incremental', 'COMPLETED'])
    expect((await read()).Tables).toMatchObject([{ ProvenAtUtc: expect.any(String), Differences: 0 }])
  })
})
