import { auditLog } from '@tributary/contract/audit-log'
import { queryLimits } from '@tributary/contract/limits'
import { privacy } from '@tributary/contract/privacy'
import { queries, type SavedQueryInput } from '@tributary/contract/queries'
import { users } from '@tributary/contract/users'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addPerson } from '@tributary/testing/server/identity/add-person.ts'
import { insertFixtures } from '@tributary/testing/server/app/every-route.ts'
import type { TestClient } from '@tributary/testing/server/app/client.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app[Symbol.asyncDispose]())
beforeEach(() => app.store.across((db) => db.deleteFrom('savedQuery').execute()))

const params = () => ({ clientId: app.harbour.id })
const chart = { kind: 'bar', category: 'month', series: null, value: 'total' } as const
const input: SavedQueryInput = {
  name: 'Sales by month',
  database: 'warehouse',
  statement: 'SELECT 1',
  chart,
  isShared: false,
}
const save = (as: TestClient, change: Partial<SavedQueryInput> = {}) =>
  as.call(queries.save, { params: params(), body: { ...input, ...change } })
const list = async (as: TestClient) => (await as.call(queries.list, { params: params() })).body
const change = (as: TestClient, queryId: string, changed: Partial<SavedQueryInput>) =>
  as.call(queries.change, { params: { ...params(), queryId }, body: { ...input, ...changed } })
const remove = (as: TestClient, queryId: string) => as.call(queries.remove, { params: { ...params(), queryId } })
const read = (as: TestClient, queryId: string) => as.call(queries.read, { params: { ...params(), queryId } })

async function recorded(queryId: string): Promise<readonly string[]> {
  const { body } = await app.as.admin.call(auditLog.list, { query: { orgId: app.harbour.id, page: 1, pageSize: 50 } })
  return body.filter(({ ObjectId }) => ObjectId === queryId).map(({ Action }) => Action)
}

test('[SEE-5] a private query is its owner’s alone, whatever the role of others', async () => {
  const { status, body } = await save(app.as.user)
  expect(status).toBe(201)
  expect(body).toMatchObject({ Name: 'Sales by month', Chart: chart, IsShared: false, IsOwn: true, MayDelete: true })
  for (const as of [app.as.superadmin, app.as.provideradmin, app.as.admin, app.as.guest]) {
    expect(await list(as)).toEqual([])
    expect((await read(as, body.Id)).status).toBe(404)
    expect((await change(as, body.Id, { name: 'Mine' })).status).toBe(404)
    expect((await remove(as, body.Id)).status).toBe(404)
  }
  expect((await read(app.as.otherAdmin, body.Id)).status).toBe(404)
  expect(await recorded(body.Id)).toEqual([])
  expect((await remove(app.as.user, body.Id)).status).toBe(204)
})

test('[SEE-5] a shared query is read by the organisation, changed by its owner, and deleted by them or an administrator', async () => {
  const { body } = await save(app.as.user, { isShared: true })
  for (const as of [app.as.superadmin, app.as.admin, app.as.guest])
    expect(await list(as)).toMatchObject([{ Id: body.Id, IsOwn: false, Statement: 'SELECT 1' }])
  expect((await change(app.as.admin, body.Id, { name: 'Mine' })).status).toBe(403)
  expect((await remove(app.as.guest, body.Id)).status).toBe(403)
  for (const call of [read, remove]) expect((await call(app.as.otherAdmin, body.Id)).status).toBe(404)
  expect((await change(app.as.user, body.Id, { name: 'Revenue', isShared: true })).body.Name).toBe('Revenue')
  expect((await change(app.as.user, body.Id, { name: 'Revenue', isShared: false })).status).toBe(200)
  expect(await list(app.as.admin)).toEqual([])
  await change(app.as.user, body.Id, { isShared: true })
  expect((await remove(app.as.admin, body.Id)).status).toBe(204)
  expect(await recorded(body.Id)).toEqual([
    'query.deleted',
    'query.shared',
    'query.unshared',
    'query.updated',
    'query.shared',
  ])
})

test('[SEE-5] a query names only a connector of the organisation', async () => {
  const theirs = await insertFixtures(app, app.summit, app.idOf('otherAdmin'))
  const ours = await insertFixtures(app, app.harbour, app.idOf('user'))
  expect((await save(app.as.admin, { database: theirs.connectorId })).status).toBe(400)
  expect((await save(app.as.admin, { database: ours.connectorId })).body.Database).toBe(ours.connectorId)
})

test('[SEE-5] a person keeps a limited number of queries and a limited history, and clears it', async () => {
  const userId = app.idOf('guest')
  const organisationId = app.harbour.id
  await app.store.within(organisationId, (db) =>
    db
      .insertInto('savedQuery')
      .values(
        Array.from({ length: queryLimits.savedMax }, (_, at) => ({
          organisationId,
          userId,
          name: `Q${at}`,
          statement: 'SELECT 1',
          isShared: false,
        })),
      )
      .execute(),
  )
  expect(await save(app.as.guest)).toMatchObject({ status: 400, body: { fields: { name: expect.any(String) } } })
  const run = {
    organisationId,
    userId: app.idOf('admin'),
    statement: 'SELECT 0',
    durationMs: 1,
    rows: 1,
    outcome: 'completed',
  }
  await app.store.within(organisationId, (db) =>
    db
      .insertInto('queryRun')
      .values(
        Array.from(
          { length: queryLimits.historyMax },
          () => ({ ...run, outcome: 'completed', startedAt: '2026-01-01T00:00:00Z' }) as const,
        ),
      )
      .execute(),
  )
  const body = { database: 'warehouse', statement: 'SELECT 2;' }
  expect((await app.as.admin.call(queries.run, { params: params(), body })).status).toBe(200)
  const history = async (as: TestClient) => (await as.call(queries.history, { params: params() })).body
  const kept = await history(app.as.admin)
  expect([kept.length, kept[0]]).toEqual([
    queryLimits.historyMax,
    expect.objectContaining({ Statement: 'SELECT 2;', Rows: 1, Outcome: 'completed', Database: 'warehouse' }),
  ])
  expect(await history(app.as.superadmin)).toEqual([])
  expect((await app.as.admin.call(queries.clearHistory, { params: params() })).status).toBe(204)
  expect(await history(app.as.admin)).toEqual([])
})

test('[SEE-5] queries and history are exported, and go when the person leaves; what is shared stays', async () => {
  const { id: userId, client } = await addPerson(app, { [app.harbour.id]: 'admin' })
  await save(client, { name: 'Private' })
  await save(client, { name: 'Shared', isShared: true })
  await client.call(queries.run, { params: params(), body: { database: 'warehouse', statement: 'SELECT 3' } })
  const { Tables } = (await client.call(privacy.ownExport, { query: {} })).body
  expect(Tables['saved_query']?.map(({ name }) => name).toSorted()).toEqual(['Private', 'Shared'])
  expect(Tables['query_run']).toMatchObject([{ statement: 'SELECT 3' }])
  expect((await app.as.admin.call(users.remove, { params: { userId } })).status).toBe(204)
  const left = await app.store.within(app.harbour.id, async (db) => ({
    saved: await db.selectFrom('savedQuery').select('name').where('userId', '=', userId).execute(),
    runs: await db.selectFrom('queryRun').select('id').where('userId', '=', userId).execute(),
  }))
  expect(left).toEqual({ saved: [{ name: 'Shared' }], runs: [] })
})
