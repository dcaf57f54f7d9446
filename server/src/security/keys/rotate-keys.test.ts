import { signInRoutes } from '@tributary/contract/sign-in'
import { decodeProtectedHeader } from 'jose'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemAuditContext } from '../../kernel/audit-context.ts'
import { trialPassword } from '../../trial/people.ts'
import { solveCaptcha } from '@tributary/testing/server/identity/captcha.ts'
import { TestClient } from '@tributary/testing/server/app/client.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { graceMs, listKeys, overlapMs, retireKey, signingKeyMs, rotateAndCleanUpKeys } from './key-rotation-cleanup.ts'
import { rotateDataKeys, rotateServerKey } from './rotate-keys.ts'
import { countEncryptedValues } from './encrypted-columns.ts'
import type { RootKeyKind } from './server-keys.ts'

/** Two processes of one installation. */
let app: TestApp
let other: TestApp
beforeEach(async () => {
  app = await testApp()
  other = await testApp({ sharesDatabaseWith: app })
})
afterEach(async () => {
  await other[Symbol.asyncDispose]()
  await app[Symbol.asyncDispose]()
})

const account = { emailAddress: 'user@demo.example', password: trialPassword }

async function statusAt(server: TestApp, accessToken: string): Promise<number> {
  const headers = { host: 'localhost:3000', authorization: `Bearer ${accessToken}` }
  return (await server.http.inject({ method: 'GET', url: '/api/me/sessions', headers })).statusCode
}
async function tokenOf(client: TestClient): Promise<string> {
  return (await client.session())?.accessToken ?? ''
}
/** The same browser, at the other process. */
function movedTo(server: TestApp, client: TestClient): TestClient {
  const moved = new TestClient(server.http, account)
  for (const [name, value] of client.cookies) moved.cookies.set(name, value)
  return moved
}
function rotate(root: RootKeyKind): Promise<string> {
  return rotateServerKey(app.services, systemAuditContext, root)
}
function keysOf(kind: RootKeyKind | 'data') {
  return app.store.across(async (db) => (await listKeys(db, app.clock.now())).filter((key) => key.kind === kind))
}
async function keyIdOf(kind: RootKeyKind): Promise<string> {
  return (await keysOf(kind))[0]?.id ?? ''
}
const retire = (id: string, isForced = false) => retireKey(app.services, systemAuditContext, { id, isForced })

test('a new signing key ends no session: tokens of the former key stay valid in every process', async () => {
  const client = new TestClient(app.http, account)
  const before = await tokenOf(client)
  expect(await statusAt(other, before)).toBe(200)
  const id = await rotate('signing')

  const after = await tokenOf(new TestClient(app.http, account))
  expect(decodeProtectedHeader(after).kid).toBe(id)
  expect(decodeProtectedHeader(before).kid).not.toBe(id)
  // The other process has cached the keys without this one.
  expect(await statusAt(other, after)).toBe(200)
  for (const server of [app, other]) expect(await statusAt(server, before)).toBe(200)
  await client.refresh()
  const moved = movedTo(other, client)
  const { accessToken } = await moved.refresh()
  for (const server of [app, other]) expect(await statusAt(server, accessToken)).toBe(200)
})

test('the reuse of an old refresh token is still detected after a key rotation', async () => {
  const client = new TestClient(app.http, account)
  await client.signIn()
  const thief = movedTo(app, client)
  await client.refresh()
  await rotate('signing')
  await client.refresh()
  app.clock.advance(60_000)
  await expect(thief.refresh()).rejects.toThrow('401')
  await expect(client.refresh()).rejects.toThrow('401')
})

test('tokens of a retired signing key are refused immediately here, and within five seconds in other processes', async () => {
  const former = await keyIdOf('signing')
  const client = new TestClient(app.http, account)
  const token = await tokenOf(client)
  expect(await statusAt(other, token)).toBe(200)
  await rotate('signing')
  expect(await retire(former)).toEqual({ uses: 1 })
  expect(await retire(former, true)).toBe('retired')
  expect(await statusAt(app, token)).toBe(401)
  app.clock.advance(5_001)
  expect(await statusAt(other, token)).toBe(401)
  await expect(movedTo(other, client).refresh()).rejects.toThrow('401')
  expect(await retire(former)).toBe('unknown')
  expect(await retire(await keyIdOf('signing'), true)).toBe('current')
})

test('codes and proofs of work from before a key rotation are accepted after it by any process', async () => {
  const recaptchaToken = await solveCaptcha(app)
  await app.store.across((db) =>
    db.updateTable('portalUser').set({ requiresMfa: true }).where('id', '=', app.idOf('user')).execute(),
  )
  const { body: asked } = await app.as.visitor.call(signInRoutes.withPassword, { body: account })
  const code = (await app.emailsTo(account.emailAddress)).at(-1)?.code
  await rotate('signing')
  const { verificationReference } = asked as { readonly verificationReference: string }
  const body = { verificationReference, verificationCode: code }
  expect((await other.as.visitor.call(signInRoutes.withPassword, { body })).status).toBe(200)
  expect(
    (
      await other.as.visitor.call(signInRoutes.requestLink, {
        body: { emailAddress: account.emailAddress, recaptchaToken },
      })
    ).status,
  ).toBeLessThan(300)
})

test('a browser stays known through key rotations, and reuse of its former cookie is detected', async () => {
  const browser = new TestClient(app.http, account)
  await browser.signIn()
  for (const [name] of browser.cookies) if (!name.includes('device')) browser.cookies.delete(name)
  for (const server of [app, other, app]) {
    await rotate('signing')
    const moved = movedTo(server, browser)
    await moved.signIn()
    for (const [name, value] of moved.cookies) if (browser.cookies.has(name)) browser.cookies.set(name, value)
  }
  const devices = () =>
    app.store.across((db) => db.selectFrom('device').select('id').where('userId', '=', app.idOf('user')).execute())
  expect(await devices()).toHaveLength(1)
  const thief = movedTo(other, browser)
  await movedTo(app, browser).signIn()
  app.clock.advance(60_000)
  await thief.signIn()
  expect((await app.emailsTo(account.emailAddress)).map(({ template }) => template)).toEqual([
    'account-changed',
    'new-device',
  ])
})

test('passwords adopt a new pepper at sign-in, and the former pepper is destroyed when unused', async () => {
  const former = await keyIdOf('pepper')
  const count = (await keysOf('pepper'))[0]?.uses ?? 0
  expect(count).toBeGreaterThan(4)
  const id = await rotate('pepper')
  expect(await retire(former)).toEqual({ uses: count })
  await new TestClient(other.http, account).signIn()
  // The other process has cached the former pepper; it follows within five seconds.
  app.clock.advance(5_001)
  await new TestClient(other.http, account).signIn()
  const hashOf = () =>
    app.store.across((db) =>
      db.selectFrom('portalUser').select('passwordHash').where('id', '=', app.idOf('user')).executeTakeFirstOrThrow(),
    )
  expect((await hashOf()).passwordHash).toContain(id)
  expect(await retire(former)).toEqual({ uses: count - 1 })

  for (const { emailAddress } of await app.store.across((db) =>
    db.selectFrom('portalUser').select('emailAddress').execute(),
  ))
    await new TestClient(app.http, { ...account, emailAddress }).signIn()
  expect(await retire(former)).toBe('fresh')
  app.clock.advance(graceMs)
  expect(await retire(former)).toBe('retired')
  await new TestClient(other.http, account).signIn()
})

test('a person whose pepper was destroyed must reset the password, and the reply reveals nothing', async () => {
  const former = await keyIdOf('pepper')
  await rotate('pepper')
  expect(await retire(former, true)).toBe('retired')
  app.clock.advance(5_001)
  const { status, body } = await other.as.visitor.call(signInRoutes.withPassword, { body: account })
  expect({ status, body }).toMatchObject({
    status: 401,
    body: { message: 'Please check your email address and password.' },
  })
})

test('after a rotation of data keys, all secrets are readable in every process and use the new keys', async () => {
  const place = { organisationId: app.harbour.id, table: 'warehouse', column: 'writer_secret', row: app.harbour.id }
  const sealed = await app.store.within(app.harbour.id, (db) =>
    app.services.secrets.encrypt(db, place, 'canary-of-the-warehouse'),
  )
  const names = { databaseName: 'w', writerName: 'w_writer', readerName: 'w_reader', writerSecret: sealed }
  await app.store.across((db) =>
    db
      .insertInto('warehouse')
      .values({ organisationId: app.harbour.id, ...names })
      .execute(),
  )
  await app.as.visitor.call(signInRoutes.requestLink, {
    body: { emailAddress: account.emailAddress, recaptchaToken: await solveCaptcha(app) },
  })
  const before = await keysOf('data')
  expect(before.map(({ organisationId }) => organisationId).toSorted()).toEqual([app.harbour.id, null].toSorted())

  const done = await rotateDataKeys(app.services, systemAuditContext, 'all')
  expect(done).toEqual({ keys: 2, values: before.reduce((sum, { uses }) => sum + uses, 0) })
  const counts = await app.store.across(countEncryptedValues)
  for (const { id } of before) expect(counts.get(id)).toBeUndefined()
  const read = ({ writerSecret }: { writerSecret: string }) =>
    other.store.within(app.harbour.id, (db) => other.services.secrets.decrypt(db, place, writerSecret))
  const stored = await app.store.within(app.harbour.id, (db) =>
    db.selectFrom('warehouse').select('writerSecret').executeTakeFirstOrThrow(),
  )
  expect(await read(stored)).toBe('canary-of-the-warehouse')
  expect((await other.emailsTo(account.emailAddress)).length).toBe(1)

  // Another process may have read a value just before it was encrypted again, so its key stays for a while.
  await rotateAndCleanUpKeys(app.services)
  expect(await read({ writerSecret: sealed })).toBe('canary-of-the-warehouse')
  app.clock.advance(graceMs)
  await rotateAndCleanUpKeys(app.services)
  expect((await keysOf('data')).map(({ id }) => id)).not.toContain(before[0]?.id)
  expect(await keysOf('data')).toHaveLength(2)
})

test('secrets encrypted during a rotation never depend on a destroyed key', async () => {
  const place = { organisationId: null, table: 'mail', column: 'body' }
  const write = (server: TestApp, id: string) =>
    server.store.across(async (db) => {
      const body = await server.services.secrets.encrypt(db, { ...place, row: id }, `letter ${id}`)
      await db
        .insertInto('mail')
        .values({ id, messageId: id, recipient: 'x@y.example', template: 'test', body, sentAt: null })
        .execute()
    })
  const ids = Array.from({ length: 60 }, () => crypto.randomUUID())
  await write(app, crypto.randomUUID())
  const written = new AbortController()
  const writing = Promise.all(ids.map((id, at) => write(at % 2 === 0 ? app : other, id))).finally(() => written.abort())
  while (!written.signal.aborted) await rotateDataKeys(app.services, systemAuditContext, null)
  await writing
  await rotateAndCleanUpKeys(app.services)
  app.clock.advance(graceMs)
  await rotateAndCleanUpKeys(other.services)
  expect(await keysOf('data')).toHaveLength(1)
  for (const server of [app, other])
    await server.store.across(async (db) => {
      for (const { id, body } of await db.selectFrom('mail').select(['id', 'body']).where('id', 'in', ids).execute())
        expect(await server.services.secrets.decrypt(db, { ...place, row: id }, body ?? '')).toBe(`letter ${id}`)
    })
})

test('a signing key is replaced automatically after ninety days and destroyed a day later', async () => {
  const former = await keyIdOf('signing')
  await rotateAndCleanUpKeys(app.services)
  expect(await keyIdOf('signing')).toBe(former)
  app.clock.advance(signingKeyMs + 60_000)
  await rotateAndCleanUpKeys(app.services)
  expect((await keysOf('signing')).map(({ id }) => id)).toEqual([expect.not.stringMatching(former), former])
  app.clock.advance(overlapMs + 60_000)
  await rotateAndCleanUpKeys(other.services)
  expect((await keysOf('signing')).map(({ id }) => id)).not.toContain(former)
  await new TestClient(app.http, account).signIn()
})

test('key rotations and retirements are audited without key material', async () => {
  const former = await keyIdOf('signing')
  const id = await rotate('signing')
  await retire(former, true)
  const events = await app.store.across((db) =>
    db.selectFrom('auditEvent').select(['action', 'detail']).where('action', 'like', 'crypto.%').execute(),
  )
  expect(events).toEqual([
    { action: 'crypto.key_rotated', detail: { root: 'signing', id } },
    { action: 'crypto.key_retired', detail: { root: 'signing', id: former, isForced: true } },
  ])
})
