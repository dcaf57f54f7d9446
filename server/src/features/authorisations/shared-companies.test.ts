import { authorisations } from '@tributary/contract/authorisations'
import { auditLog } from '@tributary/contract/audit-log'
import { connectors } from '@tributary/contract/connectors'
import { runs } from '@tributary/contract/runs'
import { tieOut } from '@tributary/contract/tie-out'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withWarehouseReader } from '@tributary/testing/server/connectors/read-warehouse.ts'
import { SignInRig } from '@tributary/testing/server/connectors/sign-in-rig.ts'
import { openXeroApp, type XeroApp } from '@tributary/testing/server/connectors/xero-app.ts'

let rig: SignInRig<XeroApp>
let world: XeroApp
let clientId: string
beforeAll(async () => {
  rig = await SignInRig.open(await openXeroApp())
  ;({ world, clientId } = rig)
})
afterAll(() => rig[Symbol.asyncDispose]())

const admin = () => world.app.as.admin

/** Signs in at Xero with these companies. Returns the id of the choice, or the page's parameters. */
async function signIn(
  companies: readonly number[],
  query: Readonly<Record<string, string>> = {},
): Promise<URLSearchParams> {
  const tenantIds = companies.map((index) => world.tenant(index))
  return (await world.authorise(await world.browserOf(), { tenantIds }, query)).searchParams
}

async function connectShared(companies: readonly number[]): Promise<string> {
  await admin().call(connectors.disconnectAll, { params: { clientId } })
  const authorisationId = (await signIn(companies)).get('authorisation') ?? ''
  const { status, body } = await admin().call(authorisations.choose, {
    params: { clientId, authorisationId },
    body: { tenantIds: companies.map((index) => world.tenant(index)), tables: 'shared' },
  })
  expect([status, body.ConnectorIds.length]).toEqual([200, 1])
  return body.ConnectorIds[0] ?? ''
}

async function companiesOf(connectorId: string): Promise<readonly string[]> {
  const { body } = await admin().call(authorisations.ofConnector, { params: { clientId, connectorId } })
  return body.Companies.map(({ Name, Status }) => `${Name} ${Status}`)
}

const remove = (connectorId: string, index: number, rows: 'leave' | 'stay' = 'leave') =>
  admin().call(authorisations.removeCompany, {
    params: { clientId, connectorId, tenantId: world.tenant(index) },
    query: { rows },
  })

test('[SRC-12] companies chosen for one set of tables become one connector, and each is taken', async () => {
  const connectorId = await connectShared([0, 1, 2])
  expect(await companiesOf(connectorId)).toEqual([
    'Harbour Trading ACTIVE',
    'Harbour Trading Australia ACTIVE',
    'Summit Foods ACTIVE',
  ])
  const other = await world.authorise(
    await world.browserOf('admin@other.example'),
    { tenantIds: [world.tenant(1)] },
    { state: world.app.summit.id },
  )
  expect(other.searchParams.get('error')).toBe('connector_exists')
})

test(
  '[SRC-12] a run moves all companies, one that was disconnected at the source stops no other, and each is compared',
  { timeout: 400_000 },
  async () => {
    const connectorId = await connectShared([0, 1, 2])
    const params = { clientId, connectorId }
    expect(await rig.lastRun(connectorId, 1, 200_000)).toMatchObject({ Status: 'COMPLETED' })
    const compared = (await admin().call(tieOut.latest, { params })).body
    expect(compared?.Companies.map(({ Name, Currency }) => `${Name} ${Currency}`)).toEqual([
      'Harbour Trading NZD',
      'Harbour Trading Australia AUD',
      'Summit Foods NZD',
    ])
    world.xero.disconnect(world.tenant(1))
    await admin().call(runs.process, { params, body: {} })
    expect(await rig.lastRun(connectorId, 2, 200_000)).toMatchObject({ Status: 'FAILED' })
    const after = (await admin().call(tieOut.latest, { params })).body
    expect(after?.Companies.find(({ Name }) => Name === 'Harbour Trading Australia')?.Notice).toMatch(
      /could not be read/u,
    )
    expect((await remove(connectorId, 1)).status).toBe(204)
    await admin().call(runs.process, { params, body: {} })
    expect(await rig.lastRun(connectorId, 3, 200_000)).toMatchObject({ Status: 'COMPLETED' })
  },
)

test(
  '[SRC-12] a company for which no one signs in again after a disconnection keeps its rows, and is named',
  { timeout: 400_000 },
  async () => {
    const connectorId = await connectShared([0, 2])
    expect(await rig.lastRun(connectorId, 1, 200_000)).toMatchObject({ Status: 'COMPLETED' })
    const { Key: schema } = (await admin().call(connectors.read, { params: { clientId, connectorId } })).body
    const rowsByCompany = () =>
      withWarehouseReader(world.app, schema.replaceAll('-', '_'), async ({ read }) => {
        const { columns, rows } = await read('invoice')
        const counts = Map.groupBy(rows, (row) => row[columns.indexOf('company_id')])
        return new Map([...counts].map(([company, { length }]) => [company, length]))
      })
    const before = await rowsByCompany()
    expect(before.size).toBe(2)
    await admin().call(connectors.disconnectAll, { params: { clientId } })
    expect(await companiesOf(connectorId)).toEqual(['Harbour Trading NONE', 'Summit Foods NONE'])
    expect((await signIn([0], { connector: connectorId })).get('connected')).toBe(connectorId)
    expect(await companiesOf(connectorId)).toEqual(['Harbour Trading ACTIVE', 'Summit Foods NONE'])
    const run = await rig.lastRun(connectorId, 2, 200_000)
    expect([run?.Status, run?.Notice]).toEqual(['FAILED', expect.stringContaining('‘Summit Foods’')])
    expect(await rowsByCompany()).toEqual(before)
  },
)

test('[SRC-12] a company is taken off with or without its rows, is free at once, and the last one stays', async () => {
  const connectorId = await connectShared([0, 2, 3])
  expect((await remove(connectorId, 0, 'stay')).status).toBe(204)
  expect(await companiesOf(connectorId)).toEqual([
    'Harbour Trading KEPT',
    'Northside Interiors ACTIVE',
    'Summit Foods ACTIVE',
  ])
  expect((await remove(connectorId, 2)).status).toBe(204)
  expect(await companiesOf(connectorId)).toEqual(['Harbour Trading KEPT', 'Northside Interiors ACTIVE'])
  const last = await remove(connectorId, 3)
  expect([last.status, last.body]).toMatchObject([422, { code: 'settingsWrong' }])
  expect((await remove(connectorId, 2)).status).toBe(404)
  const single = (await signIn([2])).get('connected') ?? ''
  expect((await remove(single, 2)).status).toBe(422)
  const events = (
    await admin().call(auditLog.list, { params: { clientId }, query: { action: 'connector.company_removed' } })
  ).body
  expect(events.slice(0, 2).map(({ Detail }) => Detail)).toMatchObject([
    { company: 'Summit Foods', rows: 'leave' },
    { company: 'Harbour Trading', rows: 'stay' },
  ])
})

test('[SRC-12] signing in again renews every company of the connector, and offers to add others', async () => {
  const connectorId = await connectShared([2, 3])
  const authorisationId = (await signIn([2, 3, 0], { connector: connectorId })).get('authorisation') ?? ''
  const params = { clientId, authorisationId }
  const { body } = await admin().call(authorisations.read, { params })
  expect(body.Reconnects).toMatchObject({ ConnectorId: connectorId, IsShared: true })
  expect(body.Tenants.map(({ Name, Taken }) => [Name, Taken])).toEqual([
    ['Harbour Trading', null],
    ['Northside Interiors', 'here'],
    ['Summit Foods', 'here'],
  ])
  const chosen = await admin().call(authorisations.choose, { params, body: { tenantIds: [world.tenant(0)] } })
  expect(chosen.body).toEqual({ ConnectorIds: [connectorId] })
  expect(await companiesOf(connectorId)).toHaveLength(3)
  expect((await signIn([0, 2, 3], { connector: connectorId })).get('connected')).toBe(connectorId)
})

test('[SRC-12] a connector of another organisation is not found', async () => {
  const connectorId = await connectShared([0, 2])
  const { status } = await world.app.as.otherAdmin.call(authorisations.removeCompany, {
    params: { clientId: world.app.summit.id, connectorId, tenantId: world.tenant(0) },
  })
  expect(status).toBe(404)
  expect(await companiesOf(connectorId)).toHaveLength(2)
})
