import type { FaultReply } from '@tributary/contract/faults'
import {
  providerSessionAbsoluteMs,
  providerSessionIdleMs,
  sessionCacheMs,
  sessionsMax,
} from '@tributary/contract/limits'
import { organisations } from '@tributary/contract/organisations'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { TestClient } from '@tributary/testing/server/app/client.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { trialPassword } from '../../trial/people.ts'

let app: TestApp
beforeEach(async () => {
  app = await testApp()
})
afterEach(() => app[Symbol.asyncDispose]())

function browser(emailAddress = 'user@demo.example'): TestClient {
  return new TestClient(app.http, { emailAddress, password: trialPassword })
}
async function callStatus(client: TestClient): Promise<number> {
  return (await client.call(organisations.users)).status
}
function refresh(client: TestClient, body: unknown = {}) {
  return client.send<FaultReply>('POST', '/api/auth/refresh', { body })
}

test('a provider user is signed out after half an hour of inactivity, and after eight hours in any case', async () => {
  const idle = browser('provideradmin@demo.example')
  await idle.signIn()
  app.clock.advance(providerSessionIdleMs + 1_000)
  expect(await callStatus(idle)).toBe(401)

  const busy = browser('provideradmin@demo.example')
  await busy.signIn()
  for (let passed = 0; passed < providerSessionAbsoluteMs; passed += providerSessionIdleMs / 2) {
    await busy.refresh()
    expect(await callStatus(busy)).toBe(200)
    app.clock.advance(providerSessionIdleMs / 2)
  }
  app.clock.advance(1_000)
  expect((await refresh(busy)).status).toBe(401)
})

test('the eleventh session of a user ends the oldest', async () => {
  await using production = await testApp({ env: { TRIBUTARY_MODE: 'production' } })
  const clients: TestClient[] = []
  for (let made = 0; made < sessionsMax + 1; made += 1) {
    clients.push(new TestClient(production.http, { emailAddress: 'user@demo.example', password: trialPassword }))
    await clients.at(-1)?.signIn()
    production.clock.advance(1_000)
  }
  expect(await Promise.all(clients.map(callStatus))).toEqual([401, ...Array.from({ length: sessionsMax }, () => 200)])
})

test('only the provider can work in an archived organisation', async () => {
  const member = browser()
  await member.signIn()
  const provider = browser('provideradmin@demo.example')
  await provider.signIn()
  // Across: the provider archives organisations.
  await app.store.across((db) =>
    db.updateTable('organisation').set({ archivedAt: new Date() }).where('id', '=', app.harbour.id).execute(),
  )
  app.clock.advance(sessionCacheMs)
  expect(await callStatus(member)).not.toBe(200)
  expect((await member.refresh()).organisationId).toBeNull()
  expect((await refresh(member, { organisationId: app.harbour.id })).status).toBe(404)
  expect((await provider.call(organisations.users, { query: { orgId: app.harbour.id } })).status).toBe(200)
})
