import { randomBytes } from 'node:crypto'
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
import { trialPassword } from '../trial/people.ts'
import { startWorker, type Worker } from '../worker.ts'

/** Beside what tests/secrets-in-logs.test.ts looks for: the keys of the server, and everything that people entrust to it. */
const masterKey = randomBytes(32)
let app: TestApp
let receiver: WebhookReceiver
let worker: Worker
let driver: RunDriver
/** By kind. Whoever adds a kind of secret plants one here. */
const planted = new Map<string, string | Buffer>()
/** What everybody was told: every body answered, every mail, every message to a webhook, everything a command printed. */
const told: string[] = []

beforeAll(async () => {
  receiver = await startWebhookReceiver()
  app = await testApp({
    env: { TRIBUTARY_ALLOW_HOSTS: new URL(receiver.url).host },
    keys: { current: masterKey, old: [] },
  })
  const source = await sourceDatabase('CREATE TABLE item (id int PRIMARY KEY); INSERT INTO item VALUES (1)')
  driver = new RunDriver(app.as.admin, app.harbour.id, source)
  worker = await startWorker({ ...app.services, clock: systemClock }, { leaseMs: 5_000, lookMs: 200 })
})
afterAll(async () => {
  await worker.stop()
  await app[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
})

function plant<S extends string | Buffer>(kind: string, secret: S): S {
  if (secret.length < 6) throw new Error(`There is nothing to look for: ${kind}.`)
  planted.set(kind, secret)
  return secret
}

async function ask<R extends Route>(as: TestClient, route: R, input: RouteInput) {
  const reply = await as.call(route, input)
  told.push(JSON.stringify(reply.body))
  return reply
}

/** The one reply that a secret is in: whoever asked for it is told it once. */
async function askFor<R extends Route>(as: TestClient, route: R, input: RouteInput) {
  const { status, body } = await as.call(route, input)
  expect(status).toBeLessThan(300)
  return body
}

async function entrustPeople(): Promise<void> {
  const person = {
    firstName: 'Typed',
    lastName: 'Person',
    emailAddress: 'typed@people.example',
    roleId: roleIdOf('user'),
  }
  await ask(app.as.admin, users.create, {
    query: { orgId: app.harbour.id },
    body: { ...person, password: plant('typed password', 'canary-typed-1') },
  })
  await ask(app.as.admin, users.invite, {
    query: { orgId: app.harbour.id },
    body: { ...person, emailAddress: 'invited@people.example' },
  })
  const link = (await app.emailsTo('invited@people.example')).at(-1)?.action?.url ?? ''
  plant('invitation link', new URL(link).searchParams.get('code') ?? new URL(link).pathname.split('/').at(-1) ?? '')

  const { secret: totp } = await askFor(app.as.user, profile.beginTotp, { body: { password: trialPassword } })
  plant('secret of an authenticator app', totp)
  const code = generateSync({ secret: totp, epoch: Math.floor(app.clock.now() / 1_000) })
  plant('code of an authenticator app', code)
  await ask(app.as.user, profile.confirmTotp, { body: { code } })
  const { recoveryCodes } = await askFor(app.as.user, profile.newRecoveryCodes, { body: { password: trialPassword } })
  plant('recovery code', recoveryCodes[0] ?? '')
}

const params = () => ({ clientId: app.harbour.id })

async function entrustConnectors(): Promise<void> {
  const target = { connector: 'postgres', host: '127.0.0.1', port: 1, database: 'x', user: 'x', sslmode: 'disable' }
  const connectorId = await driver.add('Leaky', { password: plant('password of a source', 'canary-source-1') }, [
    {
      name: 'target.connectionString',
      value: { ...target, password: plant('password of a target', 'canary-target-1') },
    },
    { name: 'target.schema', value: 'leaky' },
  ])
  await ask(app.as.admin, connectors.create, {
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
  await ask(app.as.admin, connectors.create, {
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
  plant('secret of a webhook', (await askFor(app.as.admin, alerts.save, webhook)).Webhook?.Secret ?? '')
  await ask(app.as.admin, alerts.test, { params: { ...params(), connectorId } })
  const run = await driver.runToEnd(connectorId)
  expect(run.Status).toBe('FAILED')
  told.push(JSON.stringify(run))
  await until(
    async () => receiver.received.length,
    (count) => count >= 2,
  )
  for (const route of [connectors.read, alerts.read, alerts.incidents])
    await ask(app.as.admin, route, { params: { ...params(), connectorId } })
}

async function entrustDatabases(): Promise<void> {
  const credentials = {
    connector: 'postgres',
    host: 'db.example.com',
    database: 'x',
    schema: '',
    user: 'x',
    encryption: 'verify',
  }
  const body = { ...credentials, password: plant('password of the own database', 'canary-own-database-1') }
  expect((await ask(app.as.admin, tableSync.saveCredentials, { params: params(), body })).status).toBe(200)
  plant(
    'password of the warehouse’s reader',
    (await askFor(app.as.admin, warehouse.newPassword, { params: params() })).Password ?? '',
  )
  const row = await app.store.within(app.harbour.id, (db) =>
    db.selectFrom('warehouse').selectAll().executeTakeFirstOrThrow(),
  )
  const place = { organisationId: app.harbour.id, table: 'warehouse', column: 'writer_secret', row: app.harbour.id }
  plant(
    'password of the warehouse’s writer',
    await app.store.within(app.harbour.id, (db) => app.services.secrets.decrypt(db, place, row.writerSecret)),
  )
}

async function plantKeys(): Promise<void> {
  plant('master key', masterKey)
  for (const purpose of ['access token', 'refresh token', 'password'] as const)
    plant(`key for the purpose ${purpose}`, (await app.services.serverKeys.newest(purpose)).key)
  const [key] = await app.store.across((db) => db.selectFrom('dataKey').selectAll().execute())
  if (key !== undefined) plant('data key', decrypt(masterKey, key.wrapped, dataKeyLocation(key)))
}

/** What somebody sends that cannot be read, or asks for where there is nothing. */
async function knockWrongly(): Promise<void> {
  const secret = plant('secret in a call that is refused', 'canary-refused-4711')
  const calls = [
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
  for (const call of calls) {
    const reply = await app.http.inject({
      ...call,
      headers: { host: 'localhost:3000', ...('headers' in call ? call.headers : {}) },
    })
    told.push(reply.body, JSON.stringify(reply.headers))
  }
}

async function askCommands(): Promise<void> {
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
  const asked = [
    'status',
    'config check --all',
    'user list',
    'connector list',
    'connector show harbour-trading/leaky',
    'connector logs harbour-trading/leaky',
    'keys list',
  ]
  const ended = await Promise.all(asked.map((words) => spawnCommand(['--json', ...words.split(' ')], env).ended))
  expect(ended.map(({ stdout }) => stdout.length > 2)).toEqual(asked.map(() => true))
  told.push(...ended.flatMap(({ stdout, stderr }) => [stdout, stderr]))
}

test('no secret that was entrusted to the server, and no key of its own, stands in the log, the store, the queue, a reply, a mail, a message or on the console', async () => {
  await entrustPeople()
  await entrustConnectors()
  await entrustDatabases()
  await knockWrongly()
  await plantKeys()
  await askCommands()
  expect(planted.size).toBe(23)

  told.push(...receiver.received.map((message) => JSON.stringify(message)))
  const letters = await app.store.across(async (db) =>
    Promise.all(
      (await db.selectFrom('mail').select(['id', 'body']).execute()).map((row) => app.services.mailer.decrypt(db, row)),
    ),
  )
  const places = new Map([
    ...(await readStore(app.connection)),
    ['the log', app.logLines.join('')],
    ['what was told', told.join('\n')],
  ])
  // The one mail that brings it.
  const mails = JSON.stringify(
    letters.filter(({ action }) => !containsSecret(action?.url ?? '', planted.get('invitation link') ?? '')),
  )
  places.set('mails', mails)
  expect(places.size).toBeGreaterThan(60)
  const found = [...places].flatMap(([place, text]) =>
    [...planted].filter(([, secret]) => containsSecret(text, secret)).map(([kind]) => `${kind} in ${place}`),
  )
  expect(found).toEqual([])
})
