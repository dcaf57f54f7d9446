import { authorisations } from '@tributary/contract/authorisations'
import { connectors } from '@tributary/contract/connectors'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startWorker } from '../../worker.ts'
import { until } from '@tributary/testing/server/connectors/run-driver.ts'
import { forgetSignIns } from '@tributary/testing/server/connectors/sign-in-rig.ts'
import { openXeroApp, type XeroApp } from '@tributary/testing/server/connectors/xero-app.ts'

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

test('disconnecting closes the connection at the source, and deletes the grant with its last connector, not earlier', async () => {
  const at = await world.authorise(await world.browserOf(), { tenantIds: [world.tenant(0), world.tenant(1)] })
  const params = { clientId, authorisationId: at.searchParams.get('authorisation') ?? '' }
  const { body } = await admin().call(authorisations.choose, {
    params,
    body: { tenantIds: [world.tenant(0), world.tenant(1)] },
  })
  const [first = '', second = ''] = body.ConnectorIds
  const closed = () =>
    world.xero.requests.filter(({ path, status }) => path.startsWith('connections/') && status === 204).length
  const before = closed()
  await admin().call(connectors.remove, { params: { clientId, connectorId: first } })
  await until(
    async () => closed(),
    (count) => count === before + 1,
  )
  expect(await countOf('oauthGrant')).toBe(1)
  expect(await authorisationOf(second)).toMatchObject({ Status: 'ACTIVE' })
  await admin().call(connectors.remove, { params: { clientId, connectorId: second } })
  await until(
    () => countOf('oauthGrant'),
    (count) => count === 0,
  )
  await until(
    async () => closed(),
    (count) => count === before + 2,
  )
  expect(await connectOne(0)).toMatch(/^[0-9a-f-]{36}$/u)
})

test('a connector whose authorisation was revoked is Forbidden, sends one email, and continues after a new authorisation', async () => {
  const connectorId = await connectOne(0)
  world.xero.revoke(0)
  // Its access token stays valid for half an hour.
  world.app.clock.advance(31 * 60_000)
  await admin().signIn()
  const worker = await startWorker(world.app.services, { pollMs: 100 })
  try {
    const seen = await until(
      () => readConnector(connectorId),
      ({ Log }) => Log?.CompletedAtUtc != null,
    )
    expect(seen.Log).toMatchObject({
      HasError: true,
      Forbidden: true,
      Notice: expect.stringContaining('Connect the connector again'),
    })
    await until(
      () =>
        world.app.store.across((db) =>
          db.selectFrom('incident').select('id').where('connectorId', '=', connectorId).execute(),
        ),
      (incidents) => incidents.length === 1,
    )
    const templates = (await world.app.emailsTo('admin@demo.example')).map(({ template }) => template)
    expect(templates.filter((template) => /^(?:authorisation|incident)-/u.test(template))).toEqual([
      'authorisation-ended',
    ])
    expect(await authorisationOf(connectorId)).toMatchObject({ Status: 'DEAD', TenantName: 'Harbour Trading' })
    expect(await connectOne(0, { connector: connectorId })).toBe(connectorId)
    expect(await authorisationOf(connectorId)).toMatchObject({ Status: 'ACTIVE' })
    await until(
      () => {
        // Skips the pauses between calls.
        world.app.clock.advance(1_000)
        return readConnector(connectorId)
      },
      ({ Log, RecentRuns }) => RecentRuns.length === 2 && Log?.CompletedAtUtc != null && !Log.HasError,
    )
  } finally {
    await worker.stop()
  }
})
