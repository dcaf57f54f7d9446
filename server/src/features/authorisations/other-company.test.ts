import { authorisations } from '@tributary/contract/authorisations'
import { connectors } from '@tributary/contract/connectors'
import { accounting } from '@tributary/contract/accounting'
import { runs } from '@tributary/contract/runs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '@tributary/testing/server/connectors/run-driver.ts'
import { openXeroApp, type XeroApp } from '@tributary/testing/server/connectors/xero-app.ts'
import { startWorker } from '../../worker.ts'

let world: XeroApp
let clientId: string
beforeAll(async () => {
  world = await openXeroApp()
  clientId = world.app.harbour.id
})
afterAll(() => world[Symbol.asyncDispose]())

const admin = () => world.app.as.admin

/** Connects the first company, and no other. */
async function connectOne(): Promise<string> {
  await admin().call(connectors.disconnectAll, { params: { clientId } })
  const at = await world.authorise(await world.browserOf(), { tenantIds: [world.tenant(0)] })
  return at.searchParams.get('connected') ?? ''
}

test('another company replaces the previous one only after a confirmation', async () => {
  const connectorId = await connectOne()
  const at = await world.authorise(
    await world.browserOf(),
    { tenantIds: [world.tenant(3)] },
    { connector: connectorId },
  )
  const params = { clientId, authorisationId: at.searchParams.get('authorisation') ?? '' }
  const { body } = await admin().call(authorisations.read, { params })
  const connected = { ConnectorId: connectorId, Name: 'Harbour Trading', TenantName: 'Harbour Trading' }
  expect(body.Reconnects).toEqual({ ...connected, IsShared: false })
  const isFormer = Object.fromEntries(body.Tenants.map((one) => [one.Name, one.IsFormer]))
  expect(isFormer).toEqual({ 'Northside Interiors': false })
  const tenantIds = [world.tenant(3)]
  const refused = await admin().call(authorisations.choose, { params, body: { tenantIds } })
  expect([refused.status, refused.body]).toMatchObject([409, { code: 'otherTenant' }])
  const chosen = await admin().call(authorisations.choose, { params, body: { tenantIds, confirmOther: true } })
  expect(chosen.body).toEqual({ ConnectorIds: [connectorId] })
  expect((await admin().call(authorisations.ofConnector, { params: { clientId, connectorId } })).body).toMatchObject({
    TenantName: 'Northside Interiors',
    Currency: 'GBP',
  })
})

test('another company is read in full by every run until one completes', async () => {
  const connectorId = await connectOne()
  const params = { clientId, connectorId }
  const worker = await startWorker(world.app.services, { pollMs: 200 })
  const readLatestRun = async () => {
    // Skips the pauses between calls.
    world.app.clock.advance(1_000)
    return (await admin().call(runs.list, { params })).body[0]
  }
  const ended = () =>
    until(readLatestRun, (run) => run !== undefined && ['COMPLETED', 'FAILED'].includes(run.Status), 60_000)
  const runAgain = async () => {
    await admin().call(runs.process, { params, body: {} })
    return ended()
  }
  const firstRequest = () =>
    world.xero.requests.find(({ path, tenantId }) => path === 'invoices' && tenantId === world.tenant(3))
  try {
    expect(await ended()).toMatchObject({ Status: 'COMPLETED', Mode: 'incremental' })
    world.xero.faults.inject({ kind: 'reply', path: 'payments', times: 1_000, reply: { status: 400, body: '{}' } })
    const at = await world.authorise(
      await world.browserOf(),
      { tenantIds: [world.tenant(3)] },
      { connector: connectorId },
    )
    const choice = { clientId, authorisationId: at.searchParams.get('authorisation') ?? '' }
    await admin().call(authorisations.choose, {
      params: choice,
      body: { tenantIds: [world.tenant(3)], confirmOther: true },
    })
    expect(await ended()).toMatchObject({ Status: 'FAILED', Mode: 'full' })
    expect(firstRequest()?.since).toBeNull()
    world.xero.faults.clear()
    expect(await runAgain()).toMatchObject({ Status: 'COMPLETED', Mode: 'full' })
    expect(await runAgain()).toMatchObject({ Status: 'COMPLETED', Mode: 'incremental' })
  } finally {
    await worker.stop()
  }
})

test('authorising the replacement company again ends none of its runs', async () => {
  const connectorId = await connectOne()
  const params = { clientId, connectorId }
  const signIn = (tenant: number) =>
    world
      .browserOf()
      .then((browser) => world.authorise(browser, { tenantIds: [world.tenant(tenant)] }, { connector: connectorId }))
  const newest = async () => (await admin().call(runs.list, { params })).body[0]
  const ofFormer = await newest()
  const at = await signIn(3)
  const choice = { clientId, authorisationId: at.searchParams.get('authorisation') ?? '' }
  await admin().call(authorisations.choose, {
    params: choice,
    body: { tenantIds: [world.tenant(3)], confirmOther: true },
  })
  const ofOther = await newest()
  expect(ofOther?.Id).not.toBe(ofFormer?.Id)
  await signIn(3)
  expect(await newest()).toMatchObject({ Id: ofOther?.Id, Status: 'QUEUED' })
})

test('an app cannot be removed while a connector of another organisation uses it', async () => {
  const { clientId: appClient, clientSecret } = world.xero.otherApp
  const body = { type: 'xero', kind: 'app', clientId: appClient, clientSecret } as const
  const { body: added } = await admin().call(authorisations.addApp, { params: { clientId }, body })
  const tenantIds = [world.tenant(1), world.tenant(2)]
  const at = await world.authorise(await world.browserOf(), { tenantIds }, { app: 'own' })
  const choice = { clientId, authorisationId: at.searchParams.get('authorisation') ?? '' }
  const { body: chosen } = await admin().call(authorisations.choose, {
    params: choice,
    body: { tenantIds: [world.tenant(1)] },
  })
  const { superadmin } = world.app.as
  const token = (await superadmin.call(accounting.tokens)).body.find(({ App }) => App === 'own')
  const nowhere = { host: '', database: '', schema: '', user: '', password: '' }
  const assigned = await superadmin.call(accounting.assignTenant, {
    params: { tokenId: token?.id ?? '' },
    body: { tenantId: world.tenant(2), tenantName: '', creds: nowhere, organisationId: world.app.summit.id },
  })
  expect([assigned.status, assigned.body.CompanyName]).toEqual([200, world.xero.companies[2]?.name])
  await admin().call(connectors.remove, { params: { clientId, connectorId: chosen.ConnectorIds[0] ?? '' } })
  expect((await admin().call(authorisations.removeApp, { params: { clientId, appId: added.App.Id } })).status).toBe(409)
})
