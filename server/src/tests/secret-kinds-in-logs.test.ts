import { randomBytes } from 'node:crypto'
import { alertChannels } from '@tributary/contract/alert-channels'
import { alerts } from '@tributary/contract/alerts'
import { connectors } from '@tributary/contract/connectors'
import type { Route } from '@tributary/contract/route'
import { profile } from '@tributary/contract/profile'
import { tableSync } from '@tributary/contract/table-sync'
import { users } from '@tributary/contract/users'
import { warehouse } from '@tributary/contract/warehouse'
import { generateSync } from 'otplib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { spawnCommand } from '@tributary/testing/server/cli/spawn-command.ts'
import { systemClock } from '../kernel/clock.ts'
import { decrypt } from '../security/keys/aes-gcm.ts'
import { dataKeyLocation } from '../security/secrets/secrets.ts'
import { containsSecret, readStore } from '@tributary/testing/server/app/find-secrets.ts'
import type { RouteInput, TestClient } from '@tributary/testing/server/app/client.ts'
import { roleIdOf } from '@tributary/testing/server/app/fixed-ids.ts'
import { RunDriver, until } from '@tributary/testing/server/connectors/run-driver.ts'
import { sourceDatabase } from '@tributary/testing/server/connectors/source-database.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { startWebhookReceiver, type WebhookReceiver } from '@tributary/testing/server/connectors/webhook-receiver.ts'
import { addActionsWithSecrets } from '@tributary/testing/server/publishing/actions-with-secrets.ts'
import { trialPassword } from '../trial/people.ts'
import { startWorker, type Worker } from '../worker.ts'

/** Complements tests/secrets-in-logs.test.ts: the keys of the server, and the secrets that people enter. */
const masterKey = randomBytes(32)
let app: TestApp
let receiver: WebhookReceiver
let worker: Worker
let driver: RunDriver
/** Secrets by kind. Add one here for each new kind of secret. */
const planted = new Map<string, string | Buffer>()
/** All output of the server: replies, emails, webhook messages and the output of commands. */
const outputs: string[] = []

beforeAll(async () => {
  receiver = await startWebhookReceiver()
  app = await testApp({
    env: { TRIBUTARY_ALLOW_HOSTS: new URL(receiver.url).host },
    keys: { current: masterKey, old: [] },
  })
  const source = await sourceDatabase('CREATE TABLE item (id int PRIMARY KEY); INSERT INTO item VALUES (1)')
  driver = new RunDriver(app.as.admin, app.harbour.id, source)
  worker = await startWorker({ ...app.services, clock: systemClock }, { leaseMs: 5_000, pollMs: 200 })
})
afterAll(async () => {
  await worker.stop()
  await app[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
})

function plant<S extends string | Buffer>(kind: string, secret: S): S {
  if (secret.length < 6) throw new Error(`This secret is too short to search for: ${kind}.`)
  planted.set(kind, secret)
  return secret
}

async function send<R extends Route>(as: TestClient, route: R, input: RouteInput) {
  const reply = await as.call(route, input)
  outputs.push(JSON.stringify(reply.body))
  return reply
}

/** Calls a route whose reply contains a secret on purpose; the reply is not searched. */
async function requestSecret<R extends Route>(as: TestClient, route: R, input: RouteInput) {
  const { status, body } = await as.call(route, input)
  expect(status).toBeLessThan(300)
  return body
}

async function plantPersonalSecrets(): Promise<void> {
  const person = {
    firstName: 'Typed',
    lastName: 'Person',
    emailAddress: 'typed@people.example',
    roleId: roleIdOf('user'),
  }
  await send(app.as.admin, users.create, {
    query: { orgId: app.harbour.id },
    body: { ...person, password: plant('typed password', 'canary-typed-1') },
  })
  await send(app.as.admin, users.invite, {
    query: { orgId: app.harbour.id },
    body: { ...person, emailAddress: 'invited@people.example' },
  })
  const link = (await app.emailsTo('invited@people.example')).at(-1)?.action?.url ?? ''
  plant('invitation link', new URL(link).searchParams.get('code') ?? new URL(link).pathname.split('/').at(-1) ?? '')

  const { secret: totp } = await requestSecret(app.as.user, profile.beginTotp, { body: { password: trialPassword } })
  plant('secret of an authenticator app', totp)
  const code = generateSync({ secret: totp, epoch: Math.floor(app.clock.now() / 1_000) })
  plant('code of an authenticator app', code)
  await send(app.as.user, profile.confirmTotp, { body: { code } })
  const { recoveryCodes } = await requestSecret(app.as.user, profile.newRecoveryCodes, {
    body: { password: trialPassword },
  })
  plant('recovery code', recoveryCodes[0] ?? '')
}

const params = () => ({ clientId: app.harbour.id })

async function plantConnectorSecrets(): Promise<void> {
  const target = { connector: 'postgres', host: '127.0.0.1', port: 1, database: 'x', user: 'x', sslmode: 'disable' }
  const connectorId = await driver.add('Leaky', { password: plant('password of a source', 'canary-source-1') }, [
    {
      name: 'target.connectionString',
      value: { ...target, password: plant('password of a target', 'canary-target-1') },
    },
    { name: 'target.schema', value: 'leaky' },
  ])
  await send(app.as.admin, connectors.create, {
    params: params(),
    body: {
      type: 'cin7',
      name: 'Stock',
      properties: [
        { name: 'cin7.accountId', value: '0b1c2d3e-1111-4222-8333-444455556666' },
        { name: 'cin7.applicationKey', value: plant('key of an API', 'canary-cin7-4455-6677-8899') },
      ],
    },
  })
  await send(app.as.admin, connectors.create, {
    params: params(),
    body: {
      type: 'uniconta',
      name: 'Ledger',
      properties: [
        { name: 'uniconta.username', value: 'leaky' },
        { name: 'uniconta.password', value: plant('password of an API', 'canary-uniconta-1') },
      ],
    },
  })
  const webhook = { params: { ...params(), connectorId }, body: { users: null, webhook: { url: receiver.url } } }
  plant('secret of a webhook', (await requestSecret(app.as.admin, alerts.save, webhook)).Webhook?.Secret ?? '')
  await send(app.as.admin, alerts.test, { params: { ...params(), connectorId } })
  await plantChannels()
  const actions = await addActionsWithSecrets(app.as.admin, app.harbour.id, receiver.url)
  for (const [kind, secret] of Object.entries(actions.secrets)) plant(kind, secret)
  outputs.push(...actions.replies)
  const run = await driver.runToEnd(connectorId)
  expect(run.Status).toBe('FAILED')
  outputs.push(JSON.stringify(run))
  await until(
    async () => receiver.received.length,
    (count) => count >= 2,
  )
  for (const route of [connectors.read, alerts.read, alerts.incidents])
    await send(app.as.admin, route, { params: { ...params(), connectorId } })
}

/** Without messages to them, because the receiver reports the path of each. */
async function plantChannels(): Promise<void> {
  const channel = { name: 'Leaky', kinds: null, connectors: null, frequency: 'never', hour: 8 } as const
  for (const service of ['slack', 'teams'] as const) {
    const address = `${new URL(receiver.url).origin}/services/${plant(`address of ${service}`, `canary-${service}-4711`)}`
    await send(app.as.admin, alertChannels.create, { params: params(), body: { ...channel, service, address } })
  }
  const webhook = { ...channel, service: 'webhook', address: receiver.url } as const
  const { Secret } = await requestSecret(app.as.admin, alertChannels.create, { params: params(), body: webhook })
  plant('secret of an alert channel', Secret ?? '')
  await send(app.as.admin, alertChannels.list, { params: params() })
}

async function plantDatabaseSecrets(): Promise<void> {
  const credentials = {
    connector: 'postgres',
    host: 'db.example.com',
    database: 'x',
    schema: '',
    user: 'x',
    encryption: 'verify',
  }
  const body = { ...credentials, password: plant('password of the own database', 'canary-own-database-1') }
  expect((await send(app.as.admin, tableSync.saveCredentials, { params: params(), body })).status).toBe(200)
  plant(
    'password of the warehouse’s reader',
    (await requestSecret(app.as.admin, warehouse.newPassword, { params: params() })).Password ?? '',
  )
  const row = await app.store.within(app.harbour.id, (db) =>
    db.selectFrom('warehouse').selectAll().executeTakeFirstOrThrow(),
  )
  const location = { organisationId: app.harbour.id, table: 'warehouse', column: 'writer_secret', row: app.harbour.id }
  plant(
    'password of the warehouse’s writer',
    await app.store.within(app.harbour.id, (db) => app.services.secrets.decrypt(db, location, row.writerSecret)),
  )
}

async function plantKeys(): Promise<void> {
  plant('master key', masterKey)
  for (const purpose of ['access token', 'refresh token', 'password'] as const)
    plant(`key for the purpose ${purpose}`, (await app.services.serverKeys.newest(purpose)).key)
  const [key] = await app.store.across((db) => db.selectFrom('dataKey').selectAll().execute())
  if (key !== undefined) plant('data key', decrypt(masterKey, key.wrapped, dataKeyLocation(key)))
}

/** Sends secrets in invalid requests and to unknown addresses. */
async function sendInvalidRequests(): Promise<void> {
  const secret = plant('secret in a refused request', 'canary-refused-4711')
  const requests = [
    { method: 'GET', url: `/api/reset-password/${secret}?password=${secret}` },
    { method: 'GET', url: `/nowhere/${secret}?token=${secret}` },
    { method: 'GET', url: `/api/%E0%A4%A/${secret}` },
    {
      method: 'POST',
      url: `/api/auth/signin`,
      payload: `{"password": "${secret}`,
      headers: { 'content-type': 'application/json' },
    },
    {
      method: 'POST',
      url: `/api/auth/signin`,
      payload: JSON.stringify({ [secret.slice(0, 6)]: secret, password: secret }),
      headers: { 'content-type': 'application/json' },
    },
    {
      method: 'GET',
      url: '/api/me/sessions',
      headers: { authorization: `Bearer ${secret}`, cookie: `tributary_refresh=${secret}` },
    },
  ] as const
  for (const request of requests) {
    const reply = await app.http.inject({
      ...request,
      headers: { host: 'localhost:3000', ...('headers' in request ? request.headers : {}) },
    })
    outputs.push(reply.body, JSON.stringify(reply.headers))
  }
}

async function runCommands(): Promise<void> {
  const { host, port, user, password, database } = app.connection
  const env = {
    TRIBUTARY_MODE: 'production',
    DATABASE_URL: `postgres://${user}:${plant('password of the store', String(password))}@${host}:${port}/${database}`,
    TRIBUTARY_PUBLIC_URL: 'https://tributary.example.com',
    TRIBUTARY_SMTP_URL: `smtp://mailer:${plant('password of the mail server', 'canary-smtp-1')}@127.0.0.1:1`,
    TRIBUTARY_MASTER_KEY: masterKey.toString('base64'),
    TRIBUTARY_CAPTCHA: 'turnstile',
    TRIBUTARY_CAPTCHA_SITE_KEY: 'site',
    TRIBUTARY_CAPTCHA_SECRET: plant('secret of a captcha', 'canary-captcha-1'),
    TRIBUTARY_XERO_CLIENT_ID: 'app',
    TRIBUTARY_XERO_CLIENT_SECRET: plant('secret of the provider’s app', 'canary-xero-app-1'),
  }
  const commands = [
    'status',
    'config check --all',
    'user list',
    'connector list',
    'connector show harbour-trading/leaky',
    'connector logs harbour-trading/leaky',
    'keys list',
  ]
  const ended = await Promise.all(commands.map((words) => spawnCommand(['--json', ...words.split(' ')], env).ended))
  expect(ended.map(({ stdout }) => stdout.length > 2)).toEqual(commands.map(() => true))
  outputs.push(...ended.flatMap(({ stdout, stderr }) => [stdout, stderr]))
}

test('no entered secret and no key of the server is in the log, the store, the queue, a reply, an email, a webhook message or on the console', async () => {
  await plantPersonalSecrets()
  await plantConnectorSecrets()
  await plantDatabaseSecrets()
  await sendInvalidRequests()
  await plantKeys()
  await runCommands()
  expect(planted.size).toBe(29)

  outputs.push(...receiver.received.map((message) => JSON.stringify(message)))
  const emails = await app.store.across(async (db) =>
    Promise.all(
      (await db.selectFrom('mail').select(['id', 'body']).execute()).map((row) => app.services.mailer.decrypt(db, row)),
    ),
  )
  const searched = new Map([
    ...(await readStore(app.connection)),
    ['the log', app.logLines.join('')],
    ['the output', outputs.join('\n')],
  ])
  // Without the email that delivers the invitation link.
  const mails = JSON.stringify(
    emails.filter(({ action }) => !containsSecret(action?.url ?? '', planted.get('invitation link') ?? '')),
  )
  searched.set('mails', mails)
  expect(searched.size).toBeGreaterThan(60)
  const found = [...searched].flatMap(([source, text]) =>
    [...planted].filter(([, secret]) => containsSecret(text, secret)).map(([kind]) => `${kind} in ${source}`),
  )
  expect(found).toEqual([])
})
