/** The sign-in of people at a described source, here Exact Online: plain OAuth 2 without ID tokens, and tokens of ten minutes. */
import { authorisations } from '@tributary/contract/authorisations'
import { connectors } from '@tributary/contract/connectors'
import { runs } from '@tributary/contract/runs'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type ExactApp, openExactApp } from '@tributary/testing/server/connectors/exact-app.ts'
import { withWarehouseReader } from '@tributary/testing/server/connectors/read-warehouse.ts'
import { forgetSignIns, SignInRig } from '@tributary/testing/server/connectors/sign-in-rig.ts'

let rig: SignInRig<ExactApp>
let world: ExactApp
let clientId: string
beforeAll(async () => {
  rig = await SignInRig.open(await openExactApp())
  ;({ world, clientId } = rig)
})
afterAll(() => rig[Symbol.asyncDispose]())
beforeEach(() => forgetSignIns(world.app))

const admin = () => world.app.as.admin

/** Joris sees one company, so that there is no choice. */
async function connectOne(query = {}): Promise<string> {
  const at = await world.authorise({ person: 1 }, query)
  return at.searchParams.get('connected') ?? `not connected: ${at.href}`
}

test('[SRC-2] a person signs in with PKCE, the company is connected, and its rows are read with the token', async () => {
  const connectorId = await connectOne()
  expect(await rig.lastRun(connectorId, 1)).toMatchObject({ Status: 'COMPLETED', Notice: null })
  const { body } = await admin().call(authorisations.ofConnector, { params: { clientId, connectorId } })
  expect(body).toMatchObject({
    Status: 'ACTIVE',
    TenantName: 'Maas Techniek B.V.',
    Country: 'NL',
    Currency: 'EUR',
    EmailAddress: 'joris@books.example',
    App: 'provider',
  })
  const books = world.exact.books.get(103)
  const { columns, rows } = await withWarehouseReader(world.app, 'maas_techniek_b_v', (there) =>
    there.read('transaction_line'),
  )
  const read = rows.map((row) => [row[columns.indexOf('id')], Number(row[columns.indexOf('amount_dc')])])
  const expected = books?.transactionLines.map(({ ID, AmountDC }) => [ID, AmountDC]) ?? []
  expect(read.toSorted()).toEqual(expected.toSorted())
  const companies = world.exact.requests.flatMap(({ target }) => /\/v1\/(\d+)\/sync/u.exec(target)?.[1] ?? [])
  expect(new Set(companies)).toEqual(new Set(['103']))
})

test('[SRC-2] a person who sees several companies chooses, and each chosen one becomes a connector', async () => {
  const at = await world.authorise({ person: 0 })
  const params = { clientId, authorisationId: at.searchParams.get('authorisation') ?? '' }
  const { body } = await admin().call(authorisations.read, { params })
  expect(body.Tenants.map(({ TenantId, Name }) => [TenantId, Name])).toEqual([
    ['101', 'Delft Bloemen B.V.'],
    ['102', 'Delft Bloemen GmbH'],
  ])
  const chosen = await admin().call(authorisations.choose, { params, body: { tenantIds: ['102'] } })
  expect(chosen.body.ConnectorIds).toHaveLength(1)
  const connectorId = chosen.body.ConnectorIds[0] ?? ''
  expect((await admin().call(connectors.read, { params: { clientId, connectorId } })).body.Name).toBe(
    'Delft Bloemen GmbH',
  )
})

test('[SRC-2] a sign-in that was taken back stops the connector and says so, and a new one continues it', async () => {
  const connectorId = await connectOne()
  await rig.lastRun(connectorId, 1)
  const person = world.exact.people[1]
  if (person !== undefined) world.exact.identity.revoke(person)
  await admin().call(runs.process, { params: { clientId, connectorId }, body: {} })
  expect(await rig.lastRun(connectorId, 2)).toMatchObject({ Notice: expect.stringContaining('Exact Online') })
  const { body } = await admin().call(authorisations.ofConnector, { params: { clientId, connectorId } })
  expect(body.Status).not.toBe('ACTIVE')
  expect(await connectOne({ connector: connectorId })).toBe(connectorId)
  expect(await rig.lastRun(connectorId, 3)).toMatchObject({ Status: 'COMPLETED' })
})

test('[SRC-2] denied consent, a wrong state and a code of another browser store nothing', async () => {
  const denied = await world.authorise({ isAllowed: false })
  expect(denied.searchParams.get('error')).toBe('unauthorised')
  const page = await world.startAuthorisation(await world.browserOf())
  const [person] = world.exact.people
  if (person === undefined) throw new Error('There is a person.')
  const callback = world.exact.identity.consent(page.href, person)
  const stranger = await world.browserOf()
  expect((await stranger.open(callback, /\/connectors\//u)).url.searchParams.get('error')).toBe('unknown')
  expect(await world.app.store.across((db) => db.selectFrom('oauthGrant').selectAll().execute())).toEqual([])
})

// The last test, because sessions end while its clock runs.
test('[SRC-2] a token of ten minutes is renewed only when the source allows it, with the refresh token that came last', async () => {
  const connectorId = await connectOne()
  await rig.lastRun(connectorId, 1)
  const { refreshes } = world.exact.identity
  const { tokens } = world.app.services.oauth
  const [grant] = await world.app.store.across((db) => db.selectFrom('oauthGrant').select('id').execute())
  const provider = () => tokens.provide(grant?.id ?? '')
  // That of the run is some time old.
  world.app.clock.advance(600_000)
  await provider().token()
  const before = refreshes.count
  for (let round = 1; round <= 3; round += 1) {
    const early = await provider().token()
    world.app.clock.advance(9 * 60_000)
    expect(await provider().token()).toBe(early)
    world.app.clock.advance(40_000)
    expect(await provider().token()).not.toBe(early)
    expect(refreshes.count - before).toBe(round)
  }
  expect(refreshes.refused).toBe(0)
})
