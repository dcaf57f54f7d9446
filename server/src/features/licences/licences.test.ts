import { connectors } from '@tributary/contract/connectors'
import { licences } from '@tributary/contract/licences'
import { sources } from '@tributary/engine/registry'
import { baseBundle, type Source } from '@tributary/engine/ports/source'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertFixtures, type RouteFixtures } from '@tributary/testing/server/app/every-route.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'

let app: TestApp
let records: RouteFixtures
let params: { readonly clientId: string; readonly connectorId: string }
beforeAll(async () => {
  app = await testApp()
  records = await insertFixtures(app, app.harbour, app.idOf('user'))
  params = { clientId: records.clientId, connectorId: await insertConnector(licensedSource.type) }
})
afterAll(() => app[Symbol.asyncDispose]())

/** A source with separately licensed streams. */
const licensedSource = sources.find(
  ({ bundles }) => bundles?.some(({ base }) => !base) === true && bundles.some(({ base }) => base),
) as Source
const ids = (base: boolean) =>
  (licensedSource.bundles ?? []).filter((bundle) => bundle.base === base).map(({ id }) => id)

async function insertConnector(type: string): Promise<string> {
  const name = `Licensed ${type}`
  const connector = { organisationId: records.clientId, key: `licensed-${type}`, type, name, originalName: name }
  const { id } = await app.store.within(records.clientId, (db) =>
    db.insertInto('connector').values(connector).returning('id').executeTakeFirstOrThrow(),
  )
  return id
}

function save(requested: readonly string[], who: 'superadmin' | 'admin' = 'superadmin') {
  return app.as[who].call(licences.save, { params, body: { licences: requested } })
}
async function listHeld(): Promise<readonly string[]> {
  const { body } = await app.as.admin.call(licences.held, { params })
  expect(body.every(({ Held }) => Held)).toBe(true)
  return body.map(({ Id }) => Id)
}

test('[MAN-8] a connector has the Base licences of its type, and no others until a superadmin grants them', async () => {
  expect(await listHeld()).toEqual(ids(true))
  const all = await app.as.superadmin.call(licences.all, { params })
  expect(all.body.map(({ Id, Base, Held }) => [Id, Base, Held])).toEqual(
    licensedSource.bundles?.map(({ id, base }) => [id, base, base]),
  )
  expect(all.body.find(({ Base }) => !Base)?.Title).not.toBe('')
})

test('[MAN-8] a superadmin grants and revokes licences; the Base ones always stay', async () => {
  const [extra = ''] = ids(false)
  expect((await save([extra])).body.filter(({ Held }) => Held).map(({ Id }) => Id)).toEqual(
    expect.arrayContaining([...ids(true), extra]),
  )
  const { body } = await app.as.admin.call(connectors.find, { params })
  expect(body.Licences).toEqual(
    expect.arrayContaining([{ Id: extra, Base: false }, ...ids(true).map((Id) => ({ Id, Base: true }))]),
  )
  expect((await save([])).status).toBe(200)
  expect(await listHeld()).toEqual(ids(true))
  const events = await app.store.within(records.clientId, (db) =>
    db.selectFrom('auditEvent').select('detail').where('action', '=', 'connector.licences_set').orderBy('id').execute(),
  )
  expect(events.map(({ detail }) => detail)).toEqual([
    { before: [], after: [extra] },
    { before: [extra], after: [] },
  ])
})

test('[MAN-8] an administrator cannot save licences, and an unknown licence is refused by its name', async () => {
  expect((await save(ids(true), 'admin')).status).toBe(403)
  expect(await save(['Nonsense'])).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining('Nonsense'), fields: { licences: expect.any(String) } },
  })
})

test('a source without separate licences has one licence that every connector has', async () => {
  const { body } = await app.as.guest.call(connectors.allTypes)
  const type = body.find(({ Type }) => Type === 'postgres')
  expect(type?.Licences).toEqual([{ Id: baseBundle, Base: true, Title: 'Everything', Description: expect.any(String) }])
  expect(type?.Description).toBe(sources.find((source) => source.type === 'postgres')?.description)
  expect(type?.Guide.length).toBeGreaterThan(1)
  // A stored licence that the type does not have is ignored.
  const one = await app.as.admin.call(licences.held, {
    params: { clientId: records.clientId, connectorId: records.connectorId },
  })
  expect(one.body.map(({ Id, Streams }) => [Id, Streams])).toEqual([[baseBundle, []]])
})

test('the descriptions of all types have the ids of the catalogue', async () => {
  const { body } = await app.as.guest.call(licences.descriptions)
  const types = await app.as.guest.call(connectors.allTypes)
  expect(body).toEqual(types.body.map(({ Id, Description }) => ({ Id, Description })))
})

test('the catalogue shows early stages and whether a type requires signing in at the source', async () => {
  const { body } = await app.as.guest.call(connectors.allTypes)
  expect(body.filter(({ IsEarlyStages }) => IsEarlyStages).map(({ Type }) => Type)).toEqual([
    'uniconta',
    'e-conomic',
    'exact-online',
    'quickbooks',
    'stripe',
    'business-central',
    'rest-api',
    'odata-service',
  ])
  expect(body.filter(({ RequiresAuthorisation }) => RequiresAuthorisation).map(({ Type }) => Type)).toEqual([
    'xero',
    'exact-online',
    'quickbooks',
  ])
})
