import { randomUUID } from 'node:crypto'
import { connectors } from '@tributary/contract/connectors'
import type { FaultReply } from '@tributary/contract/faults'
import { accounting, type AccountingProduct } from '@tributary/contract/accounting'
import { runs } from '@tributary/contract/runs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemClock } from '../../kernel/clock.ts'
import { findAuditEvents } from '@tributary/testing/server/app/audit-log.ts'
import { until } from '@tributary/testing/server/connectors/run-driver.ts'
import { sourceDatabase } from '@tributary/testing/server/connectors/source-database.ts'
import { openXeroApp, type XeroApp } from '@tributary/testing/server/connectors/xero-app.ts'
import { startWorker } from '../../worker.ts'

let world: XeroApp
/** A grant for three companies, of which the first is a connector of Harbour Trading. */
let tokenId: string
beforeEach(async () => {
  world = await openXeroApp()
  const browser = await world.browserOf()
  await world.authorise(browser, { person: 1, tenantIds: [world.tenant(0)] })
  await world.authorise(browser, { person: 1, tenantIds: [world.tenant(0), world.tenant(1), world.tenant(2)] })
  tokenId = (await superadmin().call(accounting.tokens)).body[0]?.id ?? ''
})
afterEach(() => world[Symbol.asyncDispose]())

const superadmin = () => world.app.as.superadmin
const bySuperadmin = () => ({ actorId: world.app.idOf('superadmin'), outcome: 'success' })
const blank = { host: '', database: '', schema: '', user: '', password: '' }

async function postgres(schema: string) {
  const { settings, query } = await sourceDatabase('SELECT 1')
  const { host, port, user, password, database } = settings as Readonly<Record<string, string>>
  return {
    creds: { connector: 'postgres', host: `${host}:${port}`, database, schema, user, password, encryption: 'off' },
    query,
  }
}

function assign(index: number, organisationId: string, creds: object = blank) {
  const body = { tenantId: world.tenant(index), tenantName: 'As it was shown', creds, organisationId }
  return superadmin().send<AccountingProduct & FaultReply>('PATCH', `/api/token/${tokenId}`, { body })
}

async function tenants() {
  return (await superadmin().call(accounting.tenants, { params: { tokenId } })).body
}

/** Cancels the runs, which these tests do not need. */
async function endRuns(): Promise<void> {
  await world.app.store.across((db) =>
    db.updateTable('run').set({ status: 'CANCELLED', completedAt: new Date() }).execute(),
  )
}

test('[ACC-1] [API-1 GET /token] a superadmin sees each grant with its address, and no other role sees any', async () => {
  const { body } = await superadmin().call(accounting.tokens)
  const person = world.xero.people[1]
  expect(body).toEqual([
    {
      id: tokenId,
      email: person?.email,
      xero_userid: person?.id,
      name: `${person?.firstName} ${person?.lastName}`,
      Status: 'ACTIVE',
      App: 'provider',
      DiesAtUtc: expect.any(String),
    },
  ])
  expect(Math.round((Date.parse(body[0]?.DiesAtUtc ?? '') - world.app.clock.now()) / 86_400_000)).toBe(60)
  for (const speaker of ['provideradmin', 'admin', 'user', 'guest'] as const) {
    expect((await world.app.as[speaker].call(accounting.tokens)).status).toBe(403)
    expect((await world.app.as[speaker].call(accounting.tenants, { params: { tokenId } })).status).toBe(403)
    const body2 = { tenantId: world.tenant(1), tenantName: 'x', creds: blank, organisationId: world.app.harbour.id }
    expect(
      (await world.app.as[speaker].call(accounting.assignTenant, { params: { tokenId }, body: body2 })).status,
    ).toBe(403)
    expect((await world.app.as[speaker].call(accounting.syncTables, { params: { tokenId } })).status).toBe(403)
  }
  expect((await superadmin().call(accounting.tenants, { params: { tokenId: randomUUID() } })).status).toBe(404)
})

test('[ACC-1] [API-1 GET /token/{id}] the companies of a token are the source’s current ones, with the product of each', async () => {
  const names = world.xero.companies.slice(0, 3).map(({ name }) => name)
  const companies = await tenants()
  expect(companies.map(({ tenantName }) => tenantName).toSorted()).toEqual(names.toSorted())
  const [first, second] = [0, 1].map((index) => companies.find(({ tenantId }) => tenantId === world.tenant(index)))
  expect(first).toMatchObject({
    creds: { ...blank },
    CompanyName: 'Harbour Trading',
    ProductId: expect.any(String),
    xero_userid: world.xero.people[1]?.id,
  })
  expect(second).toMatchObject({ creds: null, CompanyName: null, ProductId: null, Country: expect.any(String) })
  world.xero.disconnect(world.tenant(2))
  expect(await tenants()).toHaveLength(2)
  world.xero.faults.inject({ kind: 'reply', path: 'connections', times: 50, reply: { status: 503, body: '' } })
  const away = await superadmin().send<FaultReply>('GET', `/api/token/${tokenId}`)
  expect([away.status, away.body.code]).toEqual([503, 'sourceAway'])
  world.xero.faults.clear()
})

test('[ACC-1] [API-1 PATCH /token/{id}] a company becomes a product of the given organisation, and its rows are written to the entered database', async () => {
  const { creds, query } = await postgres('books')
  const assigned = await assign(1, world.app.summit.id, creds)
  expect([assigned.status, assigned.body]).toMatchObject([
    200,
    {
      CompanyName: world.xero.companies[1]?.name,
      Type: 'xero',
      Status: 'CONNECTED',
      TieOut: null,
      Log: { HasError: false },
    },
  ])
  const { Id: connectorId } = assigned.body
  const params = { clientId: world.app.summit.id, connectorId }
  const { body: connector } = await world.app.as.otherAdmin.call(connectors.read, { params })
  expect(connector).toMatchObject({ Name: world.xero.companies[1]?.name, Status: 'CONNECTED' })
  expect((await world.app.as.admin.call(connectors.find, { params: { connectorId } })).status).toBe(404)
  const worker = await startWorker({ ...world.app.services, clock: systemClock }, { pollMs: 300 })
  const run = await until(
    async () => (await world.app.as.otherAdmin.call(runs.list, { params })).body[0],
    (seen) => seen?.Status === 'COMPLETED' || seen?.Status === 'FAILED',
    60_000,
  )
  await worker.stop()
  expect(run).toMatchObject({ Status: 'COMPLETED', RowsRejected: 0, TieOut: 'green' })
  expect(Number((await query<{ count: string }>('SELECT count(*) FROM books.invoice'))[0]?.count)).toBeGreaterThan(0)

  const again = await assign(1, world.app.summit.id)
  expect([again.status, again.body.Id]).toEqual([200, connectorId])
  const detail = { tenantId: world.tenant(1), tokenId }
  const event = { ...bySuperadmin(), organisationId: world.app.summit.id, objectId: connectorId, detail }
  expect(await findAuditEvents(world.app.store, 'product.assigned')).toMatchObject([event, event])
  expect((await tenants()).find(({ tenantId }) => tenantId === world.tenant(1))?.creds).toMatchObject({ host: '' })
  const taken = await assign(1, world.app.harbour.id)
  expect([taken.status, taken.body.code, taken.body.message]).toEqual([
    409,
    'tenantTaken',
    `${world.xero.companies[1]?.name} is connected already, here or by another organisation. Disconnect it there first.`,
  ])
})

test('[ACC-1] a company that the token does not reach is refused, and nothing is created', async () => {
  world.xero.disconnect(world.tenant(2))
  for (const tenantId of [world.tenant(2), randomUUID()]) {
    const body = { tenantId, tenantName: 'Not ours', creds: blank, organisationId: world.app.summit.id }
    const refused = await superadmin().send<FaultReply>('PATCH', `/api/token/${tokenId}`, { body })
    expect([refused.status, Object.keys(refused.body.fields ?? {})]).toEqual([400, ['tenantId']])
  }
  const wrong = await assign(1, world.app.summit.id, { ...blank, host: 'db.example.com' })
  expect([wrong.status, Object.keys(wrong.body.fields ?? {})]).toEqual([400, ['database', 'user', 'password']])
  expect(
    (await world.app.as.otherAdmin.call(connectors.list, { params: { clientId: world.app.summit.id } })).body,
  ).toEqual([])
})

test('[ACC-1] of two concurrent assignments of a company one succeeds', async () => {
  const replies = await Promise.all([assign(1, world.app.summit.id), assign(1, world.app.harbour.id)])
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409])
})

test('[ACC-1] assigning a disconnected company again reuses its connector', async () => {
  const { body: made } = await assign(1, world.app.summit.id)
  await world.app.as.otherAdmin.call(connectors.disconnectAll, { params: { clientId: world.app.summit.id } })
  // Two new companies need a choice, so that neither is connected automatically.
  await world.authorise(await world.browserOf(), { person: 1, tenantIds: [world.tenant(1), world.tenant(2)] })
  await endRuns()
  const { status, body } = await assign(1, world.app.summit.id)
  expect([status, body.Id, body.Status]).toEqual([200, made.Id, 'CONNECTED'])
})

test('[ACC-1] a revoked grant is reported as dead, with the reason', async () => {
  world.xero.revoke(1)
  world.app.clock.advance(20 * 60_000)
  await superadmin().signIn()
  const refused = await superadmin().send<FaultReply>('GET', `/api/token/${tokenId}`)
  expect([refused.status, refused.body.code]).toEqual([422, 'sourceRefused'])
  expect(refused.body.message).toContain('no longer accepts Tributary’s authorisation')
  expect((await superadmin().call(accounting.tokens)).body).toMatchObject([{ Status: 'DEAD', DiesAtUtc: null }])
})

test('[ACC-1] [API-1 GET /token/{id}/sync-tables] the tables of each product are created in its database; an unreachable one is reported and does not stop the others', async () => {
  const [books, closed] = [await postgres('books'), await postgres('closed')]
  await assign(1, world.app.summit.id, books.creds)
  await assign(2, world.app.harbour.id, { ...closed.creds, host: '127.0.0.1:1' })
  await endRuns()
  const sync = async () => {
    const { status, body } = await superadmin().call(accounting.syncTables, { params: { tokenId } })
    expect(status).toBe(200)
    return (index: number) => body.find(({ CompanyName }) => CompanyName === world.xero.companies[index]?.name)
  }
  const first = await sync()
  expect(first(1)).toMatchObject({ Notice: null, Place: expect.stringContaining('schema books') })
  expect(first(1)?.Tables).toContainEqual({ Table: 'invoice', Kind: 'stream', Outcome: 'created', Notice: null })
  expect(first(2)).toMatchObject({ Notice: expect.any(String), Tables: [] })
  expect(first(0)).toMatchObject({ Notice: null, Place: expect.stringContaining('own warehouse') })
  expect(await books.query('SELECT * FROM books.invoice')).toEqual([])
  const auditEvents = await findAuditEvents(world.app.store, 'tables.synchronised')
  const [own, assigned] = [first(0), first(1)].map((product) =>
    auditEvents.filter(({ objectId }) => objectId === product?.ProductId),
  )
  expect(own).toMatchObject([{ ...bySuperadmin(), organisationId: world.app.harbour.id }])
  expect(assigned).toMatchObject([{ ...bySuperadmin(), organisationId: world.app.summit.id }])
  expect(auditEvents).toHaveLength(2)
  await books.query('ALTER TABLE books.invoice DROP COLUMN reference')
  const second = await sync()
  const changed = second(1)?.Tables.filter(({ Outcome }) => Outcome !== 'unchanged')
  expect(changed).toMatchObject([{ Table: 'invoice', Outcome: 'changed', Notice: 'reference added' }])
  await world.app.as.superadmin.call(runs.process, {
    params: { clientId: world.app.summit.id, connectorId: second(1)?.ProductId ?? '' },
    body: {},
  })
  expect((await sync())(1)).toMatchObject({ Notice: expect.stringContaining('under way'), Tables: [] })
})
