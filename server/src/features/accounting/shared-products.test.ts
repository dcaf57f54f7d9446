/** A product of several companies that two people have signed in, seen by the pages of products and of tokens. */
import { accounting } from '@tributary/contract/accounting'
import { authorisations } from '@tributary/contract/authorisations'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sourceDatabase } from '@tributary/testing/server/connectors/source-database.ts'
import { connectByTwoSignIns } from '@tributary/testing/server/connectors/two-sign-ins.ts'
import { openXeroApp, type XeroApp } from '@tributary/testing/server/connectors/xero-app.ts'

const names = 'Harbour Trading, Harbour Trading Australia, Summit Foods'

let world: XeroApp
let clientId: string
let connectorId: string
beforeAll(async () => {
  world = await openXeroApp()
  clientId = world.app.harbour.id
  connectorId = await connectByTwoSignIns(world)
})
afterAll(() => world[Symbol.asyncDispose]())

const admin = () => world.app.as.admin
const superadmin = () => world.app.as.superadmin

/** Cancels the runs, which these tests do not need. */
async function endRuns(): Promise<void> {
  await world.app.store.across((db) =>
    db.updateTable('run').set({ status: 'CANCELLED', completedAt: new Date() }).execute(),
  )
}

async function tokenOf(person: number) {
  const { body } = await superadmin().call(accounting.tokens)
  const token = body.find(({ email }) => email === world.xero.people[person]?.email)
  if (token === undefined) throw new Error(`Person ${person} has no token.`)
  return token
}

const authorisation = async () =>
  (await admin().call(authorisations.ofConnector, { params: { clientId, connectorId } })).body

test('[SRC-12] [ACC-3] products and assignments name every company, and people without a right to the product see none', async () => {
  const mine = async (speaker: 'admin' | 'user' | 'guest' | 'otherAdmin') => {
    const { body } = await world.app.as[speaker].call(accounting.mine)
    return body.map(({ CompanyName }) => CompanyName)
  }
  const userId = world.app.idOf('user')
  expect(await mine('admin')).toEqual([names])
  for (const speaker of ['user', 'guest', 'otherAdmin'] as const) expect(await mine(speaker)).toEqual([])
  await admin().call(accounting.linkUser, { params: { userId }, body: { xero2SqlProductId: connectorId } })
  expect(await mine('user')).toEqual([names])
  const members = (await admin().call(accounting.users)).body
  expect(members.find(({ Id }) => Id === userId)?.Xero2SqlProducts).toEqual([{ Id: connectorId, CompanyName: names }])
  const other = await world.app.as.otherAdmin.call(accounting.users)
  expect(other.body.flatMap(({ Xero2SqlProducts }) => Xero2SqlProducts)).toEqual([])
})

test('[SRC-12] the expiry of a connector is that of the sign-in that ends first, whichever company it reads', async () => {
  world.app.clock.advance(3 * 86_400_000)
  await admin().signIn()
  await superadmin().signIn()
  const tenantIds = [world.tenant(0), world.tenant(1)]
  await world.authorise(await world.browserOf(), { person: 0, tenantIds }, { connector: connectorId })
  const [first, later] = [(await tokenOf(1)).DiesAtUtc, (await tokenOf(0)).DiesAtUtc]
  expect(Date.parse(later ?? '') - Date.parse(first ?? '')).toBeGreaterThan(2 * 86_400_000)
  expect((await authorisation()).DiesAtUtc).toBe(first)
})

test('[SRC-12] [ACC-1] the tables of a product of several companies are made with the column of the company, by the token of any of them', async () => {
  const { settings, query } = await sourceDatabase('SELECT 1')
  const { host, port, user, password, database } = settings as Readonly<Record<string, string>>
  const place = { connector: 'postgres', host: `${host}:${port}`, database, schema: 'books', user, password }
  const creds = { ...place, encryption: 'off' as const }
  const saved = await admin().call(accounting.saveCredentials, {
    params: { connectorId },
    body: { tenantId: world.tenant(2), creds },
  })
  expect([saved.status, saved.body.tenantName]).toEqual([200, names])
  await endRuns()
  const params = { tokenId: (await tokenOf(1)).id }
  const { body } = await superadmin().call(accounting.syncTables, { params })
  expect(body).toMatchObject([{ ProductId: connectorId, CompanyName: names, Notice: null }])
  expect(await query('SELECT company_id, invoice_id FROM books.invoice')).toEqual([])
  for (const speaker of ['provideradmin', 'admin', 'user', 'guest', 'otherAdmin'] as const) {
    await world.app.as[speaker].signIn()
    expect((await world.app.as[speaker].call(accounting.syncTables, { params })).status).toBe(403)
  }
})

test('[SRC-12] [ACC-1] a token that is assigned to one company of a connector reads that company alone', async () => {
  // The second person gets access to a company that the first one has connected.
  await world.authorise(await world.browserOf(), { person: 1, tenantIds: [world.tenant(1)] })
  const { id: tokenId } = await tokenOf(1)
  const blank = { host: '', database: '', schema: '', user: '', password: '' }
  const body = { tenantId: world.tenant(1), tenantName: '', creds: blank }
  const assign = (organisationId: string) =>
    superadmin().call(accounting.assignTenant, { params: { tokenId }, body: { ...body, organisationId } })
  expect((await assign(world.app.summit.id)).status).toBe(409)
  const assigned = await assign(clientId)
  expect([assigned.status, assigned.body.Id, assigned.body.CompanyName]).toEqual([200, connectorId, names])
  world.xero.revoke(1)
  // The access token stays valid for half an hour.
  world.app.clock.advance(31 * 60_000)
  await superadmin().signIn()
  await superadmin().call(accounting.tenants, { params: { tokenId } })
  await admin().signIn()
  const { Status, DiesAtUtc, Companies } = await authorisation()
  expect(Companies.map(({ Name, Status: status }) => `${Name} ${status}`)).toEqual([
    'Harbour Trading ACTIVE',
    'Harbour Trading Australia DEAD',
    'Summit Foods DEAD',
  ])
  expect([Status, DiesAtUtc]).toEqual(['ACTIVE', (await tokenOf(0)).DiesAtUtc])
})
