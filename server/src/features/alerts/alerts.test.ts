import { alerts } from '@tributary/contract/alerts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findAuditEvents } from '@tributary/testing/server/app/audit-log.ts'
import { insertFixtures, type RouteFixtures } from '@tributary/testing/server/app/every-route.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import {
  startWebhookReceiver,
  verifySignature,
  type WebhookReceiver,
} from '@tributary/testing/server/connectors/webhook-receiver.ts'

let app: TestApp
let records: RouteFixtures
let params: { readonly clientId: string; readonly connectorId: string }
let receiver: WebhookReceiver
beforeAll(async () => {
  receiver = await startWebhookReceiver()
  app = await testApp({ env: { TRIBUTARY_ALLOW_HOSTS: new URL(receiver.url).host } })
  records = await insertFixtures(app, app.harbour, app.idOf('user'))
  params = { clientId: records.clientId, connectorId: records.connectorId }
})
afterAll(async () => {
  await app[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
})
beforeEach(() => {
  receiver.received.length = 0
  receiver.respond = () => ({ status: 204 })
})

function save(url: string | null, users: readonly string[] | null = null) {
  return app.as.admin.call(alerts.save, { params, body: { users, webhook: url === null ? null : { url } } })
}
const read = async () => (await app.as.admin.call(alerts.read, { params })).body

describe('alert recipients', () => {
  test('are all administrators by default, and otherwise members only', async () => {
    expect(await read()).toEqual({ Users: null, Webhook: null })
    expect((await save(null, [app.idOf('user')])).body).toEqual({ Users: [app.idOf('user')], Webhook: null })
    expect(await read()).toEqual({ Users: [app.idOf('user')], Webhook: null })
    expect(await save(null, [app.idOf('otherAdmin')])).toMatchObject({
      status: 400,
      body: { fields: { users: expect.any(String) } },
    })
    expect((await save(null)).body.Users).toBeNull()
    const event = {
      actorId: app.idOf('admin'),
      organisationId: app.harbour.id,
      outcome: 'success',
      objectId: records.connectorId,
    }
    expect(await findAuditEvents(app.store, 'connector.alerts_set')).toMatchObject([
      { ...event, detail: { users: [app.idOf('user')], webhook: null } },
      { ...event, detail: { users: null, webhook: null } },
    ])
  })
})

describe('a webhook', () => {
  test('has a secret that is shown only when it is created, and is encrypted in the store', async () => {
    const created = await save(receiver.url)
    const secret = created.body.Webhook?.Secret ?? ''
    expect(secret).toMatch(/^whsec_.{40,}$/u)
    expect((await save(receiver.url)).body.Webhook).toEqual({ Url: receiver.url, Secret: null })
    expect((await read()).Webhook).toEqual({ Url: receiver.url, Secret: null })
    const moved = await save(`${receiver.url}/other`)
    expect(moved.body.Webhook?.Secret).not.toBe(secret)
    const everything = await app.store.within(records.clientId, async (db) => [
      await db.selectFrom('connector').selectAll().execute(),
      await db.selectFrom('auditEvent').selectAll().execute(),
    ])
    expect(JSON.stringify([everything, app.logLines])).not.toContain(secret)
    expect((await save(null)).body.Webhook).toBeNull()
  })

  test('receives a signed test message, whose result is reported', async () => {
    const secret = (await save(receiver.url)).body.Webhook?.Secret ?? ''
    const sendTest = () => app.as.admin.call(alerts.test, { params })
    expect((await sendTest()).body).toEqual({ Delivered: true, Notice: 'The webhook accepted the test message.' })
    const [message] = receiver.received
    if (message === undefined) throw new Error('Nothing was received.')
    expect(JSON.parse(message.body)).toEqual({ Event: 'test', Connector: { Id: records.connectorId } })
    expect(verifySignature(message, secret)).toEqual({ isGood: true, at: Math.floor(app.clock.now() / 1_000) })
    expect(verifySignature(message, 'whsec_another').isGood).toBe(false)
    expect(message.headers['tributary-delivery']).toMatch(/^[0-9a-f-]{36}$/u)
    receiver.respond = () => ({ status: 500, body: 'canary-answer' })
    const refused = await sendTest()
    expect(refused.body).toEqual({ Delivered: false, Notice: 'It answered 500.' })
    receiver.respond = () => ({ status: 200, body: 'x'.repeat(2_000_000) })
    expect((await sendTest()).body).toMatchObject({ Delivered: false })
    await save(null)
    expect(await sendTest()).toMatchObject({ status: 422, body: { fields: { 'webhook.url': expect.any(String) } } })
  })

  test('is not called again at the target of a redirect', async () => {
    await save(receiver.url)
    receiver.respond = () => ({ status: 302, headers: { location: `${receiver.url}/elsewhere` } })
    const { body } = await app.as.admin.call(alerts.test, { params })
    expect(body).toEqual({ Delivered: false, Notice: 'It answered 302, a redirect, which is not followed.' })
    expect(receiver.received).toHaveLength(1)
  })

  test('times out after ten seconds without a response', async () => {
    await save(receiver.url)
    receiver.respond = () => null
    const { body } = await app.as.admin.call(alerts.test, { params })
    expect(body).toEqual({ Delivered: false, Notice: 'It did not answer in time, or closed the connection.' })
  }, 30_000)

  test.each([
    ['a metadata service', 'http://169.254.169.254/latest', 'internal address'],
    ['a local port', 'http://127.0.0.1:1/hook', 'internal address'],
    ['an unknown host', 'https://nowhere.invalid/hook', 'There is no host'],
    ['another scheme', 'ftp://example.com/hook', 'must begin with https://'],
    ['a user in the address', 'https://a-user:secret@example.com/hook', 'must not contain a user'],
  ])('cannot have the address of %s', async (_, url, sentence) => {
    const { status, body } = await save(url)
    expect({ status, body }).toMatchObject({
      status: 422,
      body: { fields: { 'webhook.url': expect.stringContaining(sentence) } },
    })
    expect((await read()).Webhook?.Url).not.toBe(url)
  })

  test('is not called if its address became internal after it was saved', async () => {
    await save(receiver.url)
    await app.store.within(records.clientId, (db) =>
      db
        .updateTable('connector')
        .set({ webhookUrl: 'http://127.0.0.1:1/hook' })
        .where('id', '=', records.connectorId)
        .execute(),
    )
    const { body } = await app.as.admin.call(alerts.test, { params })
    expect(body).toMatchObject({ Delivered: false, Notice: expect.stringContaining('TRIBUTARY_ALLOW_HOSTS') })
    await save(null)
  })

  test('requires HTTPS outside a trial', async () => {
    await using real = await testApp({
      env: {
        TRIBUTARY_MODE: 'production',
        TRIBUTARY_PUBLIC_URL: 'https://tributary.example',
        TRIBUTARY_ALLOW_HOSTS: new URL(receiver.url).host,
      },
    })
    const { clientId, connectorId } = await insertFixtures(real, real.harbour, real.idOf('user'))
    const at = { params: { clientId, connectorId } }
    const headers = { host: 'tributary.example' }
    const session = await real.http.inject({
      method: 'POST',
      url: '/api/auth/signin',
      headers,
      payload: { emailAddress: 'admin@demo.example', password: 'tributary-demo-1' },
    })
    const { accessToken } = session.json<{ accessToken: string }>()
    const reply = await real.http.inject({
      method: 'PUT',
      url: `/api/tributary/clients/${at.params.clientId}/connectors/${at.params.connectorId}/alerts`,
      headers: { ...headers, authorization: `Bearer ${accessToken}` },
      payload: { users: null, webhook: { url: receiver.url } },
    })
    expect({ status: reply.statusCode, body: reply.json<object>() }).toMatchObject({
      status: 422,
      body: { fields: { 'webhook.url': 'The address must begin with https://.' } },
    })
  })
})
