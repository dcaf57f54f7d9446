import { auditorRooms } from '@tributary/contract/auditor-rooms'
import { auditLog } from '@tributary/contract/audit-log'
import { certificates } from '@tributary/contract/certificates'
import { closedPeriods } from '@tributary/contract/closed-periods'
import { data } from '@tributary/contract/data'
import { reportMarks } from '@tributary/contract/report-marks'
import { signInRoutes } from '@tributary/contract/sign-in'
import { tieOut } from '@tributary/contract/tie-out'
import { verifications } from '@tributary/contract/verifications'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { applyChanges, createLoginFor, keepOpen } from '@tributary/testing/server/access/warehouse-login.ts'
import { type DataFixture, openDataFixture } from '@tributary/testing/server/access/data-fixture.ts'
import { findAuditEvents } from '@tributary/testing/server/app/audit-log.ts'
import type { TestClient } from '@tributary/testing/server/app/client.ts'
import { everyRoute } from '@tributary/testing/server/app/every-route.ts'
import { sampleQueries } from '@tributary/testing/server/app/sample-queries.ts'
import type { TestApp } from '@tributary/testing/server/app/test-app.ts'
import { storeVerifications, streamVerification } from '@tributary/testing/server/connectors/verification-fixtures.ts'
import { insertChange } from '@tributary/testing/server/connectors/trust-fixtures.ts'
import { insertTieOut } from '@tributary/testing/server/connectors/tied-out.ts'
import { addAuditor, auditorCalls, type AuditorFixture } from '@tributary/testing/server/identity/auditor.ts'
import { keepAccess } from '../../access/logins/keep-access.ts'
import { listReadableTables } from '../../access/query/readable-tables.ts'
import { endRoomsThatAreOver } from './end-room.ts'

let there: DataFixture
let app: TestApp
let shop: string
let stock: string
beforeAll(async () => {
  there = await openDataFixture()
  app = there.app
  const find = async (name: string) =>
    (
      await app.store.within(app.harbour.id, (db) =>
        db.selectFrom('connector').select('id').where('name', '=', name).executeTakeFirstOrThrow(),
      )
    ).id
  shop = await find('Shop')
  stock = await find('Stock')
  await insertTieOut(app, { connectorId: shop })
  await insertTieOut(app, { connectorId: stock })
})
afterAll(() => there[Symbol.asyncDispose]())

const params = () => ({ clientId: app.harbour.id })
const { own, room, latest, end } = auditorCalls(() => app)
const tables = async (client: TestClient) =>
  (await client.call(data.tables, { params: params() })).body.flatMap(({ Tables }) => Tables.map(({ Name }) => Name))
const rows = (client: TestClient) => client.call(data.rows, { params: there.params() })

/** What is proven about a connector, and what changed. */
function evidence(client: TestClient, connectorId: string) {
  const at = { params: { ...params(), connectorId } }
  return [
    client.call(verifications.read, at),
    client.call(verifications.history, { ...at, query: {} }),
    client.call(closedPeriods.changes, { ...at, query: {} }),
    client.call(reportMarks.list, at),
  ]
}

const everyDoor = (status: number): readonly number[] => Array.from({ length: 11 }, () => status)

/** The statuses of the calls that an auditor makes. */
async function doors({ client }: AuditorFixture): Promise<readonly number[]> {
  const calls = [
    own(client),
    client.call(auditorRooms.events, { params: params() }),
    latest(client, shop),
    ...evidence(client, shop),
    client.call(certificates.list, { params: params() }),
    client.call(data.tables, { params: params() }),
    rows(client),
    client.send('GET', `/api/tributary/clients/${app.harbour.id}/data/tables/shop/invoice/rows.csv`),
  ]
  const statuses = []
  for (const call of calls) statuses.push((await call).status)
  return statuses
}

test('[TRUST-14] a named outsider is invited, signs in with a second factor, and reads what the room covers and nothing else', async () => {
  const avery = await addAuditor(app, { connectorIds: [shop] })
  const [mail] = await app.emailsTo(avery.emailAddress)
  expect(mail).toMatchObject({ template: 'invitation' })
  const session = await avery.client.session()
  expect(session).toMatchObject({ role: 'guest', roleLevel: 4, requireMultiFactorAuthentication: true })
  expect((await own(avery.client)).body).toEqual({
    Id: avery.roomId,
    EndsAtUtc: expect.any(String),
    Connectors: [{ Id: shop, Name: 'Shop', Type: expect.any(String) }],
    Marks: [],
    PeriodFrom: null,
    PeriodTo: null,
    Sections: ['tieOuts', 'verifications', 'closedPeriods', 'marks', 'certificates', 'tables', 'events'],
  })
  // The guest is assigned to Shop, too.
  const ofShop = await tables(app.as.guest)
  expect(ofShop).toContain('invoice')
  expect(await tables(avery.client)).toEqual(ofShop)
  expect(await doors(avery)).toEqual(everyDoor(200))
  expect((await latest(avery.client, stock)).status).toBe(404)
  for (const call of evidence(avery.client, stock)) expect((await call).status).toBe(404)
  expect((await avery.client.call(data.rows, { params: there.params('movement', 'stock') })).status).toBe(404)
})

test('[TRUST-14] without the second factor there is no session, whatever the person chose', async () => {
  const avery = await addAuditor(app, { connectorIds: [shop] })
  const body = { emailAddress: avery.emailAddress, password: 'an-auditors-own-1' }
  const reply = await app.as.visitor.call(signInRoutes.withPassword, { body })
  expect(reply.body).toMatchObject({ verificationRequired: true })
  expect(reply.body).not.toHaveProperty('accessToken')
})

test('[TRUST-14] every other call is refused, by default: nothing is written, no token and no login is made, no other list is read', async () => {
  const avery = await addAuditor(app, { connectorIds: [shop] })
  const open = everyRoute.filter(({ route }) => route.forAuditors !== undefined)
  expect(open.every(({ route }) => route.method === 'GET' && route.changes !== true)).toBe(true)
  const inClient = everyRoute.filter(
    ({ route }) =>
      route.path.includes('/clients/:clientId') &&
      route.forAuditors === undefined &&
      route.allow !== 'signedIn' &&
      route.allow !== 'visitor',
  )
  expect(inClient.length).toBeGreaterThan(80)
  const ids: Readonly<Record<string, string>> = {
    clientId: app.harbour.id,
    connectorId: shop,
    schema: 'shop',
    table: 'invoice',
  }
  for (const { name, route } of inClient) {
    const path = route.path.replaceAll(/:(\w+)/gu, (_, param: string) => ids[param] ?? avery.roomId)
    const address = `/api${path}${sampleQueries[name] ?? ''}`
    const { status } = await avery.client.send(route.method, address, route.method === 'GET' ? {} : { body: {} })
    expect([name, status]).toEqual([name, 403])
  }
  const organisationId = app.harbour.id
  const token = { organisationId, name: 'x', scopes: ['data.read'], days: 1 }
  expect((await avery.client.send('POST', '/api/me/access-tokens', { body: token })).status).toBe(403)
  const query = { query: { orgId: organisationId } }
  expect((await avery.client.call(auditLog.list, query)).status).toBe(403)
  expect((await avery.client.send('GET', `/api/users?orgId=${organisationId}`)).status).toBe(403)
})

test('[TRUST-14] tie-outs and certificates are limited to the covered months', async () => {
  const runId = await insertTieOut(app, { connectorId: shop, period: '2026-10-01' })
  const at = { params: { ...params(), connectorId: shop } }
  const issued = await app.as.admin.call(tieOut.certify, { ...at, body: { runId, period: '2026-10-01' } })
  const within = await addAuditor(app, { connectorIds: [shop], periodFrom: '2026-10-01', periodTo: '2026-10-01' })
  const outside = await addAuditor(app, { connectorIds: [shop], periodTo: '2026-09-01' })
  const read = async ({ client }: AuditorFixture) => [
    (await latest(client, shop)).body?.Periods.length,
    (await client.call(tieOut.lines, { ...at, query: { period: '2026-10-01' } })).status,
    (await client.call(certificates.list, { params: params() })).body.some(({ Id }) => Id === issued.body.Id),
    (await client.call(certificates.read, { params: { ...params(), certificateId: issued.body.Id } })).status,
  ]
  expect(await read(within)).toEqual([1, 200, true, 200])
  expect(await read(outside)).toEqual([0, 404, false, 404])
})

test('[TRUST-14] verdicts of verification, closed-period changes and marks are read in a room, those of the covered months only', async () => {
  const connector = { organisationId: app.harbour.id, connectorId: shop }
  const [may, june] = ['2026-05', '2026-06']
  const runId = await app.store.within(app.harbour.id, async (db) => {
    const id = await storeVerifications(db, connector, [streamVerification('invoice', { rows: 42 })])
    for (const month of [may, june]) {
      const mark = { name: `Pack of ${month}`, slug: `pack_${month.slice(5)}`, periodEnd: `${month}-28` }
      const moment = '2026-07-03T06:00:00.000000Z'
      await db
        .insertInto('reportMark')
        .values({ ...connector, ...mark, runId: id, createdBy: app.idOf('admin'), moment })
        .execute()
      await insertChange(db, { ...connector, runId: id, month: `${month}-01` })
    }
    return id
  })
  const at = { params: { ...params(), connectorId: shop } }
  const read = async ({ client }: AuditorFixture) => {
    const changes = (await client.call(closedPeriods.changes, { ...at, query: {} })).body
    return {
      verdicts: (await client.call(verifications.history, { ...at, query: {} })).body.map(({ Rows }) => Rows),
      changes: changes.Changes.map(({ Number: number }) => number),
      total: changes.Total,
      periods: changes.Periods,
      marks: (await client.call(reportMarks.list, at)).body.map(({ Name }) => Name).toSorted(),
    }
  }
  expect(runId).toBeDefined()
  const all = await read(await addAuditor(app, { connectorIds: [shop] }))
  expect(all).toMatchObject({ verdicts: [42], total: 2, marks: ['Pack of 2026-05', 'Pack of 2026-06'] })
  const onlyJune = await addAuditor(app, { connectorIds: [shop], periodFrom: '2026-06-01', periodTo: '2026-06-01' })
  expect(await read(onlyJune)).toEqual({
    verdicts: [42],
    changes: ['INV 2026-06-01'],
    total: 1,
    periods: ['2026-06-01'],
    marks: ['Pack of 2026-06'],
  })
  for (const call of evidence(app.as.otherAdmin, shop)) expect((await call).status).toBe(404)
})

test('[TRUST-14] the administrator sees what was looked at, and downloads are in the audit log', async () => {
  const avery = await addAuditor(app, { connectorIds: [shop] })
  await doors(avery)
  await latest(avery.client, shop)
  app.clock.advance(61_000)
  await latest(avery.client, shop)
  const looks = (
    await app.as.admin.call(auditorRooms.looks, { params: { ...params(), roomId: avery.roomId } })
  ).body.map(({ What, Object: object, Looks }) => [What, object, Looks])
  expect(looks).toEqual(
    expect.arrayContaining([
      ['Tie-out', 'Shop', 2],
      ['Rows of a table', 'shop.invoice', 1],
      ['File of a table', 'shop.invoice', 1],
      ['Audit log', null, 1],
      ['Verification', 'Shop', 1],
      ['Closed-period changes', 'Shop', 1],
      ['Marks', 'Shop', 1],
    ]),
  )
  expect((await findAuditEvents(app.store, 'data.export_downloaded')).at(-1)).toMatchObject({
    actorId: avery.userId,
    objectId: 'shop.invoice',
  })
  expect(await room(avery.roomId)).toMatchObject({ State: 'OPEN', LastLookAtUtc: expect.any(String) })
})

test('[TRUST-14] ended by one button, a room gives nothing any more, at once and by every door', async () => {
  const avery = await addAuditor(app, { connectorIds: [shop] })
  expect(await doors(avery)).toEqual(everyDoor(200))
  await applyChanges(app)
  const login = await createLoginFor(app, avery.userId)
  await applyChanges(app)
  await using connected = await keepOpen(login)
  expect((await end(avery.roomId)).body).toMatchObject({ State: 'ENDED', EndedAtUtc: expect.any(String) })
  expect(await doors(avery)).toEqual(everyDoor(401))
  await avery.client.signIn()
  expect(await doors(avery)).toEqual(everyDoor(404))
  const readable = await app.store.within(app.harbour.id, (db) =>
    listReadableTables(db, app.harbour.id, { userId: avery.userId }),
  )
  expect(readable).toMatchObject({ mayRead: false, keepsLogins: false, connectors: [] })
  await keepAccess(app.services)
  await connected.ended
  await expect(keepOpen(login)).rejects.toThrow(/authentication|role/u)
  expect((await end(avery.roomId)).status).toBe(200)
  const events = await findAuditEvents(app.store, 'auditor_room.ended')
  expect(events.filter(({ objectId }) => objectId === avery.roomId)).toHaveLength(1)
})

test('[TRUST-14] after its date a room gives nothing, before a worker has closed it and to an open session', async () => {
  const avery = await addAuditor(app, {
    connectorIds: [shop],
    endsAt: new Date(app.clock.now() + 60_000).toISOString(),
  })
  expect(await doors(avery)).toEqual(everyDoor(200))
  app.clock.advance(60_000)
  expect(await doors(avery)).toEqual(everyDoor(404))
  expect(await room(avery.roomId)).toMatchObject({ State: 'ENDED' })
  await endRoomsThatAreOver(app.services)
  expect(await doors(avery)).toEqual(everyDoor(401))
  const left = await app.store.within(app.harbour.id, (db) =>
    db.selectFrom('membership').select('userId').where('userId', '=', avery.userId).execute(),
  )
  expect(left).toEqual([])
})

test('[TRUST-14] the rights in the warehouse end with the date, by the clock of the store', async () => {
  const avery = await addAuditor(app, { connectorIds: [shop] })
  const login = await createLoginFor(app, avery.userId)
  await applyChanges(app)
  await using connected = await keepOpen(login)
  await app.store.within(app.harbour.id, (db) =>
    db
      .updateTable('membership')
      .set({ expiresAt: new Date(0) })
      .where('userId', '=', avery.userId)
      .execute(),
  )
  await keepAccess(app.services)
  await connected.ended
  await expect(keepOpen(login)).rejects.toThrow(/authentication|role/u)
})
