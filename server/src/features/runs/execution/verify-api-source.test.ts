/** Verification of a source without SQL by the calls of the portal, against a simulator of its API. */
import { streams } from '@tributary/contract/streams'
import { connectors } from '@tributary/contract/connectors'
import type { RunDetail } from '@tributary/contract/runs'
import { verifications } from '@tributary/contract/verifications'
import { type Cin7Simulator, startCin7 } from '@tributary/sims/cin7/server'
import { tinySize } from '@tributary/testing/engine/apis/simulated-cin7.ts'
import { RunDriver } from '@tributary/testing/server/connectors/run-driver.ts'
import { type SourceDatabase, sourceDatabase } from '@tributary/testing/server/connectors/source-database.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../../kernel/clock.ts'
import { startWorker, type Worker } from '../../../worker.ts'

const callsPerMinute = 6_000

let app: TestApp
let worker: Worker
let cin7: Cin7Simulator
let target: SourceDatabase
let driver: RunDriver
let connectorId: string

beforeAll(async () => {
  cin7 = await startCin7({ clock: systemClock, seed: 31, size: tinySize, limits: { calls: 2 * callsPerMinute } })
  app = await testApp({ env: { TRIBUTARY_LIMITS: 'off', TRIBUTARY_ALLOW_HOSTS: new URL(cin7.url).host } })
  worker = await startWorker({ ...app.services, clock: systemClock }, { leaseMs: 5_000, pollMs: 300 })
  target = await sourceDatabase('SELECT 1')
  driver = new RunDriver(app.as.admin, app.harbour.id, target)
  connectorId = await addStock('Harbour stock', callsPerMinute)
})
afterAll(async () => {
  await worker.stop()
  await app[Symbol.asyncDispose]()
  await cin7.close()
})

/** Each connector has a schema of its name in the target. */
async function addStock(name: string, calls: number): Promise<string> {
  const { body } = await app.as.admin.call(connectors.create, {
    params: { clientId: app.harbour.id },
    body: {
      type: 'cin7',
      name,
      properties: [
        { name: 'cin7.accountId', value: cin7.accountId },
        { name: 'cin7.applicationKey', value: cin7.applicationKey },
        { name: 'cin7.address', value: cin7.url },
        { name: 'cin7.callsPerMinute', value: calls },
        { name: 'target.connectionString', value: { connector: 'postgres', ...target.settings } },
        { name: 'target.schema', value: name.toLowerCase().replaceAll(' ', '_') },
      ],
    },
  })
  return body.Id
}

const params = () => ({ clientId: app.harbour.id, connectorId })
const isOver = ({ Status }: RunDetail) => ['COMPLETED', 'FAILED', 'CANCELLED'].includes(Status)
const read = async () => (await app.as.admin.call(verifications.read, { params: params() })).body
const table = async (name: string) => (await read()).Tables.find((one) => one.Table === name)
const differences = async () =>
  (await app.as.admin.call(verifications.differences, { params: params(), query: {} })).body

async function verify(body: { repair?: boolean; streams?: string[] } = {}): Promise<void> {
  const { status, body: started } = await app.as.admin.call(verifications.start, { params: params(), body })
  expect(status).toBe(202)
  expect(await driver.until({ connectorId, runId: started.RunId }, isOver)).toMatchObject({ Status: 'COMPLETED' })
}

test('[TRUST-5] the first run of a source without SQL gives it a verdict: each table says how many documents were compared, and edits of the target are listed with both values', async () => {
  await driver.runToEnd(connectorId)
  const { Source, Tables } = await read()
  expect(Tables.filter(({ State }) => State !== 'identical')).toEqual([])
  expect(Source).toMatchObject({ Verdict: 'sampled', Verified: Tables.length, Differences: 0 })
  expect(await table('customer')).toMatchObject({
    Method: 'sample',
    Notice: '5 of 5 documents, counts and totals equal.',
  })
  const [stream] = (await app.as.admin.call(streams.list, { params: params() })).body
  expect(stream?.Verification).toMatchObject({ State: 'identical', Method: 'sample' })

  await target.query(
    `UPDATE harbour_stock.customer SET name = 'spoilt' WHERE id = (SELECT min(id::text)::uuid FROM harbour_stock.customer)`,
  )
  await target.query(
    'DELETE FROM harbour_stock.supplier WHERE id = (SELECT min(id::text)::uuid FROM harbour_stock.supplier)',
  )
  await verify({ streams: ['customer', 'supplier'] })
  expect((await read()).Source).toMatchObject({ Verdict: null, Differing: 2, Differences: 2 })
  const found = await differences()
  expect(found.map(({ Table, Kind, Cause, Columns }) => [Table, Kind, Cause, Columns]).toSorted()).toEqual([
    ['customer', 'different', 'writtenAtTarget', [{ Name: 'name', Source: expect.any(String), Target: 'spoilt' }]],
    ['supplier', 'missing', 'unknown', []],
  ])
  await verify({ repair: true, streams: ['customer', 'supplier'] })
  expect((await read()).Source).toMatchObject({ Verdict: 'sampled', Differences: 0 })
  expect(await target.query(`SELECT count(*)::int AS rows FROM harbour_stock.customer WHERE name = 'spoilt'`)).toEqual([
    { rows: 0 },
  ])
})

test('[TRUST-5] what a list without changes cannot decide is decided by the next run, and nothing else is read again after it', async () => {
  await target.query('DELETE FROM harbour_stock.brand WHERE id = (SELECT min(id::text)::uuid FROM harbour_stock.brand)')
  await verify({ streams: ['brand'] })
  expect(await table('brand')).toMatchObject({ State: 'pending' })
  expect((await read()).Source).toMatchObject({ Verdict: null, Differences: 0 })
  const run = await driver.runToEnd(connectorId)
  const verified = run.Lines.filter(({ Text }) => Text.includes('The sample is identical'))
  expect(verified.map(({ Text }) => Text)).toEqual([expect.stringMatching(/^brand: .*counts and totals equal/u)])
  expect(await table('brand')).toMatchObject({ State: 'identical' })
  expect((await read()).Source).toMatchObject({ Verdict: 'sampled' })
})
