import { hash } from '@node-rs/argon2'
import type { FaultReply } from '@tributary/contract/faults'
import { signInRoutes } from '@tributary/contract/sign-in'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { verifyAuditChain } from '../../security/audit/verify-chain.ts'
import { owaspMinimum } from '../../identity/passwords/passwords.ts'
import { createSetupCode, setupCodeMs } from '../../identity/people/setup-code.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { trialPassword } from '../../trial/people.ts'

let app: TestApp
beforeEach(async () => {
  app = await testApp()
})
afterEach(() => app[Symbol.asyncDispose]())

function trySignIn(emailAddress: string, password: string, address?: string, server = app) {
  return server.as.visitor.send<FaultReply>('POST', '/api/auth/signin', {
    body: { emailAddress, password },
    headers: address === undefined ? {} : { 'x-forwarded-for': address },
  })
}

test('after five wrong passwords the caller has to wait, longer each time, and the reply says how long', async () => {
  for (let attempt = 0; attempt < 5; attempt += 1)
    expect((await trySignIn('admin@demo.example', `wrong-${attempt}`)).status).toBe(401)
  const waits: unknown[] = []
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const reply = await trySignIn('admin@demo.example', trialPassword.toUpperCase())
    expect(reply.status).toBe(429)
    expect(reply.body.message).toBe(`Too many attempts. Try again in ${String(reply.headers['retry-after'])} seconds.`)
    waits.push(reply.headers['retry-after'])
    app.clock.advance(Number(reply.headers['retry-after']) * 1_000)
    expect((await trySignIn('admin@demo.example', 'wrong-again')).status).toBe(401)
  }
  expect(waits).toEqual(['1', '2', '4'])
})

test('in a trial, where all users share one computer, attempts are not counted by address', async () => {
  const statuses = []
  for (let attempt = 0; attempt < 70; attempt += 1)
    statuses.push((await trySignIn(`somebody${attempt}@demo.example`, 'wrong-1')).status)
  expect(new Set(statuses)).toEqual(new Set([401]))
})

test('one computer may try sixty sign-ins a minute, successful or not', async () => {
  await using production = await testApp({ env: { TRIBUTARY_MODE: 'production' } })
  const signIn = async () =>
    (
      await production.as.visitor.send('POST', '/api/auth/signin', {
        body: { emailAddress: 'admin@demo.example', password: trialPassword },
      })
    ).status
  const statuses = []
  for (let count = 0; count < 61; count += 1) statuses.push(await signIn())
  expect(statuses).toEqual([...Array.from({ length: 60 }, () => 200), 429])
  production.clock.advance(60_001)
  expect(await signIn()).toBe(200)
})

test('an unknown address is throttled like a known one', async () => {
  for (let attempt = 0; attempt < 5; attempt += 1) await trySignIn('nobody@demo.example', 'wrong-1')
  expect((await trySignIn('NOBODY@demo.example', 'wrong-1')).status).toBe(429)
})

test('the right password resets the count', async () => {
  for (let attempt = 0; attempt < 4; attempt += 1) await trySignIn('admin@demo.example', 'wrong-1')
  expect((await trySignIn('admin@demo.example', trialPassword)).status).toBe(200)
  for (let attempt = 0; attempt < 4; attempt += 1)
    expect((await trySignIn('admin@demo.example', 'wrong-1')).status).toBe(401)
})

test('attempts made at the same time are all counted', async () => {
  const replies = await Promise.all(Array.from({ length: 12 }, () => trySignIn('admin@demo.example', 'wrong-1')))
  expect(replies.filter(({ status }) => status === 401)).toHaveLength(5)
  expect(replies.filter(({ status }) => status === 429)).toHaveLength(7)
})

test('one computer that tries many accounts is throttled, and no other', async () => {
  await using proxied = await testApp({ env: { TRIBUTARY_LIMITS: 'on', TRIBUTARY_TRUSTED_PROXIES: '127.0.0.1' } })
  const from = (address: string, attempt: number) =>
    proxied.as.visitor.send('POST', '/api/auth/signin', {
      body: { emailAddress: `somebody${attempt}@demo.example`, password: 'wrong-1' },
      headers: { 'x-forwarded-for': address },
    })
  const statuses = []
  for (let attempt = 0; attempt < 21; attempt += 1)
    statuses.push((await from(`2001:db8:1:2::${attempt}`, attempt)).status)
  expect(statuses).toEqual([...Array.from({ length: 20 }, () => 401), 429])
  expect((await from('2001:db8:1:3::1', 30)).status).toBe(401)
})

test('successful and failed sign-ins are in the audit log, and its chain is intact until an event is changed', async () => {
  await trySignIn('admin@demo.example', trialPassword)
  await trySignIn('admin@demo.example', 'wrong-1')
  await app.as.user.send('GET', `/api/tributary/clients/${app.summit.id}/connectors`)
  const events = await app.store.across((db) =>
    db
      .selectFrom('auditEvent')
      .leftJoin('auditPersonal', 'auditPersonal.eventId', 'auditEvent.id')
      .select(['action', 'outcome', 'actorId', 'auditEvent.organisationId', 'detail', 'fields'])
      .orderBy('auditEvent.id')
      .execute(),
  )
  const [admin, user] = [app.idOf('admin'), app.idOf('user')]
  expect(events).toMatchObject([
    {
      action: 'authn.login_success',
      outcome: 'success',
      actorId: admin,
      organisationId: app.harbour.id,
      fields: { address: '127.0.0.1' },
    },
    {
      action: 'authn.login_fail',
      outcome: 'failure',
      actorId: admin,
      organisationId: null,
      detail: { reason: 'wrong password' },
    },
    { action: 'authn.login_success', outcome: 'success', actorId: user, organisationId: app.harbour.id },
    { action: 'authz.tenant_mismatch', outcome: 'refused', actorId: user, organisationId: null },
  ])
  for (const chain of [app.harbour.id, null])
    expect(await verifyAuditChain(app.store, chain)).toMatchObject({ events: 2, brokenAt: null })
  await expect(app.store.across((db) => db.updateTable('auditEvent').set({ actorId: user }).execute())).rejects.toThrow(
    'only ever added to',
  )
})

const person = { emailAddress: 'first@example.com', password: 'a-good-one-77', firstName: 'Ada', lastName: 'First' }

async function withoutSuperadmin(): Promise<string> {
  await app.store.across((db) => db.updateTable('portalUser').set({ providerRoleId: null }).execute())
  const code = await createSetupCode(app.store, app.clock)
  return code ?? ''
}

test('[API-1 POST /auth/first-superadmin] the code from the console creates one superadmin, once', async () => {
  const code = await withoutSuperadmin()
  const reply = await app.as.visitor.call(signInRoutes.firstSuperadmin, { body: { ...person, code } })
  expect([reply.status, reply.body]).toEqual([201, { emailAddress: 'first@example.com' }])
  const signedIn = await app.as.visitor.call(signInRoutes.withPassword, {
    body: { emailAddress: person.emailAddress, password: person.password },
  })
  expect(signedIn.body).toMatchObject({ role: 'superadmin', roleLevel: 0 })
  expect(
    (
      await app.as.visitor.call(signInRoutes.firstSuperadmin, {
        body: { ...person, emailAddress: 'second@example.com', code },
      })
    ).status,
  ).toBe(403)
  expect(await createSetupCode(app.store, app.clock)).toBeNull()
})

test('a code that is wrong, replaced or an hour old creates no superadmin', async () => {
  const replaced = await withoutSuperadmin()
  const code = (await createSetupCode(app.store, app.clock)) ?? ''
  for (const wrong of ['nonsense', replaced]) {
    const reply = await app.as.visitor.send<FaultReply>('POST', '/api/auth/first-superadmin', {
      body: { ...person, code: wrong },
    })
    expect([reply.status, reply.body.code]).toEqual([403, 'codeWrong'])
  }
  app.clock.advance(setupCodeMs)
  expect((await app.as.visitor.call(signInRoutes.firstSuperadmin, { body: { ...person, code } })).status).toBe(403)
})

test('[REG-2] a password needs six characters, a number or special character, and must not be a common one', async () => {
  const code = await withoutSuperadmin()
  const flaws = { a1b2c: 'at least 6', abcdefgh: 'a number or a special character', 'Password123!': 'most common' }
  for (const [password, flaw] of Object.entries(flaws)) {
    const reply = await app.as.visitor.send<FaultReply>('POST', '/api/auth/first-superadmin', {
      body: { ...person, code, password },
    })
    expect(reply.status).toBe(400)
    expect(reply.body.fields?.['password']).toContain(flaw)
    expect(JSON.stringify(reply.body)).not.toContain(password)
  }
})

test('a password that was hashed at a lower cost is rehashed when its owner signs in', async () => {
  const stored = () =>
    app.store.across((db) =>
      db.selectFrom('portalUser').select('passwordHash').where('id', '=', app.idOf('admin')).executeTakeFirstOrThrow(),
    )
  await using usual = await testApp({ sharesDatabaseWith: app, passwordCost: owaspMinimum })
  const passwordHash = await hash(trialPassword, { memoryCost: 8_192, timeCost: 1, parallelism: 1 })
  await app.store.across((db) =>
    db.updateTable('portalUser').set({ passwordHash }).where('id', '=', app.idOf('admin')).execute(),
  )
  for (let signIns = 0; signIns < 2; signIns += 1)
    expect((await trySignIn('admin@demo.example', trialPassword, undefined, usual)).status).toBe(200)
  expect((await stored()).passwordHash).toContain('$m=19456,t=2,p=1$')
})

test('known, unknown and locked addresses get byte-identical replies, failure for failure', async () => {
  await app.store.across((db) =>
    db
      .updateTable('portalUser')
      .set({ statusId: '00000000-0000-4000-8000-000000000021' })
      .where('id', '=', app.idOf('guest'))
      .execute(),
  )
  const shapes: string[] = []
  for (const address of ['user@demo.example', 'nobody@demo.example', 'guest@demo.example']) {
    const replies = []
    for (let attempt = 0; attempt < 6; attempt += 1)
      replies.push(await trySignIn(address, attempt === 3 && address.startsWith('guest') ? trialPassword : 'wrong-1'))
    shapes.push(
      JSON.stringify(
        replies.map(({ status, body, headers }) => [
          status,
          { ...body, reference: '' },
          Object.keys(headers).toSorted(),
        ]),
      ),
    )
  }
  expect(new Set(shapes).size).toBe(1)
})

test('[API-1 POST /auth/signin-b2s] the add-in signs in as the portal does', async () => {
  const { body } = await app.as.visitor.call(signInRoutes.withAddIn, {
    body: { emailAddress: 'user@demo.example', password: trialPassword },
  })
  expect(body).toMatchObject({ statusCode: 200, email: 'user@demo.example', roleLevel: 3 })
})
