/** Connectors whose target is an Iceberg catalog: settings, test, run, and what such a target does not have. */
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { closedPeriods } from '@tributary/contract/closed-periods'
import { connectorProperties } from '@tributary/contract/connector-properties'
import { connectors } from '@tributary/contract/connectors'
import { history } from '@tributary/contract/history'
import { secretMask } from '@tributary/contract/limits'
import { publications } from '@tributary/contract/publications'
import { queries } from '@tributary/contract/queries'
import { reportMarks } from '@tributary/contract/report-marks'
import { type Run, runs } from '@tributary/contract/runs'
import { verifications } from '@tributary/contract/verifications'
import { FolderCatalog } from '@tributary/engine/databases/iceberg/catalog/folder-catalog'
import { type LakeSimulator, startLake } from '@tributary/sims/iceberg/server'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { RunDriver, until } from '@tributary/testing/server/connectors/run-driver.ts'
import { type SourceDatabase, sourceDatabase } from '@tributary/testing/server/connectors/source-database.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../kernel/clock.ts'
import { startWorker, type Worker } from '../../worker.ts'

let app: TestApp
let worker: Worker
let lake: LakeSimulator
let source: SourceDatabase
let driver: RunDriver
let icebergId: string
let folder: string

beforeAll(async () => {
  lake = await startLake({ clock: systemClock, vends: true })
  const hosts = [lake.url, lake.store.url].map((url) => new URL(url).host).join(',')
  folder = await mkdtemp(join(tmpdir(), 'tributary-lake-'))
  app = await testApp({
    env: { TRIBUTARY_LIMITS: 'off', TRIBUTARY_ALLOW_HOSTS: hosts, TRIBUTARY_LAKE_FOLDER: folder },
  })
  worker = await startWorker({ ...app.services, clock: systemClock }, { leaseMs: 5_000, pollMs: 300 })
  source = await sourceDatabase(
    'CREATE TABLE sale (id bigint PRIMARY KEY, amount numeric(19,4)); INSERT INTO sale SELECT n, n / 3.0 FROM generate_series(1, 50) n',
  )
  driver = new RunDriver(app.as.admin, app.harbour.id, source)
  icebergId = await driver.add('Lake shop', {}, lakeSettings())
})
afterAll(async () => {
  await worker.stop()
  await app[Symbol.asyncDispose]()
  await lake.close()
  await rm(folder, { recursive: true })
})

function lakeSettings(change: object = {}) {
  const value = {
    connector: 'iceberg',
    uri: lake.url,
    warehouse: 'main',
    'client-id': lake.clientId,
    'client-secret': lake.clientSecret,
    ...change,
  }
  return [
    { name: 'target.connectionString', value },
    { name: 'target.schema', value: 'shop' },
  ]
}

const at = (connectorId = icebergId) => ({ clientId: app.harbour.id, connectorId })

test('[LAKE-1] the secret of the catalog is masked, and has to be entered again for another address', async () => {
  const { body } = await app.as.admin.call(connectorProperties.list, { params: at() })
  expect(JSON.stringify(body)).not.toContain(lake.clientSecret)
  const moved = lakeSettings({ uri: 'https://other.example.com', 'client-secret': secretMask })
  const reply = await app.as.admin.call(connectorProperties.set, { params: at(), body: moved })
  expect(reply).toMatchObject({ status: 422, body: { code: 'secretNeeded' } })
})

test('[LAKE-1] testing the connection names each step, and the one that fails', async () => {
  const check = async (change: object) => {
    const properties = [{ name: 'source.connectionString', value: source.settings }, ...lakeSettings(change)]
    const { body } = await app.as.admin.call(connectors.check, {
      params: { clientId: app.harbour.id },
      body: { type: 'postgres', properties },
    })
    expect(JSON.stringify(body)).not.toContain(lake.clientSecret)
    return body.filter(({ Side }) => Side === 'target')
  }
  const passed = await check({})
  expect(passed.length).toBeGreaterThan(5)
  expect(new Set(passed.map(({ Outcome }) => Outcome))).toEqual(new Set(['passed']))
  const refused = await check({ 'client-secret': 'wrong' })
  expect(refused.slice(0, 3).map(({ Outcome }) => Outcome)).toEqual(['passed', 'failed', 'skipped'])
})

test('[LAKE-1] a run moves the rows of a source into Iceberg tables, and the connector says that it stores tables only', async () => {
  const run = await driver.runToEnd(icebergId)
  expect(run).toMatchObject({ Status: 'COMPLETED', Notice: null })
  const names = [...lake.tables.keys()].map((name) => name.split('\u001F').join('.'))
  expect(names).toContain('shop.sale')
  const { body } = await app.as.admin.call(connectors.read, { params: at() })
  expect(body.StoresTablesOnly).toBe(true)
  // Cards show no state of a verification that never comes.
  expect(body.Verification.Tables).toBe(0)
  const again = await driver.runToEnd(icebergId)
  expect(again).toMatchObject({ Status: 'COMPLETED' })
})

test('[LAKE-4] a day after rows have been moved a run of the schedule maintains the tables, shows what it did, and the next run continues', async () => {
  await driver.runToEnd(icebergId)
  const plan = await app.store.across((db) =>
    db.selectFrom('connector').select('maintainNextAt').where('id', '=', icebergId).executeTakeFirstOrThrow(),
  )
  const hours = (new Date(plan.maintainNextAt ?? 0).getTime() - Date.now()) / 3_600_000
  expect(hours).toBeGreaterThan(23)
  expect(hours).toBeLessThan(25)
  await app.store.across((db) =>
    db
      .updateTable('connector')
      .set({ maintainNextAt: new Date(0) })
      .where('id', '=', icebergId)
      .execute(),
  )
  const list = async () => (await app.as.admin.call(runs.list, { params: at(), query: {} })).body
  const isMaintained = ({ Mode, Status }: Run) => Mode === 'maintain' && Status === 'COMPLETED'
  const run = (await until(list, (found) => found.some(isMaintained))).find(isMaintained)
  const { Trigger, Lines } = await driver.read({ connectorId: icebergId, runId: run?.Id ?? '' })
  expect(Trigger).toBe('schedule')
  expect(Lines.map(({ Text }) => Text)).toContainEqual(
    expect.stringMatching(/^sale: \d+ small files joined, \d+ old snapshots and \d+ unused files removed\.$/),
  )
  expect(await driver.runToEnd(icebergId)).toMatchObject({ Status: 'COMPLETED', RowsWritten: 0 })
})

test('[LAKE-5] a trial offers a folder of its own for Iceberg tables, in which a run stores them', async () => {
  const types = (await app.as.admin.call(connectors.allTypes, {})).body
  const iceberg = types.find(({ Type }) => Type === 'postgres')?.Targets.find(({ Kind }) => Kind === 'iceberg')
  const fields = iceberg?.Section.Fields ?? []
  expect(fields.find(({ Key }) => Key === 'uri')?.Initial).toBe('folder:')
  const needless = fields.filter(({ HiddenFor }) => HiddenFor?.some(({ Value }) => Value === 'folder:'))
  expect(needless.map(({ Key }) => Key)).toEqual(
    expect.arrayContaining(['warehouse', 'sign-in', 'client-id', 'storage']),
  )
  expect(needless.map(({ Key }) => Key)).not.toContain('changed-rows')
  const id = await driver.add('Folder', {}, folderSettings)
  expect(await driver.runToEnd(id)).toMatchObject({ Status: 'COMPLETED', Notice: null })
  expect(await driver.runToEnd(id)).toMatchObject({ Status: 'COMPLETED' })
  const catalogOf = (organisationId: string) => FolderCatalog.open(join(folder, organisationId), systemClock)
  await using own = await catalogOf(app.harbour.id)
  expect(await own.listTables(['shop'])).toContain('sale')
  const table = await own.loadTable({ namespace: ['shop'], name: 'sale' })
  expect(table?.metadata.snapshots?.at(-1)?.summary['total-records']).toBe('50')
  await using other = await catalogOf(app.summit.id)
  expect(await other.listTables(['shop'])).toEqual([])
})

test('[LAKE-5] without a folder of the provider, the folder is refused and not offered', async () => {
  await using hosted = await testApp({ env: { TRIBUTARY_LIMITS: 'off', TRIBUTARY_LAKE_FOLDER: '' } })
  const types = (await hosted.as.admin.call(connectors.allTypes, {})).body
  expect(JSON.stringify(types)).not.toContain('folder:')
  const properties = [{ name: 'source.connectionString', value: source.settings }, ...folderSettings]
  const { body } = await hosted.as.admin.call(connectors.check, {
    params: { clientId: hosted.harbour.id },
    body: { type: 'postgres', properties },
  })
  expect(body.find(({ Side, Outcome }) => Side === 'target' && Outcome === 'failed')?.Notice).toContain(
    'A folder of the server cannot hold Iceberg tables here',
  )
})

const folderSettings = [
  { name: 'target.connectionString', value: { connector: 'iceberg', uri: 'folder:' } },
  { name: 'target.schema', value: 'shop' },
]

test('[LAKE-1] what needs SQL in the target is refused with the reason', async () => {
  const params = at()
  const admin = app.as.admin
  const noTable = { administratorDate: null, table: { ...columns, stream: 'sale', dateColumn: 'id' } }
  const refused = [
    [await admin.call(history.save, { params, body: { tables: 'all' } }), 'history'],
    [await admin.call(closedPeriods.save, { params, body: { isOn: true, ...noTable } }), 'closed periods'],
    [await admin.call(reportMarks.create, { params, body: { name: 'Q1', periodEnd: '2026-03-31' } }), 'marks'],
    [await admin.call(verifications.start, { params, body: {} }), 'verification'],
    [
      await admin.call(verifications.saveSettings, { params, body: { schedule: '0 3 * * *', secondsAfterRuns: 5 } }),
      'verification',
    ],
  ] as const
  for (const [reply, feature] of refused)
    expect(reply).toMatchObject({
      status: 409,
      body: { code: 'targetTablesOnly', message: expect.stringContaining(`it has no ${feature}`) },
    })
  const switchedOff = await admin.call(history.save, { params, body: { tables: 'none' } })
  expect(switchedOff.status).toBe(200)
  const sets = (await admin.call(publications.list, { params: { clientId: app.harbour.id } })).body
  expect(sets.flatMap(({ Connectors }) => Connectors.map(({ ConnectorId }) => ConnectorId))).not.toContain(icebergId)
  const targets = (await admin.call(queries.targets, { params: { clientId: app.harbour.id } })).body
  expect(targets.map(({ ConnectorId }) => ConnectorId)).not.toContain(icebergId)
  const login = await admin.call(queries.checkLogin, { params: { clientId: app.harbour.id, connectorId: icebergId } })
  expect(login).toMatchObject({ status: 409, body: { code: 'targetTablesOnly' } })
  const other = await admin.call(queries.checkLogin, {
    params: { clientId: app.harbour.id, connectorId: randomUUID() },
  })
  expect(other.status).toBe(404)
})

const columns = { numberColumn: null, accountColumn: null, amountColumn: null }

test('[LAKE-1] a connector that uses what needs SQL cannot change to an Iceberg target', async () => {
  const id = await driver.add('Keeps history')
  await driver.runToEnd(id)
  await app.as.admin.call(history.save, { params: at(id), body: { tables: 'all' } })
  const clientId = app.harbour.id
  const [set] = (await app.as.admin.call(publications.list, { params: { clientId } })).body
  const published = await app.as.admin.call(publications.save, {
    params: { clientId, setId: set?.Id ?? '' },
    body: { connectors: [icebergId], tieOut: 'any', verifiedWithinDays: null, incidentAfterHours: null },
  })
  expect(published).toMatchObject({ status: 409, body: { code: 'targetTablesOnly' } })
  const change = () => app.as.admin.call(connectorProperties.set, { params: at(id), body: lakeSettings() })
  expect(await change()).toMatchObject({
    status: 422,
    body: {
      code: 'settingsWrong',
      fields: { 'target.connectionString.connector': expect.stringContaining('history') },
    },
  })
  await app.as.admin.call(history.save, { params: at(id), body: { tables: 'none' } })
  expect(await change()).toMatchObject({ status: 200 })
  const { body } = await app.as.admin.call(verifications.read, { params: at(id) })
  expect(body.Settings?.Schedule).toBeNull()
})

test('[LAKE-1] members without the right, and members of other organisations, learn nothing of the target', async () => {
  const params = at()
  const body = { tables: 'all' } as const
  expect((await app.as.user.call(history.save, { params, body })).status).toBe(403)
  expect((await app.as.otherAdmin.call(history.save, { params, body })).status).toBe(404)
  expect((await app.as.otherAdmin.call(connectors.read, { params })).status).toBe(404)
})
