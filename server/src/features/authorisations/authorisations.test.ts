import { authorisations } from '@tributary/contract/authorisations'
import { connectors } from '@tributary/contract/connectors'
import { runs } from '@tributary/contract/runs'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startWorker } from '../../worker.ts'
import { findAuditEvents } from '@tributary/testing/server/app/audit-log.ts'
import { until } from '@tributary/testing/server/connectors/run-driver.ts'
import { forgetSignIns } from '@tributary/testing/server/connectors/sign-in-rig.ts'
import { landing, openXeroApp, type XeroApp } from '@tributary/testing/server/connectors/xero-app.ts'

let world: XeroApp
let clientId: string
beforeAll(async () => {
  world = await openXeroApp()
  clientId = world.app.harbour.id
})
afterAll(() => world[Symbol.asyncDispose]())

beforeEach(async () => {
  await forgetSignIns(world.app)
  world.xero.faults.clear()
})

const admin = () => world.app.as.admin

async function connectOne(index = 0, query = {}) {
  const at = await world.authorise(await world.browserOf(), { tenantIds: [world.tenant(index)] }, query)
  return at.searchParams.get('connected') ?? `not connected: ${at.href}`
}

async function readConnector(connectorId: string) {
  return (await admin().call(connectors.read, { params: { clientId, connectorId } })).body
}

async function authorisationOf(connectorId: string) {
  return (await admin().call(authorisations.ofConnector, { params: { clientId, connectorId } })).body
}

async function countOf(table: 'oauthGrant' | 'authorisation' | 'connectorCompany' | 'oauthTenant'): Promise<number> {
  const found = await world.app.store.across((db) => db.selectFrom(table).selectAll().execute())
  return found.length
}

const byAdmin = () => ({ actorId: world.app.idOf('admin'), organisationId: clientId, outcome: 'success' })

test('[ACC-7] authorising one company leads to its connector, whose first run is queued', async () => {
  const at = await world.authorise(await world.browserOf(), { person: 1, tenantIds: [world.tenant(0)] })
  const connectorId = at.searchParams.get('connected') ?? ''
  expect(landing(at)).toEqual(['/connectors/xero/manage', { connected: connectorId, organisation: clientId }])
  expect(await readConnector(connectorId)).toMatchObject({
    Type: 'xero',
    Name: 'Harbour Trading',
    Status: 'CONNECTED',
    Properties: [{ Name: 'portal.user' }],
    RecentRuns: [{ Status: 'QUEUED' }],
  })
  expect(await authorisationOf(connectorId)).toMatchObject({
    Status: 'ACTIVE',
    TenantName: 'Harbour Trading',
    Country: 'NZ',
    Currency: 'NZD',
    EmailAddress: 'ben.hughes@books.example',
    App: 'provider',
    DiesAtUtc: expect.any(String),
    Scopes: expect.arrayContaining(['accounting.invoices.read']),
  })
})

test('[ACC-7] the run then reads the company with the access token, and the rows are in the warehouse', async () => {
  const connectorId = await connectOne(1)
  const worker = await startWorker(world.app.services, { pollMs: 200 })
  try {
    const run = await until(
      async () => (await admin().call(runs.list, { params: { clientId, connectorId } })).body[0],
      (seen) => seen !== undefined && ['COMPLETED', 'FAILED'].includes(seen.Status),
      60_000,
    )
    expect([run?.Status, run?.Notice]).toEqual(['COMPLETED', null])
    expect(run?.RowsWritten).toBeGreaterThan(20)
  } finally {
    await worker.stop()
  }
  const requests = world.xero.requests.filter(({ path }) => path === 'invoices')
  expect(new Set(requests.map(({ tenantId }) => tenantId))).toEqual(new Set([world.tenant(1)]))
  const checks = await admin().call(connectors.check, {
    params: { clientId },
    body: { type: 'xero', connectorId, properties: [] },
  })
  expect(checks.body.filter(({ Side, Outcome }) => Side === 'source' && Outcome === 'failed')).toEqual([])
})

test('[ACC-7] the user chooses among several companies once, and each becomes a connector with an unused name', async () => {
  const browser = await world.browserOf()
  const tenantIds = [world.tenant(0), world.tenant(1), world.tenant(2)]
  const at = await world.authorise(browser, { tenantIds })
  const authorisationId = at.searchParams.get('authorisation') ?? ''
  expect(landing(at)).toEqual(['/connectors/xero/manage', { authorisation: authorisationId, organisation: clientId }])
  const params = { clientId, authorisationId }
  expect((await admin().call(authorisations.read, { params })).body).toEqual({
    Id: authorisationId,
    Type: 'xero',
    Reconnects: null,
    Tenants: [
      { TenantId: tenantIds[0], Name: 'Harbour Trading', Country: 'NZ', Currency: 'NZD', Taken: null, IsFormer: false },
      {
        TenantId: tenantIds[1],
        Name: 'Harbour Trading Australia',
        Country: 'AU',
        Currency: 'AUD',
        Taken: null,
        IsFormer: false,
      },
      { TenantId: tenantIds[2], Name: 'Summit Foods', Country: 'NZ', Currency: 'NZD', Taken: null, IsFormer: false },
    ],
  })
  const chosen = await admin().call(authorisations.choose, { params, body: { tenantIds: tenantIds.slice(1) } })
  expect(chosen.body.ConnectorIds).toHaveLength(2)
  const names = await Promise.all(chosen.body.ConnectorIds.map(async (id) => (await readConnector(id)).Name))
  expect(names).toEqual(['Harbour Trading Australia', 'Summit Foods'])
  expect(
    (await admin().call(authorisations.choose, { params, body: { tenantIds: tenantIds.slice(0, 1) } })).status,
  ).toBe(404)
  expect((await admin().call(authorisations.read, { params })).status).toBe(404)
})

test('[ACC-7] denying consent and opening only taken companies each lead to their message, and nothing is stored', async () => {
  const browser = await world.browserOf()
  expect(landing(await world.authorise(browser, { deny: true }))).toEqual([
    '/connectors/xero/manage',
    { error: 'unauthorised', organisation: clientId },
  ])
  const other = await world.browserOf('admin@other.example')
  const taken = { tenantIds: [world.tenant(0)] }
  const elsewhere = await world.authorise(other, taken, { state: world.app.summit.id })
  expect(elsewhere.searchParams.get('connected')).toEqual(expect.any(String))
  const grants = await countOf('oauthGrant')
  expect(landing(await world.authorise(browser, { person: 2, ...taken }))).toEqual([
    '/connectors/xero/manage',
    { error: 'connector_exists', organisation: clientId },
  ])
  expect([await countOf('oauthGrant'), await countOf('authorisation')]).toEqual([grants, 0])
})

test('[ACC-7] a company of another organisation is shown as taken and cannot be chosen; nothing else about it is revealed', async () => {
  const other = await world.browserOf('admin@other.example')
  await world.authorise(other, { tenantIds: [world.tenant(2)] }, { state: world.app.summit.id })
  const at = await world.authorise(await world.browserOf(), { person: 1 })
  const params = { clientId, authorisationId: at.searchParams.get('authorisation') ?? '' }
  const { body } = await admin().call(authorisations.read, { params })
  expect(body.Tenants.map(({ Name, Taken }) => [Name, Taken])).toEqual([
    ['Harbour Trading', null],
    ['Harbour Trading Australia', null],
    ['Northside Interiors', null],
    ['Summit Foods', 'elsewhere'],
  ])
  const tenantIds = [world.tenant(0), world.tenant(2)]
  const refused = await admin().call(authorisations.choose, { params, body: { tenantIds } })
  expect([refused.status, refused.body]).toMatchObject([
    409,
    { code: 'tenantTaken', message: expect.stringContaining('Summit Foods') },
  ])
  const own = await admin().call(connectors.list, { params: { clientId }, query: { type: 'xero' } })
  expect(own.body.filter(({ Status }) => Status === 'CONNECTED')).toEqual([])
})

test('a reconnected connector keeps its id, its key and its history', async () => {
  const connectorId = await connectOne(0)
  const before = await readConnector(connectorId)
  expect((await admin().send('DELETE', `/api/clients/${world.app.harbour.key}/${before.Key}`)).status).toBe(204)
  expect(await authorisationOf(connectorId)).toMatchObject({
    Status: 'NONE',
    TenantName: 'Harbour Trading',
    App: null,
    Scopes: [],
  })
  const at = await world.authorise(
    await world.browserOf(),
    { tenantIds: [world.tenant(0)] },
    { connector: connectorId },
  )
  expect(landing(at)).toEqual(['/connectors/xero/manage', { connected: connectorId, organisation: clientId }])
  const after = await readConnector(connectorId)
  expect([after.Id, after.Key, after.Status, after.RecentRuns.length]).toEqual([before.Id, before.Key, 'CONNECTED', 2])
  expect((await findAuditEvents(world.app.store, 'connector.reconnected')).at(-1)).toMatchObject({
    ...byAdmin(),
    objectId: connectorId,
  })
})

test('[ACC-7] an organisation’s own app is authorised instead of the provider’s', async () => {
  const { clientId: appClient, clientSecret } = world.xero.otherApp
  const body = { type: 'xero', kind: 'app', clientId: appClient, clientSecret } as const
  const added = await admin().call(authorisations.addApp, { params: { clientId }, body })
  expect([added.status, added.body]).toMatchObject([
    201,
    { App: { Type: 'xero', Kind: 'app', Connectors: 0 }, ConnectorIds: [] },
  ])
  const connectorId = await connectOne(0, { app: 'own' })
  expect(await authorisationOf(connectorId)).toMatchObject({ Status: 'ACTIVE', App: 'own' })
  const { body: apps } = await admin().call(authorisations.apps, { params: { clientId } })
  expect(apps).toMatchObject({
    Provider: ['xero'],
    CustomConnections: ['xero'],
    Own: [{ ClientId: appClient, Connectors: 1 }],
    RedirectAddresses: { xero: `${world.home}/api/authorise/xero/callback` },
  })
  expect(JSON.stringify(apps)).not.toContain(clientSecret)
  const params = { clientId, appId: apps.Own[0]?.Id ?? '' }
  expect((await admin().call(authorisations.removeApp, { params })).status).toBe(409)
  await admin().call(connectors.remove, { params: { clientId, connectorId } })
  expect((await admin().call(authorisations.removeApp, { params })).status).toBe(204)
  expect(await countOf('oauthGrant')).toBe(0)
  const event = { ...byAdmin(), objectId: params.appId }
  expect((await findAuditEvents(world.app.store, 'oauth_app.added')).at(-1)).toMatchObject({
    ...event,
    detail: { type: 'xero', kind: 'app' },
  })
  expect(await findAuditEvents(world.app.store, 'oauth_app.removed')).toMatchObject([event])
})

test('[ACC-7] a custom connection creates its connector immediately, and a new secret keeps the connector', async () => {
  const { machine } = world.xero
  const body = {
    type: 'xero',
    kind: 'machine',
    clientId: machine.clientId,
    clientSecret: machine.clientSecret,
  } as const
  const refused = await admin().call(authorisations.addApp, {
    params: { clientId },
    body: { type: 'exact-online', kind: 'machine', clientId: 'any', clientSecret: 'any' },
  })
  expect(refused).toMatchObject({
    status: 400,
    body: { fields: { kind: expect.stringContaining('no custom connections') } },
  })
  const wrong = await admin().call(authorisations.addApp, {
    params: { clientId },
    body: { ...body, clientSecret: 'something else' },
  })
  expect([wrong.status, wrong.body]).toMatchObject([422, { code: 'sourceRefused' }])
  const { body: added } = await admin().call(authorisations.addApp, { params: { clientId }, body })
  const [connectorId = ''] = added.ConnectorIds
  expect(await authorisationOf(connectorId)).toMatchObject({
    Status: 'ACTIVE',
    App: 'machine',
    TenantName: 'Northside Interiors',
    EmailAddress: null,
    DiesAtUtc: null,
  })
  const again = await admin().call(authorisations.addApp, { params: { clientId }, body })
  expect(again.body.ConnectorIds).toEqual([connectorId])
  const event = { ...byAdmin(), objectId: added.App.Id, detail: { type: 'xero', kind: 'machine' } }
  expect((await findAuditEvents(world.app.store, 'oauth_app.secret_changed')).at(-1)).toMatchObject(event)
  const elsewhere = { params: { clientId: world.app.summit.id }, body }
  expect((await world.app.as.otherAdmin.call(authorisations.addApp, elsewhere)).body).toMatchObject({
    code: 'tenantTaken',
  })
  world.xero.faults.inject({ kind: 'drop', path: 'connect/token', times: 2 })
  const away = await admin().call(authorisations.addApp, { params: { clientId }, body })
  expect([away.status, away.body]).toMatchObject([503, { code: 'sourceAway' }])
})

test('no form can create or reconnect such a connector, or change its company', async () => {
  const created = await admin().call(connectors.create, {
    params: { clientId },
    body: { type: 'xero', name: 'Books', properties: [] },
  })
  expect([created.status, created.body]).toMatchObject([422, { code: 'settingsWrong' }])
  const connectorId = await connectOne(0)
  for (const name of ['xero.tenantId', 'xero.address']) {
    const value = name === 'xero.address' ? 'https://elsewhere.example/' : world.tenant(1)
    const change = await admin().call(connectors.change, {
      params: { clientId, connectorId },
      body: { properties: [{ name, value }] },
    })
    expect([change.status, change.body]).toMatchObject([422, { code: 'settingsWrong' }])
  }
  const { Key } = await readConnector(connectorId)
  await admin().send('DELETE', `/api/clients/${world.app.harbour.key}/${Key}`)
  const change = await admin().call(connectors.change, {
    params: { clientId, connectorId },
    body: { status: 'CONNECTED' },
  })
  expect([change.status, change.body]).toMatchObject([422, { message: expect.stringContaining('signing in') }])
})
