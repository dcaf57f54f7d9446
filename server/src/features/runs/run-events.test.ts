import { request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { connectors } from '@tributary/contract/connectors'
import type { RunDetail } from '@tributary/contract/runs'
import { users } from '@tributary/contract/users'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addPerson } from '@tributary/testing/server/identity/add-person.ts'
import type { TestClient } from '@tributary/testing/server/app/client.ts'
import { insertFixtures, type RouteFixtures } from '@tributary/testing/server/app/every-route.ts'
import { until } from '@tributary/testing/server/connectors/run-driver.ts'
import { StatementLog } from '@tributary/testing/server/app/statement-log.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'

const statements = new StatementLog()
let app: TestApp
let things: RouteFixtures

beforeAll(async () => {
  app = await testApp({ plugins: [statements] })
  things = await insertFixtures(app, app.harbour, app.idOf('user'))
  await app.http.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => app[Symbol.asyncDispose]())

/** The events received so far, parsed as a browser parses them. */
class Stream {
  readonly events: { readonly name: string; readonly data: unknown }[] = []
  readonly reply: IncomingMessage
  isClosed = false
  text = ''

  constructor(reply: IncomingMessage) {
    this.reply = reply
    reply.on('error', () => undefined)
    reply.once('close', () => (this.isClosed = true))
  }

  read(): this {
    this.reply.setEncoding('utf8').on('data', (chunk: string) => {
      this.text += chunk
      const frames = this.text.split('\n\n')
      this.events.length = 0
      for (const frame of frames.slice(0, -1)) {
        const [, name, data] = /^event: (\w+)\ndata: (.*)$/u.exec(frame) ?? []
        if (name !== undefined) this.events.push({ name, data: JSON.parse(data ?? 'null') })
      }
    })
    return this
  }

  get latest(): RunDetail | undefined {
    return this.events.findLast(({ name }) => name === 'run')?.data as RunDetail | undefined
  }
}

async function open(
  client: TestClient,
  { clientId, connectorId, runId }: RouteFixtures,
  of: TestApp = app,
): Promise<Stream> {
  const session = await client.session()
  const { port } = of.http.server.address() as AddressInfo
  const path = `/api/tributary/clients/${clientId}/connectors/${connectorId}/runs/${runId}/events`
  // Like a browser: a compressed stream arrives when enough of it is buffered.
  const headers = { authorization: `Bearer ${session?.accessToken ?? ''}`, 'accept-encoding': 'gzip, deflate, br' }
  return new Promise((resolve, reject) => {
    // A separate connection, as for each stream of a browser.
    const call = request({ host: '127.0.0.1', port, path, headers, agent: false }, (reply) =>
      resolve(new Stream(reply)),
    )
    call.once('error', reject).end()
  })
}

/** Advances the clock by half a second at a time until the condition holds. */
function inTime(isIt: () => boolean, of: TestApp = app): Promise<boolean> {
  return until(
    async () => {
      of.clock.advance(500)
      return isIt()
    },
    (seen) => seen,
  )
}

function changeRun(set: Record<string, unknown>, of: RouteFixtures = things) {
  return app.store.within(of.clientId, (db) => db.updateTable('run').set(set).where('id', '=', of.runId).execute())
}

/** An active run, in another connector each time. */
async function running(): Promise<RouteFixtures> {
  const made = await insertFixtures(app, app.harbour, app.idOf('user'))
  await changeRun({ status: 'RUNNING', heartbeatAt: new Date(), rowsRead: 0 }, made)
  return made
}

test('[DASH-1] a watcher receives each change once, and the end of the run', async () => {
  const run = await running()
  const stream = (await open(app.as.user, run)).read()
  expect(stream.reply.headers).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
  })
  await inTime(() => stream.events.length === 1)
  expect(stream.latest).toMatchObject({ Id: run.runId, Status: 'RUNNING', RowsRead: 0, Streams: [{ Name: 'orders' }] })
  await changeRun({ rowsRead: 120 }, run)
  await inTime(() => stream.latest?.RowsRead === 120)
  for (let second = 0; second < 5; second += 1) await inTime(() => true)
  expect(stream.events).toHaveLength(2)
  await changeRun({ status: 'COMPLETED', completedAt: new Date() }, run)
  await inTime(() => stream.isClosed)
  expect(stream.events.map(({ name }) => name)).toEqual(['run', 'run', 'run', 'end'])
  expect(stream.latest?.Status).toBe('COMPLETED')
})

test('for an ended run a watcher receives its state once, then the end', async () => {
  const stream = (await open(app.as.user, things)).read()
  await inTime(() => stream.isClosed)
  expect(stream.events.map(({ name }) => name)).toEqual(['run', 'end'])
})

test('the store is polled once for each run, however many clients watch it', async () => {
  const run = await running()
  const streams: Stream[] = []
  for (const client of [app.as.user, app.as.admin, app.as.provideradmin]) streams.push((await open(client, run)).read())
  await inTime(() => streams.every(({ events }) => events.length === 1))
  statements.take()
  app.clock.advance(1_000)
  await until(
    async () => statements.take().filter((line) => line.includes('from "runLine"')).length,
    (looks) => looks === 1,
  )
  await changeRun({ rowsRead: 7 }, run)
  await inTime(() => streams.every(({ latest }) => latest?.RowsRead === 7))
  await changeRun({ status: 'CANCELLED', completedAt: new Date() }, run)
  await inTime(() => streams.every(({ isClosed }) => isClosed))
})

test('users without access receive nothing: strangers, unassigned users, visitors', async () => {
  const run = await running()
  expect((await open(app.as.otherAdmin, run)).reply.statusCode).toBe(404)
  expect((await open(app.as.guest, run)).reply.statusCode).toBe(404)
  expect((await open(app.as.visitor, run)).reply.statusCode).toBe(401)
  expect((await open(app.as.otherAdmin, { ...run, clientId: app.summit.id })).reply.statusCode).toBe(404)
  await changeRun({ status: 'CANCELLED', completedAt: new Date() }, run)
})

test('a session that ends, even in another process, receives nothing after five seconds', async () => {
  const run = await running()
  const { id, client } = await addPerson(app, { [app.harbour.id]: 'admin' })
  const stream = (await open(client, run)).read()
  await inTime(() => stream.events.length === 1)
  // Across, and past the cache of this process: a session belongs to no organisation.
  await app.store.across((db) =>
    db.updateTable('session').set({ endedAt: new Date() }).where('userId', '=', id).execute(),
  )
  const endedAt = app.clock.now()
  await inTime(() => stream.isClosed)
  expect(app.clock.now() - endedAt).toBeLessThanOrEqual(5_000)
  expect(stream.events.map(({ name }) => name)).not.toContain('end')
  await changeRun({ status: 'CANCELLED', completedAt: new Date() }, run)
})

test('a user who loses access to the connector receives no more events of its run', async () => {
  const run = await running()
  const stream = (await open(app.as.user, run)).read()
  await inTime(() => stream.events.length === 1)
  await app.as.admin.call(connectors.assignUsers, { params: { connectorId: run.connectorId }, body: { users: [] } })
  await inTime(() => stream.isClosed)
  await changeRun({ status: 'CANCELLED', completedAt: new Date() }, run)
})

test('an organisation that the connector is shared with sees a redacted run, and only as long as it is shared', async () => {
  const run = await running()
  const share = { organisationId: app.harbour.id, connectorId: run.connectorId, guestId: app.summit.id }
  await app.store.within(app.harbour.id, (db) => db.insertInto('connectorShare').values(share).execute())
  const stream = (await open(app.as.otherAdmin, { ...run, clientId: app.summit.id })).read()
  await inTime(() => stream.events.length === 1)
  expect(stream.latest).toMatchObject({ Id: run.runId, Status: 'RUNNING', TriggeredBy: null, Lines: [], Card: null })
  await app.store.within(app.harbour.id, (db) =>
    db.deleteFrom('connectorShare').where('connectorId', '=', run.connectorId).execute(),
  )
  await inTime(() => stream.isClosed)
  await changeRun({ status: 'CANCELLED', completedAt: new Date() }, run)
})

test('users of an organisation that is archived meanwhile receive no more events of a shared run', async () => {
  const run = await running()
  const share = { organisationId: app.harbour.id, connectorId: run.connectorId, guestId: app.summit.id }
  await app.store.within(app.harbour.id, (db) => db.insertInto('connectorShare').values(share).execute())
  const stream = (await open(app.as.otherAdmin, { ...run, clientId: app.summit.id })).read()
  await inTime(() => stream.events.length === 1)
  const archive = (archived: boolean) =>
    app.as.superadmin.call(users.archiveOrganisation, { params: { clientId: app.summit.id }, body: { archived } })
  await archive(true)
  await inTime(() => stream.isClosed)
  await archive(false)
  await app.store.within(app.harbour.id, (db) =>
    db.deleteFrom('connectorShare').where('connectorId', '=', run.connectorId).execute(),
  )
  await changeRun({ status: 'CANCELLED', completedAt: new Date() }, run)
})

test('a quiet run sends a heartbeat before a proxy closes the connection', async () => {
  const run = await running()
  const stream = (await open(app.as.admin, run)).read()
  await inTime(() => stream.events.length === 1)
  const quietSince = app.clock.now()
  await inTime(() => stream.text.endsWith(': still here\n\n'))
  expect(app.clock.now() - quietSince).toBeLessThanOrEqual(20_000)
  await changeRun({ status: 'CANCELLED', completedAt: new Date() }, run)
  await inTime(() => stream.isClosed)
})

test('a session has a limited number of open streams; one more is refused until another is closed', async () => {
  const run = await running()
  const { client } = await addPerson(app, { [app.harbour.id]: 'admin' })
  const streams: Stream[] = []
  for (let count = 0; count < 6; count += 1) streams.push((await open(client, run)).read())
  const refused = await open(client, run)
  expect([refused.reply.statusCode, refused.reply.headers['retry-after']]).toEqual([429, '10'])
  streams[0]?.reply.destroy()
  await until(
    async () => (await open(client, run)).reply.statusCode,
    (status) => status === 200,
  )
  await changeRun({ status: 'CANCELLED', completedAt: new Date() }, run)
})

test('a client that does not read its frames is disconnected', async () => {
  const run = await running()
  const line = { organisationId: app.harbour.id, runId: run.runId, level: 'info', text: 'x'.repeat(6_000) } as const
  const lines = Array.from({ length: 1_000 }, () => line)
  await app.store.within(app.harbour.id, (db) => db.insertInto('runLine').values(lines).execute())
  const connections = () => promisify(app.http.server.getConnections.bind(app.http.server))()
  const none = (count: number) => count === 0
  await until(() => {
    app.clock.advance(500)
    return connections()
  }, none)
  const stream = await open(app.as.admin, run)
  expect([stream.reply.statusCode, await connections()]).toEqual([200, 1])
  // More frames than all buffers on the way can hold.
  let rowsRead = 0
  await until(async () => {
    rowsRead += 1
    await changeRun({ rowsRead }, run)
    app.clock.advance(500)
    return connections()
  }, none)
  await changeRun({ status: 'CANCELLED', completedAt: new Date() }, run)
})

test('the server stops at once, even while a client watches an active run', async () => {
  const other = await testApp()
  const made = await insertFixtures(other, other.harbour, other.idOf('user'))
  await other.store.within(other.harbour.id, (db) =>
    db.updateTable('run').set({ status: 'RUNNING' }).where('id', '=', made.runId).execute(),
  )
  await other.http.listen({ host: '127.0.0.1', port: 0 })
  const stream = (await open(other.as.user, made, other)).read()
  await inTime(() => stream.events.length === 1, other)
  const before = performance.now()
  await other[Symbol.asyncDispose]()
  // The queue takes two seconds at most.
  expect(performance.now() - before).toBeLessThan(5_000)
  await until(
    async () => stream.isClosed,
    (isClosed) => isClosed,
  )
})

// Runs last: advancing the clock by an hour ends every session.
test('watching does not keep a session alive: a session that only watches expires like an idle one', async () => {
  const run = await running()
  const { id, client } = await addPerson(app, { [app.harbour.id]: 'user' })
  await app.as.admin.call(connectors.assignUsers, { params: { connectorId: run.connectorId }, body: { users: [id] } })
  const stream = (await open(client, run)).read()
  await inTime(() => stream.events.length === 1)
  app.clock.advance(60 * 60_000)
  await inTime(() => stream.isClosed)
  await changeRun({ status: 'CANCELLED', completedAt: new Date() }, run)
})
