/** From each source that is really here, or simulated (Xero, where people sign in: from-xero.test.ts), into the organisation's warehouse by the calls of the portal, every cell compared through the reader's login. */
import { connectors } from '@tributary/contract/connectors'
import { licences } from '@tributary/contract/licences'
import { streams } from '@tributary/contract/streams'
import { tieOut } from '@tributary/contract/tie-out'
import { cin7Differences } from '@tributary/testing/engine/apis/cin7-connector.ts'
import { type TableContents, type EndKind, makeEnd } from '@tributary/testing/engine/databases/database-ends.ts'
import { tinySize as tinyCin7 } from '@tributary/testing/engine/apis/simulated-cin7.ts'
import { tinySize as tinyUniconta } from '@tributary/testing/engine/apis/simulated-uniconta.ts'
import { unicontaDifferences } from '@tributary/testing/engine/apis/uniconta-connector.ts'
import { type Cin7Simulator, startCin7 } from '@tributary/sims/cin7/server'
import { startUniconta, type UnicontaSimulator } from '@tributary/sims/uniconta/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { economicDifferences, economicSettings } from '@tributary/testing/engine/described/economic-connector.ts'
import { type EconomicSimulator, startEconomic } from '@tributary/sims/e-conomic/server'
import { stripeDifferences } from '@tributary/testing/engine/described/stripe-connector.ts'
import { businessCentralDifferences } from '@tributary/testing/engine/described/business-central.ts'
import { type BusinessCentral, startBusinessCentral } from '@tributary/sims/business-central/server'
import { startStripe, type StripeSimulator } from '@tributary/sims/stripe/server'
import { systemClock } from '../../kernel/clock.ts'
import { listBundles } from '../../connections/connectors/connector-licences.ts'
import { RunDriver, type ConnectorSetting } from '@tributary/testing/server/connectors/run-driver.ts'
import { sourceDatabase } from '@tributary/testing/server/connectors/source-database.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { withWarehouseReader } from '@tributary/testing/server/connectors/read-warehouse.ts'
import { startWorker, type Worker } from '../../worker.ts'

const callsPerMinute = 6_000

let app: TestApp
let worker: Worker
let driver: RunDriver
let businessCentral: BusinessCentral
let cin7: Cin7Simulator
let economic: EconomicSimulator
let stripe: StripeSimulator
let uniconta: UnicontaSimulator
beforeAll(async () => {
  const simulated = { clock: systemClock, seed: 31 }
  ;[businessCentral, cin7, economic, stripe, uniconta] = await Promise.all([
    startBusinessCentral({ ...simulated, documents: 30, companies: ['Fjord A/S', 'Fjord GmbH'] }),
    // Another account than in other tests: calls with one key share one rate within a process.
    startCin7({ ...simulated, seed: 48, size: tinyCin7, limits: { calls: 2 * callsPerMinute } }),
    startEconomic({ ...simulated, size: 40 }),
    startStripe({ ...simulated, size: 30 }),
    startUniconta({ ...simulated, size: tinyUniconta, companies: 1 }),
  ])
  const allowed = [businessCentral.url, cin7.url, economic.url, stripe.url, uniconta.url].map(
    (url) => new URL(url).host,
  )
  app = await testApp({ env: { TRIBUTARY_ALLOW_HOSTS: allowed.join() } })
  driver = new RunDriver(app.as.admin, app.harbour.id, await sourceDatabase('SELECT 1'))
  worker = await startWorker({ ...app.services, clock: systemClock }, { leaseMs: 5_000, pollMs: 300 })
})
afterAll(async () => {
  await worker.stop()
  await app[Symbol.asyncDispose]()
  await Promise.all([businessCentral.close(), cin7.close(), economic.close(), stripe.close(), uniconta.close()])
})

/** A connector with every licence that its type has. */
async function add(type: string, properties: Readonly<Record<string, unknown>>): Promise<string> {
  const settings: ConnectorSetting[] = Object.entries(properties).map(([name, value]) => ({ name, value }))
  const { body: made } = await app.as.admin.call(connectors.create, {
    params: { clientId: app.harbour.id },
    body: { type, name: `From ${type}`, properties: settings },
  })
  const sold = listBundles(type).flatMap(({ id, base }) => (base ? [] : [id]))
  const params = { clientId: app.harbour.id, connectorId: made.Id }
  expect((await app.as.superadmin.call(licences.save, { params, body: { licences: sold } })).status).toBe(200)
  return made.Id
}

async function expectRun(connectorId: string): Promise<void> {
  expect(await driver.runToEnd(connectorId)).toMatchObject({ Status: 'COMPLETED', RowsRejected: 0, Notice: null })
}

const inOrder = ({ columns, rows }: TableContents) => ({
  columns,
  rows: rows.map((row) => JSON.stringify(row)).toSorted(),
})

test.each(['postgres', 'mysql'] as const satisfies readonly EndKind[])(
  '[ENG-1] [ENG-3] a %s source stands in the warehouse cell for cell, and so do its changes, deletes and new columns',
  async (kind) => {
    await using source = await makeEnd(kind, 'source')
    const q = (name: string): string => source.quote(name)
    const kept =
      kind === 'mysql' ? ', kept TIMESTAMP(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6) ON UPDATE CURRENT_TIMESTAMP(6)' : ''
    const moment = kind === 'mysql' ? 'datetime(6)' : 'timestamp'
    await source.run(
      `CREATE TABLE ${q('order')} (${q('select')} varchar(20) PRIMARY KEY, ${q('Größe, in')} decimal(38,9), at ${moment}${kept})`,
    )
    await source.run(
      `INSERT INTO ${q('order')} (${q('select')}, ${q('Größe, in')}, at) VALUES ('a', 12345678901234567890123456789.123456789, '1969-07-20 20:17:40.123456'), ('it''s 🦀', NULL, NULL), ('', -0.000000001, '1000-01-01 00:00:00')`,
    )
    await source.run('CREATE TABLE nothing (id integer PRIMARY KEY)')
    await source.run('CREATE TABLE keyless (a integer)')
    await source.run('INSERT INTO keyless VALUES (1), (1), (NULL)')
    const id = await add(kind, source.properties)
    const expectEqual = async (): Promise<void> => {
      await expectRun(id)
      await withWarehouseReader(app, `from_${kind}`, async (there) => {
        for (const table of ['order', 'nothing', 'keyless'])
          expect([table, inOrder(await there.read(table))]).toEqual([table, inOrder(await source.read(table))])
      })
    }
    await expectEqual()
    await expectEqual()
    await source.run(`UPDATE ${q('order')} SET ${q('select')} = 'another' WHERE ${q('select')} = 'a'`)
    await source.run(`DELETE FROM ${q('order')} WHERE ${q('select')} = ''`)
    await source.run(`ALTER TABLE ${q('order')} ADD COLUMN ${q('später')} varchar(9) DEFAULT 'neu'`)
    await source.run('DELETE FROM keyless')
    await expectEqual()
  },
)

test('[ENG-1] [ENG-3] a cin7 source stands in the warehouse cell for cell, and so do its changes', async () => {
  const { accountId, applicationKey, url } = cin7
  const id = await add('cin7', {
    'cin7.accountId': accountId,
    'cin7.applicationKey': applicationKey,
    'cin7.address': url,
    'cin7.callsPerMinute': callsPerMinute,
  })
  for (let times = 0; times < 2; times += 1) {
    await expectRun(id)
    expect(await withWarehouseReader(app, 'from_cin7', (there) => cin7Differences(cin7, there))).toEqual([])
    const [sale] = cin7.company.sales
    const [product] = cin7.company.products
    Object.assign(sale ?? {}, { note: 'Looked at again', updatedAt: systemClock.now() })
    Object.assign(product ?? {}, { priceCents: 4_711, modifiedAt: systemClock.now() })
  }
})

test('[ENG-1] [ENG-3] a uniconta source stands in the warehouse cell for cell, and so do its changes', async () => {
  const { username, password, url } = uniconta
  const id = await add('uniconta', {
    'uniconta.username': username,
    'uniconta.password': password,
    'uniconta.address': url,
  })
  for (let times = 0; times < 2; times += 1) {
    await expectRun(id)
    expect(await withWarehouseReader(app, 'from_uniconta', (there) => unicontaDifferences(uniconta, there))).toEqual([])
    for (let step = 0; step < 5; step += 1) uniconta.tick()
  }
})

test('[SRC-8] [ENG-1] the companies of a business central source stand in the warehouse cell for cell, and tie out to 0.00', async () => {
  const { tenant, environment, client, secret, url } = businessCentral
  const settings = { tenant, environment, client, secret, address: url }
  const id = await add(
    'business-central',
    Object.fromEntries(Object.entries(settings).map(([name, value]) => [`business-central.${name}`, value])),
  )
  for (let times = 0; times < 2; times += 1) {
    await expectRun(id)
    expect(
      await withWarehouseReader(app, 'from_business_central', (there) =>
        businessCentralDifferences(businessCentral, there),
      ),
    ).toEqual([])
    for (let step = 0; step < 5; step += 1) businessCentral.tick()
  }
  const { body } = await app.as.admin.call(tieOut.latest, { params: { clientId: app.harbour.id, connectorId: id } })
  expect(body).toMatchObject({ State: 'green', Company: '2 companies' })
})

test('[SRC-8] [ENG-1] a stripe source stands in the warehouse cell for cell, and the list of tables says how each is read', async () => {
  const id = await add('stripe', { 'stripe.key': stripe.key, 'stripe.address': stripe.url })
  for (let times = 0; times < 2; times += 1) {
    await expectRun(id)
    expect(await withWarehouseReader(app, 'from_stripe', (there) => stripeDifferences(stripe, there))).toEqual([])
    for (let step = 0; step < 5; step += 1) stripe.tick()
  }
  const params = { clientId: app.harbour.id, connectorId: id }
  const { body } = await app.as.admin.call(streams.list, { params })
  const why = Object.fromEntries(body.map(({ Name, Why }) => [Name, Why]))
  expect(why['customer']).toMatch(/^Changes: rows that events of Stripe name.* Deletions: Stripe reports them/u)
  expect(why['charge']).toContain('Deletions: none. Stripe keeps every charge.')
  expect(why['coupon']).toContain('every run reads all of them')
})

test('[SRC-8] [ENG-1] an e-conomic source stands in the warehouse cell for cell', async () => {
  const id = await add('e-conomic', economicSettings(economic))
  // Its first run also compares samples, with a quarter of the calls that e-conomic allows.
  const run = await driver.until(
    await driver.start(id),
    ({ Status }) => Status !== 'QUEUED' && Status !== 'RUNNING',
    90_000,
  )
  expect(run).toMatchObject({ Status: 'COMPLETED', RowsRejected: 0, Notice: null })
  expect(await withWarehouseReader(app, 'from_e_conomic', (there) => economicDifferences(economic, there))).toEqual([])
}, 120_000)
