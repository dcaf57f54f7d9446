import { organisations } from '@tributary/contract/organisations'
import { signInRoutes } from '@tributary/contract/sign-in'
import { connectors } from '@tributary/contract/connectors'
import { approvals } from '@tributary/contract/approvals'
import { users } from '@tributary/contract/users'
import type { FaultReply } from '@tributary/contract/faults'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { trialPassword } from '../../trial/people.ts'
import { countedSubjectsMax, openCallCounter } from './call-counter.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import { addPerson } from '@tributary/testing/server/identity/add-person.ts'
import { type TestReply, TestClient } from '@tributary/testing/server/app/client.ts'
import { insertFixtures } from '@tributary/testing/server/app/every-route.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { TestClock } from '@tributary/testing/server/app/test-clock.ts'

let app: TestApp
beforeEach(async () => {
  app = await testApp({ env: { TRIBUTARY_MODE: 'production' } })
  // Starts each test at the same second, so that no minute ends during it.
  app.clock.advance(60_000 - (app.clock.now() % 60_000) + 10_000)
})
afterEach(() => app[Symbol.asyncDispose]())

/** Sends concurrent calls. Returns how many succeeded; checks that the others were refused correctly. */
async function countAnswered(times: number, send: () => Promise<TestReply>): Promise<number> {
  const seconds = String((60_000 - (app.clock.now() % 60_000)) / 1_000)
  const replies = await Promise.all(Array.from({ length: times }, send))
  const refused = replies.filter(({ status }) => status === 429)
  for (const { body, headers } of refused) {
    expect(body).toMatchObject({
      code: 'tooMany',
      message: `Too many attempts. Try again in ${seconds} seconds.`,
    } satisfies Partial<FaultReply>)
    expect(headers['retry-after']).toBe(seconds)
  }
  return times - refused.length
}

const nextMinute = () => app.clock.advance(50_000)
const list = (client: TestClient) => () => client.call(organisations.list)
const poll = (client: TestClient) => () => client.call(connectors.list, { params: { clientId: app.harbour.id } })
const write = (client: TestClient) => () =>
  client.call(users.withdrawInvitation, { params: { invitationId: app.harbour.id } })

test('a session can read 600 times a minute, also concurrently, independently of other sessions', async () => {
  const { client: one } = await addPerson(app, { [app.harbour.id]: 'user' })
  const { client: other } = await addPerson(app, { [app.harbour.id]: 'user' })
  await Promise.all([one.session(), other.session()])
  expect(await countAnswered(700, list(one))).toBe(600)
  expect(await countAnswered(10, list(other))).toBe(10)
  nextMinute()
  expect(await countAnswered(10, list(one))).toBe(10)
})

test('a session can write 120 times a minute, independently of reads', async () => {
  await app.as.admin.session()
  expect(await countAnswered(150, write(app.as.admin))).toBe(120)
  expect(await countAnswered(10, list(app.as.admin))).toBe(10)
})

test('polling routes allow thirty calls a minute, independently of other calls', async () => {
  await app.as.admin.session()
  expect(await countAnswered(40, poll(app.as.admin))).toBe(30)
  expect(await countAnswered(10, () => app.as.admin.call(approvals.list))).toBe(10)
  expect(await countAnswered(600, list(app.as.admin))).toBe(600)
})

test('an account can decide sixty requests a minute, over all sessions', async () => {
  const { approvalId } = await insertFixtures(app, app.harbour, app.idOf('user'))
  const other = new TestClient(app.http, { emailAddress: 'admin@demo.example', password: trialPassword })
  await Promise.all([app.as.admin.session(), other.session()])
  const decide = (client: TestClient) => () =>
    client.call(approvals.decide, { body: { approvalId, approvalStatus: 'APPROVED' } })
  // A repeated equal decision is accepted.
  expect(await countAnswered(50, decide(app.as.admin))).toBe(50)
  expect(await countAnswered(20, decide(other))).toBe(10)
})

test('an organisation can call 5,000 times a minute, independently of others', async () => {
  await using small = await testApp({ env: { TRIBUTARY_MODE: 'production', TRIBUTARY_RATE_ORGANISATION: '20' } })
  small.clock.advance(60_000 - (small.clock.now() % 60_000) + 10_000)
  expect(small.services.config.limits.rates.organisation).toBe(20)
  expect(app.services.config.limits.rates.organisation).toBe(5_000)
  const listUsers = (client: TestClient) => client.call(organisations.users)
  await Promise.all([small.as.admin.session(), small.as.user.session(), small.as.otherAdmin.session()])
  const statuses = []
  for (let times = 0; times < 15; times += 1)
    statuses.push((await listUsers(small.as.admin)).status, (await listUsers(small.as.user)).status)
  expect(statuses).toEqual([...Array.from({ length: 20 }, () => 200), ...Array.from({ length: 10 }, () => 429)])
  expect((await listUsers(small.as.otherAdmin)).status).toBe(200)
})

test('a visitor can call 300 times a minute per address, whatever forwarded address or token is sent', async () => {
  let number = 0
  const visit = () => {
    number += 1
    const headers = {
      'x-forwarded-for': `203.0.113.${number % 250}`,
      'x-real-ip': '203.0.113.1',
      forwarded: 'for=203.0.113.1',
    }
    return number % 2 === 0
      ? app.as.visitor.send('GET', '/api/auth/options', { headers })
      : app.as.visitor.send('GET', '/api/organisations', {
          headers: { ...headers, authorization: `Bearer forged-${number}` },
        })
  }
  expect(await countAnswered(400, visit)).toBe(300)
  // Callers with a session are counted by session.
  nextMinute()
  await app.as.admin.session()
  await countAnswered(400, visit)
  expect((await app.as.admin.call(organisations.list)).status).toBe(200)
})

test('behind a trusted proxy each address has a separate count, a /64 of IPv6 counts as one, and only the proxy’s entry is used', async () => {
  await using proxied = await testApp({
    env: { TRIBUTARY_MODE: 'production', TRIBUTARY_TRUSTED_PROXIES: '127.0.0.1', TRIBUTARY_RATE_VISITOR: '5' },
  })
  const visit = async (address: string) =>
    (await proxied.as.visitor.send('GET', '/api/auth/options', { headers: { 'x-forwarded-for': address } })).status
  for (let times = 0; times < 5; times += 1) expect(await visit(`2001:db8:1:2::${times}`)).toBe(200)
  expect(await visit('2001:db8:1:2::9')).toBe(429)
  expect(await visit('2001:db8:1:3::1')).toBe(200)
  // Entries that the visitor sends before the proxy's are ignored.
  expect(await visit('198.51.100.7, 2001:db8:1:2::9')).toBe(429)
})

test('a trial has no rate limits', async () => {
  await using trial = await testApp()
  await trial.as.admin.session()
  for (let round = 0; round < 8; round += 1) {
    const calls = Array.from({ length: 100 }, (_, number) => {
      if (number % 3 === 0) return trial.as.visitor.call(signInRoutes.options)
      if (number % 3 === 1) return trial.as.admin.call(connectors.list, { params: { clientId: trial.harbour.id } })
      return trial.as.admin.call(users.withdrawInvitation, { params: { invitationId: trial.harbour.id } })
    })
    expect((await Promise.all(calls)).filter(({ status }) => status === 429)).toEqual([])
  }
})

test('limits that the operator sets apply in a trial, too', async () => {
  await using trial = await testApp({ env: { TRIBUTARY_LIMITS: 'on', TRIBUTARY_RATE_READ: '3' } })
  const statuses = []
  for (let times = 0; times < 4; times += 1) statuses.push((await trial.as.admin.call(organisations.list)).status)
  expect(statuses).toEqual([200, 200, 200, 429])
})

test('the number of counted addresses is bounded per kind', () => {
  const clock = new TestClock(0)
  const counter = openCallCounter({ clock, isOn: true })
  const visitor = { kind: 'visitor', perMinute: 1 }
  counter.count({ kind: 'session', perMinute: 1 }, 'one')
  counter.count(visitor, 'one')
  expect(() => counter.count(visitor, 'one')).toThrow(ApiFault)
  for (let number = 1; number < countedSubjectsMax; number += 1) counter.count(visitor, `address ${number}`)
  counter.count(visitor, 'one')
  expect(() => counter.count({ kind: 'session', perMinute: 1 }, 'one')).toThrow(ApiFault)
})
