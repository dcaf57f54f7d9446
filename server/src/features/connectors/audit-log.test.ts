import { connectorProperties } from '@tributary/contract/connector-properties'
import { connectors } from '@tributary/contract/connectors'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findAuditEvents } from '@tributary/testing/server/app/audit-log.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'

let app: TestApp
let params: { readonly clientId: string; readonly connectorId: string }
let key: string
let event: {
  readonly actorId: string
  readonly organisationId: string
  readonly outcome: string
  readonly objectId: string
}
beforeEach(async () => {
  app = await testApp()
  const clientId = app.harbour.id
  const body = { type: 'postgres', name: 'Shop', properties: [connection('canary-first')] }
  const { body: made } = await app.as.admin.call(connectors.create, { params: { clientId }, body })
  params = { clientId, connectorId: made.Id }
  key = made.Key
  event = { actorId: app.idOf('admin'), organisationId: clientId, outcome: 'success', objectId: made.Id }
})
afterEach(() => app[Symbol.asyncDispose]())

function connection(password: string) {
  return {
    name: 'source.connectionString',
    value: { host: 'db.example', port: 5432, database: 'shop', user: 'reader', password },
  }
}

test('[ASVS 16.3.1] renaming a connector is in the audit log with its user; a refused attempt is not', async () => {
  expect((await app.as.user.call(connectors.change, { params, body: { name: 'Theirs' } })).status).toBe(403)
  const denied = { ...event, actorId: app.idOf('user'), outcome: 'refused', objectId: null }
  const detail = { route: 'PATCH /tributary/clients/:clientId/connectors/:connectorId' }
  expect(await findAuditEvents(app.store, 'authz.denied')).toMatchObject([{ ...denied, detail }])
  expect((await app.as.admin.call(connectors.change, { params, body: { name: 'Renamed' } })).status).toBe(200)
  const renamed = { before: { name: 'Shop' }, after: { name: 'Renamed' } }
  expect(await findAuditEvents(app.store, 'connector.updated')).toMatchObject([{ ...event, detail: renamed }])
  expect(await findAuditEvents(app.store, 'connector.credentials_set')).toEqual([])
  expect(await findAuditEvents(app.store, 'connector.schedule_changed')).toEqual([])
})

test('[ASVS 16.3.1] setting a schedule is in the audit log with its user, the old and the new schedule; an unchanged one is not', async () => {
  for (const schedule of ['0 7 * * *', '0 7 * * *', ''])
    expect((await app.as.superadmin.call(connectors.change, { params, body: { schedule } })).status).toBe(200)
  const bySuperadmin = { ...event, actorId: app.idOf('superadmin') }
  expect(await findAuditEvents(app.store, 'connector.schedule_changed')).toMatchObject([
    { ...bySuperadmin, detail: { before: '0 6 * * *', after: '0 7 * * *' } },
    { ...bySuperadmin, detail: { before: '0 7 * * *', after: null } },
  ])
})

test('[ASVS 16.3.1] entering credentials is in the audit log with its user, without the credentials', async () => {
  const reply = await app.as.admin.call(connectorProperties.set, { params, body: [connection('canary-second')] })
  expect(reply.status).toBe(200)
  const noted = await findAuditEvents(app.store, 'connector.credentials_set')
  expect(noted).toMatchObject([event])
  expect(JSON.stringify(noted)).not.toContain('canary')
})

test('[ASVS 16.3.1] reconnecting a connector with its form is in the audit log once', async () => {
  const keys = { clientKey: app.harbour.key, connectorKey: key }
  expect((await app.as.admin.call(connectors.disconnect, { params: keys })).status).toBe(204)
  const body = { status: 'CONNECTED' as const, properties: [connection('canary-third')] }
  for (const _ of [1, 2]) expect((await app.as.admin.call(connectors.change, { params, body })).status).toBe(200)
  expect(await findAuditEvents(app.store, 'connector.reconnected')).toMatchObject([event])
})
