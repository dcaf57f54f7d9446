import { auditorRooms } from '@tributary/contract/auditor-rooms'
import { tokens } from '@tributary/contract/tokens'
import { users } from '@tributary/contract/users'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DataFixture, openDataFixture } from '@tributary/testing/server/access/data-fixture.ts'
import { findAuditEvents } from '@tributary/testing/server/app/audit-log.ts'
import { roleIdOf } from '@tributary/testing/server/app/fixed-ids.ts'
import type { TestApp } from '@tributary/testing/server/app/test-app.ts'
import {
  acceptInvitation,
  addAuditor,
  auditorCalls,
  type AuditorFixture,
  roomExtent,
} from '@tributary/testing/server/identity/auditor.ts'

const dayMs = 86_400_000
let there: DataFixture
let app: TestApp
let shop: string
let stock: string
beforeAll(async () => {
  there = await openDataFixture()
  app = there.app
  const list = await app.store.within(app.harbour.id, (db) =>
    db.selectFrom('connector').select(['id', 'name']).execute(),
  )
  const find = (wanted: string) => list.find(({ name }) => name === wanted)?.id ?? ''
  shop = find('Shop')
  stock = find('Stock')
})
afterAll(() => there[Symbol.asyncDispose]())

const params = () => ({ clientId: app.harbour.id })
const { own, room, latest, end } = auditorCalls(() => app)

test('[TRUST-14] a token never works in a room, no matter who made it', async () => {
  const { secret } = await tokenOf(await addAuditor(app, { connectorIds: [shop] }))
  const headers = { authorization: `Bearer ${secret}` }
  for (const url of [`/odata/${app.harbour.key}`, `/api/tributary/clients/${app.harbour.id}/connectors`])
    expect([url, (await app.http.inject({ url, headers })).statusCode]).toEqual([url, 401])
  const mcp = {
    method: 'POST',
    url: '/mcp',
    headers,
    payload: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
  } as const
  expect((await app.http.inject(mcp)).statusCode).toBe(401)
})

/** A token that was made in another way than by the API, which refuses it. */
async function tokenOf({ userId }: AuditorFixture) {
  const made = await app.as.user.call(tokens.create, {
    body: { organisationId: app.harbour.id, name: 'Feed', scopes: ['data.read', 'status.read'], days: 30 },
  })
  const secret = (made.body as { Secret?: string }).Secret ?? ''
  await app.store.within(app.harbour.id, (db) =>
    db.updateTable('apiToken').set({ userId }).where('name', '=', 'Feed').execute(),
  )
  return { secret }
}

test('[TRUST-14] a room is extended, covers other connectors, and can be opened again for the same person', async () => {
  const avery = await addAuditor(app, { connectorIds: [shop] })
  const change = (extent: object) =>
    app.as.admin.call(auditorRooms.change, {
      params: { ...params(), roomId: avery.roomId },
      body: roomExtent(app, { connectorIds: [stock], ...extent }),
    })
  const later = new Date(app.clock.now() + 89 * dayMs).toISOString()
  expect((await change({ endsAt: later })).body).toMatchObject({ EndsAtUtc: later, Connectors: [{ Name: 'Stock' }] })
  app.clock.advance(5_001)
  expect([(await latest(avery.client, shop)).status, (await latest(avery.client, stock)).status]).toEqual([404, 200])
  for (const [extent, field] of [
    [{ endsAt: new Date(app.clock.now() + 91 * dayMs).toISOString() }, 'endsAt'],
    [{ endsAt: new Date(app.clock.now() - 1).toISOString() }, 'endsAt'],
    [{ periodFrom: '2026-02-01', periodTo: '2026-01-01' }, 'periodTo'],
    [{ connectorIds: [app.summit.id] }, 'connectorIds'],
  ] as const) {
    const { status, body } = await change(extent)
    expect([status, Object.keys((body as { fields?: object }).fields ?? {})]).toEqual([400, [field]])
  }
  for (const action of ['auditor_room.opened', 'auditor_room.changed'] as const)
    expect((await findAuditEvents(app.store, action)).at(-1)).toMatchObject({
      actorId: app.idOf('admin'),
      objectId: avery.roomId,
    })
  await end(avery.roomId)
  expect((await change({})).status).toBe(409)
  const again = await app.as.admin.call(auditorRooms.create, {
    params: params(),
    body: {
      firstName: 'Avery',
      lastName: 'Auditor',
      emailAddress: avery.emailAddress,
      ...roomExtent(app, { connectorIds: [shop] }),
    },
  })
  expect(again.status).toBe(201)
  await acceptInvitation(app, avery.emailAddress)
  await avery.client.signIn()
  expect((await own(avery.client)).body.Id).toBe(again.body.Id)
})

test('[TRUST-14] members are not made auditors, and auditors not given a role', async () => {
  const body = {
    firstName: 'A',
    lastName: 'B',
    emailAddress: 'user@demo.example',
    ...roomExtent(app, { connectorIds: [shop] }),
  }
  expect((await app.as.admin.call(auditorRooms.create, { params: params(), body })).status).toBe(409)
  const avery = await addAuditor(app, { connectorIds: [shop] })
  const change = { organisationId: app.harbour.id, roleId: roleIdOf('user') }
  const reply = await app.as.admin.call(users.update, { params: { userId: avery.userId }, body: change })
  expect([reply.status, (reply.body as unknown as { code: string }).code]).toEqual([409, 'auditorRole'])
  expect(
    (await app.as.admin.call(users.remove, { params: { userId: avery.userId }, query: { orgId: app.harbour.id } }))
      .status,
  ).toBe(204)
  expect(await room(avery.roomId)).toMatchObject({ State: 'ENDED', FirstName: 'Deleted' })
})

test('[TRUST-14] a room that was not accepted is ended with its invitation', async () => {
  const emailAddress = 'waiting@auditors.example'
  const body = { firstName: 'A', lastName: 'B', emailAddress, ...roomExtent(app, { connectorIds: [shop] }) }
  const opened = (await app.as.admin.call(auditorRooms.create, { params: params(), body })).body
  expect(opened.State).toBe('INVITED')
  expect((await app.as.admin.call(auditorRooms.create, { params: params(), body })).status).toBe(409)
  await end(opened.Id)
  await expect(acceptInvitation(app, emailAddress)).rejects.toThrow('linkSpent')
})

test('[TRUST-14] rooms are for administrators of the organisation; nobody else has one', async () => {
  const avery = await addAuditor(app, { connectorIds: [shop] })
  const { user, guest, otherAdmin, provideradmin } = app.as
  for (const who of [user, guest]) {
    expect((await who.call(auditorRooms.list, { params: params() })).status).toBe(403)
    expect((await own(who)).status).toBe(404)
  }
  expect((await provideradmin.call(auditorRooms.list, { params: params() })).status).toBe(200)
  expect((await otherAdmin.call(auditorRooms.list, { params: params() })).status).toBe(404)
  const theirs = { clientId: app.summit.id, roomId: avery.roomId }
  for (const route of [auditorRooms.end, auditorRooms.looks])
    expect((await otherAdmin.call(route, { params: theirs })).status).toBe(404)
  expect((await avery.client.call(auditorRooms.own, { params: { clientId: app.summit.id } })).status).toBe(404)
})
