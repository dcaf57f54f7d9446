import { connectors } from '@tributary/contract/connectors'
import { runs } from '@tributary/contract/runs'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addPerson } from '@tributary/testing/server/identity/add-person.ts'
import { statusIds } from '@tributary/testing/server/app/fixed-ids.ts'
import type { TestClient } from '@tributary/testing/server/app/client.ts'
import {
  addressOf,
  bodyOf,
  everyRoute,
  insertFixtures,
  paramsOf,
  type RouteFixtures,
} from '@tributary/testing/server/app/every-route.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'

let app: TestApp
let theirs: RouteFixtures
let own: RouteFixtures
/** A third organisation, which nothing is shared with. */
let stranger: { readonly client: TestClient; readonly organisationId: string }
const canary = 'canary-owner-host.example'

beforeAll(async () => {
  app = await testApp()
  theirs = await insertFixtures(app, app.harbour, app.idOf('user'))
  own = await insertFixtures(app, app.summit, app.idOf('otherAdmin'))
  stranger = await openThird()
  await app.store.within(theirs.clientId, async (db) => {
    const place = { organisationId: theirs.clientId, connectorId: theirs.connectorId }
    const settings = JSON.stringify({ host: canary, password: { sealed: 'trb1.canary' } })
    await db
      .insertInto('connectorProperty')
      .values({ ...place, name: 'target.connectionString', value: settings })
      .execute()
    const failed = {
      status: 'FAILED',
      mode: 'full',
      trigger: 'person',
      faultKind: 'passing',
      notice: `${canary}:5432 does not answer.`,
    } as const
    await db
      .insertInto('run')
      .values({ ...place, ...failed, triggeredBy: app.idOf('admin'), completedAt: new Date() })
      .execute()
    await db
      .insertInto('runLine')
      .values({ organisationId: theirs.clientId, runId: theirs.runId, level: 'info', text: `reading from ${canary}` })
      .execute()
    await db
      .updateTable('connectorStream')
      .set({ fault: `${canary} refused the table.` })
      .where('connectorId', '=', theirs.connectorId)
      .execute()
    await db
      .updateTable('schemaChange')
      .set({ decidedBy: app.idOf('admin'), decidedAt: new Date() })
      .where('connectorId', '=', theirs.connectorId)
      .execute()
    await db
      .updateTable('incident')
      .set({ notice: `${canary}:5432 does not answer.` })
      .where('connectorId', '=', theirs.connectorId)
      .execute()
  })
})
afterAll(() => app[Symbol.asyncDispose]())
beforeEach(() => share([app.summit.id]))

async function openThird() {
  const organisationId = await app.store.across(async (db) => {
    const { id } = await db
      .insertInto('organisation')
      .values({ companyName: 'Third Mill', key: 'third-mill', timeZone: 'Europe/London' })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  })
  const { client } = await addPerson(app, { [organisationId]: 'admin' })
  return { client, organisationId }
}

async function share(organisations: readonly string[]): Promise<void> {
  const reply = await app.as.superadmin.call(connectors.assignOrganisations, {
    params: { connectorId: theirs.connectorId },
    body: { organisations },
  })
  expect({ status: reply.status, body: reply.body }).toMatchObject({ status: 200 })
}

/** The owner's objects, addressed through the guest's own organisation. */
function asGuest(): RouteFixtures {
  return { ...own, connectorId: theirs.connectorId, runId: theirs.runId, connectorKey: theirs.connectorKey }
}
const ofConnectors = everyRoute.filter(
  (named) => paramsOf(named).includes('connectorId') || paramsOf(named).includes('connectorKey'),
)
const secretsOf = [canary, 'trb1.', 'Amara', 'Okafor', 'Ulla', 'target.', 'demo.example']

describe('a connector that is shared with another organisation', () => {
  test('is listed for the guest’s administrators with the owner’s name, and for no other organisation', async () => {
    const params = { clientId: app.summit.id }
    const { body } = await app.as.otherAdmin.call(connectors.list, { params })
    const seen = body.find(({ Id }) => Id === theirs.connectorId)
    expect(seen).toMatchObject({ SharedBy: 'Harbour Trading', Properties: [], Log: { HasError: true } })
    expect(body.find(({ Id }) => Id === own.connectorId)).toMatchObject({ SharedBy: null })
    expect((await app.as.otherAdmin.call(connectors.types, { params })).body.map(({ Type }) => Type)).toEqual([
      'postgres',
      'excel',
    ])
    const { client } = await addPerson(app, { [app.summit.id]: 'user' })
    expect((await client.call(connectors.list, { params })).body).toEqual([])
    expect(
      (await client.call(connectors.read, { params: { ...params, connectorId: theirs.connectorId } })).status,
    ).toBe(404)
    expect((await app.as.admin.call(connectors.list, { params: { clientId: app.harbour.id } })).body).toMatchObject([
      { SharedBy: null },
    ])
  })

  test.each(ofConnectors)(
    '[ROLE-1] $name replies to a guest only if the contract allows it, without settings, users or servers',
    async (named) => {
      const reply = await app.as.otherAdmin.send(
        named.route.method,
        addressOf(named, asGuest()),
        bodyOf(named, asGuest()),
      )
      const text = JSON.stringify([reply.body, reply.headers])
      expect([named.name, secretsOf.filter((secret) => text.includes(secret))]).toEqual([named.name, []])
      if (named.route.guestReply !== undefined)
        expect([named.name, reply.status < 300 || reply.status === 409]).toEqual([named.name, true])
      else expect([named.name, [403, 404].includes(reply.status)]).toEqual([named.name, true])
    },
  )

  test.each(ofConnectors)('$name refuses a third organisation at any address', async (named) => {
    const { client, organisationId } = stranger
    for (const clientId of [organisationId, app.summit.id, app.harbour.id]) {
      const things = { ...asGuest(), clientId, clientKey: clientId === organisationId ? 'third-mill' : own.clientKey }
      const { status } = await client.send(named.route.method, addressOf(named, things), bodyOf(named, things))
      expect([named.name, [403, 404].includes(status)]).toEqual([named.name, true])
    }
  })

  test('can be run by the guest on the owner’s data, with the guest’s role', async () => {
    await app.store.within(theirs.clientId, (db) =>
      db
        .updateTable('run')
        .set({ status: 'CANCELLED' })
        .where('connectorId', '=', theirs.connectorId)
        .where('status', '=', 'QUEUED')
        .execute(),
    )
    const params = { clientId: app.summit.id, connectorId: theirs.connectorId }
    expect((await app.as.otherAdmin.call(runs.process, { params, body: { fullTransactionSync: true } })).status).toBe(
      403,
    )
    const started = await app.as.otherAdmin.call(runs.process, { params, body: {} })
    expect(started.status).toBe(202)
    const run = await app.store.within(theirs.clientId, (db) =>
      db
        .selectFrom('run')
        .select(['organisationId', 'triggeredBy'])
        .where('id', '=', started.body.RunId)
        .executeTakeFirstOrThrow(),
    )
    expect(run).toEqual({ organisationId: app.harbour.id, triggeredBy: app.idOf('otherAdmin') })
    const cancelled = await app.as.otherAdmin.call(runs.cancel, { params: { ...params, runId: started.body.RunId } })
    expect(cancelled.body).toMatchObject({ Status: 'CANCELLED', TriggeredBy: null })
    const events = await app.store.within(theirs.clientId, (db) =>
      db
        .selectFrom('auditEvent')
        .select('action')
        .where('actorId', '=', app.idOf('otherAdmin'))
        .orderBy('id')
        .execute(),
    )
    expect(events.map(({ action }) => action)).toEqual(expect.arrayContaining(['sync.triggered', 'sync.cancelled']))
  })

  test('disappears for the guest at once when sharing ends, the owner is archived or the connector is deleted', async () => {
    const params = { clientId: app.summit.id, connectorId: theirs.connectorId }
    const sees = async () => {
      const [one, byId, list] = await Promise.all([
        app.as.otherAdmin.call(connectors.read, { params }),
        app.as.otherAdmin.call(connectors.find, { params }),
        app.as.otherAdmin.call(connectors.list, { params }),
      ])
      return [one.status, byId.status, list.body.filter(({ Id }) => Id === params.connectorId).length]
    }
    expect(await sees()).toEqual([200, 200, 1])
    await share([])
    expect(await sees()).toEqual([404, 404, 0])
    await share([app.summit.id])
    const archive = (archivedAt: Date | null) =>
      app.store.across((db) =>
        db.updateTable('organisation').set({ archivedAt }).where('id', '=', app.harbour.id).execute(),
      )
    await archive(new Date())
    expect(await sees()).toEqual([404, 404, 0])
    await archive(null)
    expect(await sees()).toEqual([200, 200, 1])
    const other = await insertFixtures(app, app.harbour, app.idOf('user'))
    await app.as.superadmin.call(connectors.assignOrganisations, {
      params: { connectorId: other.connectorId },
      body: { organisations: [app.summit.id] },
    })
    await app.as.admin.call(connectors.remove, { params: { clientId: app.harbour.id, connectorId: other.connectorId } })
    const { status } = await app.as.otherAdmin.call(connectors.find, { params: { connectorId: other.connectorId } })
    expect(status).toBe(404)
  })

  test('cannot be shared further by its guest, and row-level security prevents a guest from sharing one with itself', async () => {
    const row = { organisationId: app.harbour.id, connectorId: theirs.connectorId, guestId: stranger.organisationId }
    const byGuest = app.store.within(app.summit.id, (db) => db.insertInto('connectorShare').values(row).execute())
    await expect(byGuest).rejects.toThrow('row-level security')
    const removed = await app.store.within(app.summit.id, (db) =>
      db.deleteFrom('connectorShare').where('connectorId', '=', theirs.connectorId).executeTakeFirst(),
    )
    expect(removed.numDeletedRows).toBe(0n)
    const seen = await app.store.within(stranger.organisationId, (db) =>
      db.selectFrom('connectorShare').selectAll().execute(),
    )
    expect(seen).toEqual([])
  })

  test('a user who is locked out of the guest organisation loses access, too', async () => {
    const { id, client } = await addPerson(app, { [app.summit.id]: 'admin' })
    const params = { clientId: app.summit.id, connectorId: theirs.connectorId }
    expect((await client.call(connectors.read, { params })).status).toBe(200)
    await app.store.across((db) =>
      db.updateTable('portalUser').set({ statusId: statusIds.locked }).where('id', '=', id).execute(),
    )
    app.clock.advance(5_001)
    expect((await client.call(connectors.read, { params })).status).toBe(401)
  })
})

describe('setting the guests', () => {
  const assign = (organisations: readonly string[]) =>
    app.as.provideradmin.call(connectors.assignOrganisations, {
      params: { connectorId: theirs.connectorId },
      body: { organisations },
    })

  test('replaces the former list, returns it by name and is in the audit log', async () => {
    const { body } = await assign([stranger.organisationId, app.summit.id])
    expect(body).toEqual([
      { Id: app.summit.id, CompanyName: 'Summit Foods' },
      { Id: stranger.organisationId, CompanyName: 'Third Mill' },
    ])
    expect((await assign([app.summit.id])).body).toEqual([{ Id: app.summit.id, CompanyName: 'Summit Foods' }])
    const read = await app.as.superadmin.call(connectors.organisations, { params: { connectorId: theirs.connectorId } })
    expect(read.body).toEqual([{ Id: app.summit.id, CompanyName: 'Summit Foods' }])
    const event = await app.store.within(theirs.clientId, (db) =>
      db.selectFrom('auditEvent').select(['action', 'detail']).orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow(),
    )
    expect(event).toMatchObject({ action: 'connector.organisations_assigned', detail: { after: [app.summit.id] } })
  })

  test.each([
    ['its own organisation', () => app.harbour.id],
    ['one that there is not', () => crypto.randomUUID()],
  ])('refuses %s and names the field', async (_, id) => {
    expect(await assign([id()])).toMatchObject({ status: 400, body: { fields: { organisations: expect.any(String) } } })
  })
})
