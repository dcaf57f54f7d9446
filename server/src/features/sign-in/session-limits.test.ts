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
async function works(client: TestClient): Promise<number> {
  return (await client.call(organisations.users)).status
}
function refresh(client: TestClient, body: unknown = {}) {
  return client.send<FaultReply>('POST', '/api/auth/refresh', { body })
}

test('whoever sees every organisation is signed out after half an hour of doing nothing, and after eight hours in any case', async () => {
  const idle = browser('provideradmin@demo.example')
  await idle.signIn()
  app.clock.advance(providerSessionIdleMs + 1_000)
  expect(await works(idle)).toBe(401)

  const busy = browser('provideradmin@demo.example')
  await busy.signIn()
  for (let passed = 0; passed < providerSessionAbsoluteMs; passed += providerSessionIdleMs / 2) {
    await busy.refresh()
    expect(await works(busy)).toBe(200)
    app.clock.advance(providerSessionIdleMs / 2)
  }
  app.clock.advance(1_000)
  expect((await refresh(busy)).status).toBe(401)
})

test('the eleventh session of a person ends the oldest', async () => {
  await using production = await testApp({ env: { TRIBUTARY_MODE: 'production' } })
  const clients: TestClient[] = []
  for (let made = 0; made < sessionsMax + 1; made += 1) {
    clients.push(new TestClient(production.http, { emailAddress: 'user@demo.example', password: trialPassword }))
    await clients.at(-1)?.signIn()
    production.clock.advance(1_000)
  }
  expect(await Promise.all(clients.map(works))).toEqual([401, ...Array.from({ length: sessionsMax }, () => 200)])
})

test('an organisation that is archived cannot be worked in, except by the provider', async () => {
  const member = browser()
  await member.signIn()
  const provider = browser('provideradmin@demo.example')
  await provider.signIn()
  // Across: an organisation is archived by the provider.
  await app.store.across((db) =>
    db.updateTable('organisation').set({ archivedAt: new Date() }).where('id', '=', app.harbour.id).execute(),
  )
  app.clock.advance(sessionCacheMs)
  expect(await works(member)).not.toBe(200)
  expect((await member.refresh()).organisationId).toBeNull()
  expect((await refresh(member, { organisationId: app.harbour.id })).status).toBe(404)
  expect((await provider.call(organisations.users, { query: { orgId: app.harbour.id } })).status).toBe(200)
})
