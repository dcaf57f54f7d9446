/** Sends the same call many times at once over separate connections. An effect that may happen once happens once. */
import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { loads } from '@tributary/contract/loads'
import { organisations } from '@tributary/contract/organisations'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { addPerson } from '../../server/identity/add-person.ts'
import { insertFixtures } from '../../server/app/every-route.ts'
import { LoadClient, planForLoads, defaultSlice } from '../../server/excel/load-sheets.ts'
import { testApp, type TestApp } from '../../server/app/test-app.ts'
import { trialPassword } from '../../../server/src/trial/people.ts'
import { type FuzzResponse, RequestSender, type FuzzRequest } from './send.ts'

const atOnce = 60

let app: TestApp
let sender: RequestSender
beforeEach(async () => {
  // Rate limits as in production; tests set `x-forwarded-for` to send calls from different addresses.
  app = await testApp({ env: { TRIBUTARY_LIMITS: 'on', TRIBUTARY_TRUSTED_PROXIES: '127.0.0.1' } })
  await app.http.listen({ host: '127.0.0.1', port: 0 })
  sender = new RequestSender((app.http.server.address() as AddressInfo).port)
})
afterEach(async () => {
  sender.close()
  await app[Symbol.asyncDispose]()
  // Losing a race is an expected outcome, so the server must not log an error.
  const failure = app.logLines.find((line) => line.includes('"level":"error"'))
  if (failure !== undefined) throw new Error(failure)
})

const json = { 'content-type': 'application/json' }

/** Sends all requests before the first response arrives. */
function sendAtOnce(make: (index: number) => FuzzRequest): Promise<readonly FuzzResponse[]> {
  return Promise.all(Array.from({ length: atOnce }, (_, index) => sender.send(make(index), 'alone')))
}
function countOf(answers: readonly FuzzResponse[], status: number): number {
  return answers.filter((answer) => answer.status === status).length
}
/** Responses with a status that is not expected. */
function unexpectedReplies(answers: readonly FuzzResponse[], expected: readonly number[]): readonly string[] {
  return answers
    .filter(({ status }) => !expected.includes(status))
    .map(({ status, text }) => `${status} ${text.slice(0, 150)}`)
}
function signIn(password: string, index: number, cookie?: string): FuzzRequest {
  const headers = { ...json, 'x-forwarded-for': `10.1.${index}.7`, ...(cookie !== undefined && { cookie }) }
  return {
    method: 'POST',
    path: '/api/auth/signin',
    headers,
    body: JSON.stringify({ emailAddress: 'user@demo.example', password }),
  }
}
async function authorisation(speaker: 'admin' | 'user'): Promise<Record<string, string>> {
  const session = await app.as[speaker].session()
  return { authorization: `Bearer ${session?.accessToken ?? ''}` }
}

test(`of ${atOnce} wrong passwords at once, each from another address, five are compared, and the correct one is throttled like the rest`, async () => {
  const answers = await sendAtOnce((index) => signIn(`wrong-${index}`, index))
  expect([countOf(answers, 401), countOf(answers, 429)]).toEqual([5, atOnce - 5])
  expect((await sender.send(signIn(trialPassword, 200))).status).toBe(429)
})

test('a device cookie that is used many times at once stays one device, and every successful sign-in gets the same next cookie', async () => {
  const cookieOf = ({ headers }: FuzzResponse) =>
    headers['set-cookie']?.map((one) => /tributary_device=[^;]+/u.exec(one)?.[0]).find(Boolean)
  const first = await sender.send(signIn(trialPassword, 1))
  const cookie = cookieOf(first)
  expect(cookie).toBeDefined()
  const answers = await sendAtOnce((index) => signIn(trialPassword, index, cookie))
  expect(unexpectedReplies(answers, [200, 429])).toEqual([])
  const next = new Set(answers.filter(({ status }) => status === 200).map(cookieOf))
  expect(next.size).toBe(1)
  expect(next).not.toContain(cookie)
  const devices = app.store.across((db) =>
    db.selectFrom('device').select('id').where('userId', '=', app.idOf('user')).execute(),
  )
  expect(await devices).toHaveLength(1)
  // The successor cookie works like the first one.
  app.clock.advance(3_600_000)
  const [successor] = next
  expect((await sender.send(signIn(trialPassword, 1, successor))).status).toBe(200)
})

test('of many calls that restart a connector with a stalled run, one succeeds, and only one run is left', async () => {
  const { connectorId } = await insertFixtures(app, app.harbour, app.idOf('user'))
  const organisationId = app.harbour.id
  const stalled = {
    status: 'RUNNING',
    mode: 'full',
    trigger: 'person',
    queuedAt: new Date(Date.now() - 31 * 60_000),
  } as const
  const { id } = await app.store.within(organisationId, (db) =>
    db
      .insertInto('run')
      .values({ organisationId, connectorId, ...stalled })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  const path = `/api/tributary/clients/${organisationId}/connectors/${connectorId}/process`
  const headers = { ...json, ...(await authorisation('admin')) }
  const answers = await sendAtOnce(() => ({ method: 'POST', path, headers, body: '{}' }))
  expect([countOf(answers, 202), countOf(answers, 409)]).toEqual([1, atOnce - 1])
  const runs = await app.store.within(organisationId, (db) =>
    db
      .selectFrom('run')
      .select(['id', 'status'])
      .where('organisationId', '=', organisationId)
      .where('connectorId', '=', connectorId)
      .execute(),
  )
  expect(runs.filter(({ status }) => status === 'QUEUED')).toHaveLength(1)
  expect(runs.find((run) => run.id === id)?.status).toBe('CANCELLED')
})

test('[LOAD-1] a chunk and a commit that are sent many times at once have their effect once', async () => {
  const { versionId } = await planForLoads(app)
  const loading = new LoadClient(app.as.user)
  const loadId = await loading.begin({ versionId }, { columns: ['Amount'], rows: [] }, defaultSlice)
  const headers = { ...json, ...(await authorisation('user')) }
  const chunk = {
    method: 'PUT',
    path: `/api/loads/${loadId}/chunks/1`,
    headers,
    body: '{"rows":[[{"n":"1"}],[{"n":"2"}]]}',
  }
  expect(countOf(await sendAtOnce(() => chunk), 200)).toBe(atOnce)
  // A session may write 120 times a minute.
  app.clock.advance(60_001)
  const { Seen } = await loading.check(loadId)
  const commit = { method: 'POST', path: `/api/loads/${loadId}/commit`, headers, body: JSON.stringify({ seen: Seen }) }
  const answers = await sendAtOnce(() => commit)
  expect(countOf(answers, 200)).toBeGreaterThanOrEqual(1)
  expect(unexpectedReplies(answers, [200, 409])).toEqual([])
  expect(await loading.read(loadId)).toMatchObject({ Status: 'LOADED', Rows: 2, Changes: 2 })
  const { body } = await app.as.user.call(loads.changes, { params: { loadId } })
  expect(body).toHaveLength(2)
})

test('an organisation that is created many times at once is created once, and the other calls report that its name is taken', async () => {
  const { client } = await addPerson(app, { [app.harbour.id]: 'provideradmin' })
  const session = await client.session()
  const headers = { ...json, authorization: `Bearer ${session?.accessToken ?? ''}` }
  const companyName = `Once ${randomUUID()}`
  const answers = await sendAtOnce(() => ({
    method: 'POST',
    path: '/api/organisations',
    headers,
    body: JSON.stringify({ companyName }),
  }))
  expect([countOf(answers, 201), countOf(answers, 409)]).toEqual([1, atOnce - 1])
  const list = await client.call(organisations.list)
  expect(list.body.filter((one) => one.CompanyName === companyName)).toHaveLength(1)
})

test('a session that is ended while many calls are in progress refuses every call that begins afterwards', async () => {
  const { client } = await addPerson(app, { [app.harbour.id]: 'admin' })
  const session = await client.session()
  const headers = { ...json, authorization: `Bearer ${session?.accessToken ?? ''}` }
  const area = (index: number): FuzzRequest => ({
    method: 'POST',
    path: '/api/areas',
    headers,
    body: JSON.stringify({ name: `Area ${index}` }),
  })
  const underWay = sendAtOnce(area)
  const ended = await sender.send(
    { method: 'DELETE', path: '/api/me/sessions', headers: { authorization: headers.authorization } },
    'alone',
  )
  expect(ended.status).toBe(204)
  const afterwards = await sendAtOnce((index) => area(index + atOnce))
  expect(countOf(afterwards, 401)).toBe(atOnce)
  const before = await underWay
  for (const { status } of before) expect([200, 201, 401, 429]).toContain(status)
  const areas = await app.store.within(app.harbour.id, (db) =>
    db.selectFrom('area').select('name').where('name', 'like', 'Area %').execute(),
  )
  expect(areas).toHaveLength(before.filter(({ status }) => status < 300).length)
})
