import { connectors } from '@tributary/contract/connectors'
import { organisations } from '@tributary/contract/organisations'
import { runs } from '@tributary/contract/runs'
import { users } from '@tributary/contract/users'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { addPerson } from '@tributary/testing/server/identity/add-person.ts'
import { insertFixtures } from '@tributary/testing/server/app/every-route.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app[Symbol.asyncDispose]())

test('[API-1 GET /organisations] users see their own organisations and provider roles all of them, by company name', async () => {
  const names = async (role: 'superadmin' | 'provideradmin' | 'admin' | 'guest' | 'otherAdmin') =>
    (await app.as[role].call(organisations.list)).body.map((one) => one.CompanyName)
  expect(await names('superadmin')).toEqual(['Harbour Trading', 'Summit Foods'])
  expect(await names('provideradmin')).toEqual(['Harbour Trading', 'Summit Foods'])
  expect(await names('admin')).toEqual(['Harbour Trading'])
  expect(await names('guest')).toEqual(['Harbour Trading'])
  expect(await names('otherAdmin')).toEqual(['Summit Foods'])
  expect((await app.as.admin.call(organisations.list)).body[0]).toEqual({
    Id: app.harbour.id,
    CompanyName: 'Harbour Trading',
    Budget2SqlProductId: app.harbour.id,
    Key: 'harbour-trading',
    TimeZone: 'Europe/London',
    RequireMultiFactorAuthentication: false,
    Archived: false,
  })
})

test('[API-1 GET /roles] [API-1 GET /statuses] list the roles, most rights first, and the statuses', async () => {
  const roles = (await app.as.guest.call(organisations.roles)).body
  expect(roles.map((role) => [role.RoleLevel, role.Name, role.DisplayName])).toEqual([
    [0, 'superadmin', 'Superadmin'],
    [1, 'provideradmin', 'Provider admin'],
    [2, 'admin', 'Admin'],
    [3, 'user', 'User'],
    [4, 'guest', 'Guest'],
  ])
  expect((await app.as.guest.call(organisations.statuses)).body.map((status) => status.Name)).toEqual([
    'active',
    'locked',
    'archived',
  ])
})

test('[API-3] a call requires a bearer token; the session cookie alone is not enough', async () => {
  const cookie = [...app.as.admin.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  expect((await app.as.visitor.send('GET', '/api/users', { headers: { cookie } })).status).toBe(401)
})

const client = () => ({ clientId: app.harbour.id })

async function actions(organisationId: string): Promise<readonly string[]> {
  const rows = await app.store.within(organisationId, (db) =>
    db.selectFrom('auditEvent').select('action').where('organisationId', '=', organisationId).orderBy('id').execute(),
  )
  return rows.map(({ action }) => action)
}

test('[API-1 POST /organisations] the provider creates an organisation with a unique key; a taken name is refused', async () => {
  const create = (companyName: string, timeZone?: string) =>
    app.as.provideradmin.call(users.createOrganisation, {
      body: { companyName, ...(timeZone !== undefined && { timeZone }) },
    })
  const { status, body } = await create('Nørrebro Bøger', 'Europe/Copenhagen')
  expect([status, body]).toEqual([
    201,
    expect.objectContaining({
      CompanyName: 'Nørrebro Bøger',
      Key: 'n-rrebro-b-ger',
      TimeZone: 'Europe/Copenhagen',
      Archived: false,
    }),
  ])
  expect((await create('nørrebro bøger')).body).toMatchObject({ statusCode: 409, code: 'nameTaken' })
  expect((await create('Harbour trading!')).body.Key).toBe('harbour-trading-2')
  expect((await create('株式会社')).body.Key).toBe('organisation')
  expect((await create('Elsewhere', 'Mars/Olympus')).body).toMatchObject({
    statusCode: 400,
    fields: { timeZone: expect.any(String) },
  })
  expect((await create('Elsewhere', '+01:00')).status).toBe(400)
  expect(await actions(body.Id)).toEqual(['organisation.created'])
})

test('of concurrent requests for organisations with the same name, one succeeds and the others get 409', async () => {
  const replies = await Promise.all(
    Array.from({ length: 10 }, () =>
      app.as.provideradmin.call(users.createOrganisation, { body: { companyName: 'At once' } }),
    ),
  )
  expect(replies.map(({ status }) => status).toSorted()).toEqual([201, ...Array.from({ length: 9 }, () => 409)])
})

test('[API-1 POST /organisations/:clientId] administrators rename the organisation, require a second factor and change its time zone, which moves its schedules', async () => {
  await using own = await testApp()
  const { connectorId } = await insertFixtures(own, own.harbour, own.idOf('user'))
  await own.store.within(own.harbour.id, (db) =>
    db
      .updateTable('connector')
      .set({ schedule: '0 6 * * *', nextRunAt: new Date() })
      .where('id', '=', connectorId)
      .execute(),
  )
  const change = (body: object) =>
    own.as.admin.call(users.updateOrganisation, { params: { clientId: own.harbour.id }, body })
  expect((await change({ companyName: 'Harbour & Sons', timeZone: 'Asia/Tokyo' })).body).toMatchObject({
    CompanyName: 'Harbour & Sons',
    Key: 'harbour-trading',
    TimeZone: 'Asia/Tokyo',
  })
  const { nextRunAt } = await own.store.within(own.harbour.id, (db) =>
    db
      .selectFrom('connector')
      .select('nextRunAt')
      .where('organisationId', '=', own.harbour.id)
      .executeTakeFirstOrThrow(),
  )
  expect(nextRunAt).toMatch(/T21:00:00\.000Z$/u)
  expect((await change({ companyName: 'SUMMIT FOODS' })).body).toMatchObject({ code: 'nameTaken' })
  expect((await change({ timeZone: 'Nowhere' })).status).toBe(400)
  expect((await change({ requireMultiFactorAuthentication: true })).body).toMatchObject({
    RequireMultiFactorAuthentication: true,
  })
  const rows = await own.store.within(own.harbour.id, (db) =>
    db.selectFrom('auditEvent').select('detail').where('action', '=', 'organisation.updated').orderBy('id').execute(),
  )
  expect(rows.map(({ detail }) => detail)).toEqual([
    { fields: ['companyName', 'timeZone'] },
    { fields: ['requireMultiFactorAuthentication'] },
  ])
})

test('[ROLE-1] an organisation that requires a second factor ends sessions without one', async () => {
  const { body: created } = await app.as.superadmin.call(users.createOrganisation, {
    body: { companyName: 'Careful Ltd' },
  })
  const { client: member } = await addPerson(app, { [created.Id]: 'user' })
  await member.signIn()
  const body = { requireMultiFactorAuthentication: true }
  await app.as.superadmin.call(users.updateOrganisation, { params: { clientId: created.Id }, body })
  app.clock.advance(5_001)
  expect((await member.call(organisations.list)).status).toBe(401)
})

test('[API-1 POST /organisations/:clientId/archive] archiving hides the organisation from members and ends its runs; the provider sees it flagged, and it is read-only until restored', async () => {
  const { connectorId } = await insertFixtures(app, app.harbour, app.idOf('user'))
  const { RunId } = (await app.as.admin.call(runs.process, { params: { ...client(), connectorId }, body: {} })).body
  const archive = (archived: boolean) =>
    app.as.superadmin.call(users.archiveOrganisation, { params: client(), body: { archived } })
  expect((await archive(true)).body).toMatchObject({ Id: app.harbour.id, Archived: true })
  const run = await app.store.within(app.harbour.id, (db) =>
    db.selectFrom('run').select(['status', 'notice']).where('id', '=', RunId).executeTakeFirstOrThrow(),
  )
  expect(run).toEqual({ status: 'CANCELLED', notice: 'The organisation was archived.' })

  app.clock.advance(5_001)
  expect((await app.as.admin.call(organisations.list)).body).toEqual([])
  expect((await app.as.admin.call(connectors.list, { params: client() })).status).toBe(404)
  const seen = (await app.as.provideradmin.call(organisations.list)).body.find(({ Id }) => Id === app.harbour.id)
  expect(seen).toMatchObject({ Archived: true })
  expect((await app.as.superadmin.call(connectors.list, { params: client() })).status).toBe(200)
  const start = await app.as.superadmin.call(runs.process, { params: { ...client(), connectorId }, body: {} })
  expect(start.body).toMatchObject({ statusCode: 409, code: 'organisationArchived' })

  expect((await archive(false)).body).toMatchObject({ Archived: false })
  app.clock.advance(5_001)
  expect((await app.as.admin.call(connectors.list, { params: client() })).status).toBe(200)
  expect((await archive(false)).status).toBe(200)
  expect((await actions(app.harbour.id)).filter((action) => action.startsWith('organisation.'))).toEqual([
    'organisation.archived',
    'organisation.restored',
  ])
})

test('a run that starts while the organisation is being archived is cancelled', async () => {
  const { body: created } = await app.as.superadmin.call(users.createOrganisation, {
    body: { companyName: 'Going Ltd' },
  })
  const { id, client: admin } = await addPerson(app, { [created.Id]: 'admin' })
  const { connectorId } = await insertFixtures(app, { id: created.Id, key: created.Key }, id)
  await admin.signIn()
  const params = { clientId: created.Id }
  const start = () => admin.call(runs.process, { params: { ...params, connectorId }, body: {} })
  const archived = app.as.superadmin.call(users.archiveOrganisation, { params, body: { archived: true } })
  await Promise.all([start(), archived, start()])
  const open = await app.store.within(created.Id, (db) =>
    db.selectFrom('run').select('id').where('status', 'in', ['QUEUED', 'RUNNING', 'WAITING']).execute(),
  )
  expect(open).toEqual([])
})

test('concurrent changes of different fields of an organisation both take effect', async () => {
  await using own = await testApp()
  const params = { clientId: own.summit.id }
  const release = Promise.withResolvers<void>()
  const lockHolder = own.store.across(async (db) => {
    await db.selectFrom('organisation').select('id').where('id', '=', own.summit.id).forNoKeyUpdate().execute()
    await release.promise
  })
  const waiting = async (count: number) => {
    const { rows } = await own.store.across((db) =>
      sql<{ waiting: number }>`SELECT count(*)::int AS waiting FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(db),
    )
    expect(rows[0]?.waiting).toBe(count)
  }
  const first = own.as.superadmin.call(users.updateOrganisation, {
    params,
    body: { requireMultiFactorAuthentication: true },
  })
  await vi.waitFor(() => waiting(1), 5_000)
  const second = own.as.provideradmin.call(users.updateOrganisation, {
    params,
    body: { companyName: 'Summit Foods Ltd' },
  })
  await vi.waitFor(() => waiting(2), 5_000)
  release.resolve()
  await lockHolder
  expect([(await first).status, (await second).status]).toEqual([200, 200])
  const { body } = await own.as.superadmin.call(organisations.list)
  expect(body.find(({ Id }) => Id === own.summit.id)).toMatchObject({
    CompanyName: 'Summit Foods Ltd',
    RequireMultiFactorAuthentication: true,
  })
})
