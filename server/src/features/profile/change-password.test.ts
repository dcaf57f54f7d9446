import type { FaultReply } from '@tributary/contract/faults'
import { profile } from '@tributary/contract/profile'
import { signInRoutes } from '@tributary/contract/sign-in'
import { sql } from 'kysely'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { AuditAction } from '@tributary/contract/audit-actions'
import { findAuditEvents } from '@tributary/testing/server/app/audit-log.ts'
import { solveCaptcha } from '@tributary/testing/server/identity/captcha.ts'
import { TestClient } from '@tributary/testing/server/app/client.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { trialPassword } from '../../trial/people.ts'
import { getOwner } from './queries.ts'

let app: TestApp
beforeEach(async () => {
  app = await testApp()
})
afterEach(() => app[Symbol.asyncDispose]())

const emailAddress = 'user@demo.example'
const account = { emailAddress, password: trialPassword }
const password = trialPassword

function browser(): TestClient {
  return new TestClient(app.http, account)
}
async function listNotifications(): Promise<readonly string[]> {
  const letters = await app.emailsTo(emailAddress)
  return letters.filter(({ template }) => template === 'account-changed').map(({ paragraphs }) => paragraphs[0] ?? '')
}

/** The outcomes of the user's audit events. */
async function listOutcomes(action: AuditAction): Promise<readonly string[]> {
  const own = { actorId: app.idOf('user'), organisationId: null }
  const events = await findAuditEvents(app.store, action)
  expect(events).toMatchObject(events.map(() => own))
  return events.map(({ outcome }) => outcome)
}

test('[API-1 POST /me/password] a new password ends every other session and notifies the owner by email', async () => {
  const client = browser()
  const elsewhere = browser()
  await elsewhere.signIn()
  const change = (body: unknown) => client.send<FaultReply>('POST', '/api/me/password', { body })
  expect((await change({ currentPassword: 'wrong-1', password: 'a-good-one-77' })).body.code).toBe('passwordNeeded')
  for (const weak of ['a1', 'abcdefgh', 'qwerty123', 'Ulla-Berg-1', 'harbour!1', trialPassword]) {
    const reply = await change({ currentPassword: password, password: weak })
    expect([weak, reply.status, Object.keys(reply.body.fields ?? {})]).toEqual([weak, 400, ['password']])
  }
  expect((await change({ currentPassword: password, password: 'a-good-one-77' })).status).toBe(204)
  expect((await client.call(profile.read)).status).toBe(200)
  expect((await elsewhere.call(profile.read)).status).toBe(401)
  expect(
    (await app.as.visitor.call(signInRoutes.withPassword, { body: { emailAddress, password: 'a-good-one-77' } }))
      .status,
  ).toBe(200)
  expect((await app.as.visitor.send('POST', '/api/auth/signin', { body: account })).status).toBe(401)
  expect(await listNotifications()).toEqual(['Your password was changed.'])
})

test('a new password revokes pending sign-in links and password resets', async () => {
  const request = async (path: string) =>
    app.as.visitor.send('POST', path, { body: { emailAddress, recaptchaToken: await solveCaptcha(app) } })
  await request('/api/auth/link')
  await request('/api/reset-password/request')
  const [link, reset] = (await app.emailsTo(emailAddress)).map(({ action }) => action?.url ?? '')
  const change = { currentPassword: trialPassword, password: 'a-good-one-77' }
  expect((await browser().call(profile.changePassword, { body: change })).status).toBe(204)
  const code = new URL(link ?? '').searchParams.get('code')
  expect(await app.as.visitor.send('POST', '/api/auth/signin', { body: { code } })).toMatchObject({
    body: { code: 'linkSpent' },
  })
  const token = (reset ?? '').split('/').at(-1)
  const again = { token, password: 'another-one-77' }
  expect(await app.as.visitor.send('POST', '/api/reset-password', { body: again })).toMatchObject({
    body: { code: 'resetExpired' },
  })
})

test('if a reset link sets a password during a password change, the reset wins', async () => {
  const client = browser()
  await client.signIn()
  const resetHash = await app.services.passwords.hash('a-good-one-77')
  const own = { id: app.idOf('user') }
  const changing = await app.store.across(async (db) => {
    await db.updateTable('portalUser').set({ passwordHash: resetHash }).where('id', '=', own.id).execute()
    const call = client.call(profile.changePassword, {
      body: { currentPassword: trialPassword, password: 'another-one-77' },
    })
    // The call accepts the previous password and then waits for the lock of this transaction.
    const waiting = sql`SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
    while ((await app.store.across((other) => waiting.execute(other))).rows.length === 0) await sleep(20)
    return { call }
  })
  expect(await changing.call).toMatchObject({ status: 403, body: { code: 'passwordNeeded' } })
  expect(await app.store.across((db) => getOwner(db, own.id))).toMatchObject({ passwordHash: resetHash })
  expect(await listOutcomes('authn.password_changed')).toEqual([])
})
