/** A sign-in that is for one company, which only the callback names, here of QuickBooks Online. */
import { accounting } from '@tributary/contract/accounting'
import { authorisations } from '@tributary/contract/authorisations'
import { runs } from '@tributary/contract/runs'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { quickBooksDifferences } from '@tributary/testing/engine/described/quickbooks-connector.ts'
import { openQuickBooksApp, type QuickBooksApp } from '@tributary/testing/server/connectors/quickbooks-app.ts'
import { withWarehouseReader } from '@tributary/testing/server/connectors/read-warehouse.ts'
import { forgetSignIns, SignInRig } from '@tributary/testing/server/connectors/sign-in-rig.ts'

let rig: SignInRig<QuickBooksApp>
let world: QuickBooksApp
let clientId: string
beforeAll(async () => {
  rig = await SignInRig.open(await openQuickBooksApp())
  ;({ world, clientId } = rig)
})
afterAll(() => rig[Symbol.asyncDispose]())
beforeEach(() => forgetSignIns(world.app))

const admin = () => world.app.as.admin
const [first, second] = ['4620816365001001', '4620816365001002']

async function connect(realmId: string, query = {}): Promise<string> {
  const at = await world.authorise(realmId, query)
  return at.searchParams.get('connected') ?? `not connected: ${at.href}`
}

function grants() {
  return world.app.store.across((db) => db.selectFrom('oauthGrant').select(['id', 'person', 'name']).execute())
}

test('[SRC-8] [SRC-2] a company is connected at Intuit, and the warehouse has its rows cell for cell', async () => {
  const connectorId = await connect(first)
  expect(await rig.lastRun(connectorId, 1)).toMatchObject({ Status: 'COMPLETED', Notice: null })
  const { body } = await admin().call(authorisations.ofConnector, { params: { clientId, connectorId } })
  expect(body).toMatchObject({ Status: 'ACTIVE', TenantName: 'Harbour Gardens', Country: 'US', App: 'provider' })
  const company = world.quickbooks.companies.get(first)
  if (company === undefined) throw new Error('There is a company.')
  const differences = await withWarehouseReader(world.app, 'harbour_gardens', (there) =>
    quickBooksDifferences(company, there),
  )
  expect(differences).toEqual([])
  const called = world.quickbooks.requests.flatMap(({ target }) => /\/company\/(\d+)\//u.exec(target)?.[1] ?? [])
  expect(new Set(called)).toEqual(new Set([first]))
})

test('[SRC-2] staff of the provider see the one company that a grant is for', async () => {
  await connect(second)
  const [grant] = await grants()
  const { body } = await world.app.as.superadmin.call(accounting.tenants, { params: { tokenId: grant?.id ?? '' } })
  expect(body).toMatchObject([{ tenantId: second, tenantName: 'Bayview Design' }])
})

test('[SRC-2] a second company of the same person has a grant of its own, and the first one continues', async () => {
  const [one, other] = [await connect(first), await connect(second)]
  expect(one).not.toBe(other)
  expect((await grants()).map(({ person }) => person).toSorted()).toEqual([first, second])
  expect(await rig.lastRun(one, 1)).toMatchObject({ Status: 'COMPLETED' })
  expect(await rig.lastRun(other, 1)).toMatchObject({ Status: 'COMPLETED' })
})

test('[SRC-2] [SRC-7] a callback that names another company, or none, stores nothing', async () => {
  const foreign = await world.authorise(first, {}, (callback) => callback.searchParams.set('realmId', second))
  expect(foreign.searchParams.get('error')).toBe('unknown')
  const path = await world.authorise(first, {}, (callback) => callback.searchParams.set('realmId', `${second}/../x`))
  expect(path.searchParams.get('error')).toBe('unknown')
  const none = await world.authorise(first, {}, (callback) => callback.searchParams.delete('realmId'))
  expect(none.searchParams.get('error')).toBe('unknown')
  const declined = await world.authorise(null)
  expect(declined.searchParams.get('error')).toBe('unauthorised')
  expect(await grants()).toEqual([])
})

test('[SRC-2] a company that was disconnected at Intuit stops the connector and says so, and connecting it again continues it', async () => {
  const connectorId = await connect(first)
  await rig.lastRun(connectorId, 1)
  world.quickbooks.identity.revoke(first)
  await admin().call(runs.process, { params: { clientId, connectorId }, body: {} })
  expect(await rig.lastRun(connectorId, 2)).toMatchObject({ Notice: expect.stringContaining('QuickBooks') })
  const { body } = await admin().call(authorisations.ofConnector, { params: { clientId, connectorId } })
  expect(body.Status).not.toBe('ACTIVE')
  expect(await connect(first, { connector: connectorId })).toBe(connectorId)
  expect(await rig.lastRun(connectorId, 3)).toMatchObject({ Status: 'COMPLETED' })
})

// The last test, because sessions end while its clock runs.
test('[SRC-2] the tokens of two companies are renewed apart, each with the refresh token that came last', async () => {
  await connect(first)
  await connect(second)
  const { refreshes } = world.quickbooks.identity
  const before = refreshes.count
  for (let round = 1; round <= 3; round += 1) {
    world.app.clock.advance(2 * 3_600_000)
    for (const { id, person } of await grants()) {
      const token = await world.app.services.oauth.tokens.provide(id).token()
      expect(world.quickbooks.identity.realmOf(token)).toBe(person)
    }
  }
  expect(refreshes.count - before).toBe(6)
})
