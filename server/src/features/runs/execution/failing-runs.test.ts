import { randomUUID } from 'node:crypto'
import { connectors } from '@tributary/contract/connectors'
import { runs } from '@tributary/contract/runs'
import { connectMysql } from '@tributary/engine/databases/mysql/connection'
import { connectionContext } from '@tributary/testing/engine/sync/source-context.ts'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { systemClock } from '../../../kernel/clock.ts'
import { findFreePort } from '@tributary/testing/databases/free-port.ts'
import { RunDriver } from '@tributary/testing/server/connectors/run-driver.ts'
import { type SourceDatabase, sourceDatabase } from '@tributary/testing/server/connectors/source-database.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { startWorker, type Worker } from '../../../worker.ts'

let app: TestApp
let worker: Worker
let source: SourceDatabase
let driver: RunDriver
let closedPort: number

beforeAll(async () => {
  closedPort = await findFreePort()
  app = await testApp({ env: { TRIBUTARY_ALLOW_HOSTS: `127.0.0.1:${closedPort}` } })
  source = await sourceDatabase('CREATE TABLE one (id int PRIMARY KEY); INSERT INTO one VALUES (1)')
  driver = new RunDriver(app.as.admin, app.harbour.id, source)
  worker = await startWorker({ ...app.services, clock: systemClock }, { leaseMs: 5_000, pollMs: 300 })
})
afterAll(async () => {
  await worker.stop()
  await app[Symbol.asyncDispose]()
})

const client = () => ({ clientId: app.harbour.id })

test('[DASH-6] refused credentials end the run as Forbidden and pause the schedule until a user acts', async () => {
  const id = await driver.add('Refused', { password: 'canary-wrong-password' })
  await app.as.superadmin.call(connectors.change, {
    params: { ...client(), connectorId: id },
    body: { schedule: '*/5 * * * *' },
  })
  const run = await driver.runToEnd(id)
  expect(run).toMatchObject({ Status: 'FAILED', FaultKind: 'signIn' })
  const { body } = await app.as.admin.call(connectors.find, { params: { connectorId: id } })
  expect(body).toMatchObject({ NextRunAtUtc: null, Log: { HasError: true, Forbidden: true, Notice: run.Notice } })
  expect(JSON.stringify([run, app.logLines])).not.toContain('canary-wrong-password')
  const right = [{ name: 'source.connectionString', value: source.settings }]
  const saved = await app.as.admin.call(connectors.change, {
    params: { ...client(), connectorId: id },
    body: { properties: right },
  })
  expect(saved.body.NextRunAtUtc).toMatch(/Z$/)
})

test('a schedule paused for credentials resumes once a run has moved tables, although another selected table was dropped', async () => {
  const user = `half_${randomUUID().slice(0, 8)}`
  await source.query(`CREATE ROLE ${user} LOGIN PASSWORD 'former'; GRANT SELECT ON one TO ${user}`)
  const id = await driver.add('Half refused', { user, password: 'canary-half', tables: ['one', 'gone'] })
  await app.as.superadmin.call(connectors.change, {
    params: { ...client(), connectorId: id },
    body: { schedule: '*/5 * * * *' },
  })
  expect(await driver.runToEnd(id)).toMatchObject({ FaultKind: 'signIn' })
  const next = async () => (await app.as.admin.call(connectors.find, { params: { connectorId: id } })).body.NextRunAtUtc
  expect(await next()).toBeNull()
  await source.query(`ALTER ROLE ${user} PASSWORD 'canary-half'`)
  expect(await driver.runToEnd(id)).toMatchObject({ Status: 'FAILED', FaultKind: 'settings', RowsWritten: 1 })
  expect(await next()).toMatch(/Z$/u)
})

test('an unreachable source is retried automatically, and the run continues where it stopped', async () => {
  const id = await driver.add('Away', { port: closedPort })
  const run = await driver.start(id)
  const waiting = await driver.until(run, ({ Status }) => Status === 'WAITING')
  expect(waiting).toMatchObject({
    FaultKind: 'passing',
    Attempt: 1,
    CompletedAtUtc: null,
    Notice: expect.stringContaining('does not answer'),
  })
  const waitMs = Date.parse(waiting.RetryAtUtc ?? '') - Date.now()
  expect(waitMs).toBeGreaterThan(500)
  expect(waitMs).toBeLessThan(5_001)
  const again = await driver.until(run, ({ Attempt, Status }) => Attempt === 2 && Status === 'WAITING')
  expect(again.Lines.filter(({ Level }) => Level === 'error')).toHaveLength(2)
  const { body } = await app.as.admin.call(connectors.find, { params: { connectorId: id } })
  expect(body.Log).toMatchObject({ CompletedAtUtc: null, HasError: false, Forbidden: false })
})

test('invalid settings end the run with a notice for an administrator', async () => {
  const id = await driver.add('No such database', { database: 'nowhere' })
  expect(await driver.runToEnd(id)).toMatchObject({
    Status: 'FAILED',
    FaultKind: 'settings',
    Notice: expect.stringMatching(/database/i),
  })
})

test('a row that the target cannot store is listed with its reason and truncated values, and the other rows arrive', async () => {
  const database = `source_${randomUUID().replaceAll('-', '')}`
  const reach = { ...inject('mariadb'), tls: 'off' } as const
  await using maria = await connectMysql(
    { ...reach, database: 'mysql' },
    connectionContext(),
    `SET sql_mode = 'ALLOW_INVALID_DATES'`,
  )
  await maria.run(`CREATE DATABASE ${database}`)
  await maria.run(`CREATE TABLE ${database}.invoice (id int PRIMARY KEY, due date, note longtext)`)
  await maria.run(
    `INSERT INTO ${database}.invoice VALUES (1, '2026-01-31', NULL), (2, '2026-02-30', REPEAT('x', 300000)), (3, '2026-03-31', NULL)`,
  )
  const properties = [{ name: 'source.connectionString', value: { ...reach, database } }]
  const { body: made } = await app.as.admin.call(connectors.create, {
    params: client(),
    body: { type: 'mysql', name: 'Odd dates', properties },
  })
  const run = await driver.runToEnd(made.Id)
  expect(run).toMatchObject({ Status: 'COMPLETED', RowsWritten: 2, RowsRejected: 1 })
  const rejected = await app.as.admin.call(runs.rejected, {
    params: { ...client(), connectorId: made.Id, runId: run.Id },
  })
  const note = `${'x'.repeat(1_000)}…`
  expect(rejected.body).toEqual([
    { Table: 'invoice', Column: 'due', Reason: expect.any(String), Row: { id: '2', due: '2026-02-30', note } },
  ])
})

test('a failing view does not stop the tables: the card names it, and the log has the server’s own message and code', async () => {
  await source.query('CREATE VIEW a_share AS SELECT 1 / (id - id) AS share FROM one')
  const id = await driver.add('One odd view')
  const run = await driver.runToEnd(id)
  await source.query('DROP VIEW a_share')
  expect(run).toMatchObject({
    Status: 'FAILED',
    FaultCode: 'postgres.object_unreadable',
    RowsWritten: 1,
    Card: {
      Title: 'PostgreSQL cannot read one of its own tables or views',
      What: expect.stringMatching(/^public\.a_share: The source cannot read it: a division by zero \(error 22012\)/u),
      DataNotice: expect.stringContaining('1 of 2 tables are up to date'),
    },
  })
  const line = app.logLines
    .map((each) => JSON.parse(each) as Record<string, unknown>)
    .find(({ runId, stream }) => runId === run.Id && stream !== undefined)
  expect(line).toMatchObject({
    level: 'warn',
    stream: 'public.a_share',
    code: 'postgres.object_unreadable',
    error: { cause: { code: '22012', message: 'division by zero' } },
  })
})

test('a target that refuses the login gets its own card, and no user is sent to sign in at the source', async () => {
  const target = {
    name: 'target.connectionString',
    value: { ...source.settings, connector: 'postgres', password: 'canary-wrong-target' },
  }
  const id = await driver.add('Refusing target', {}, [target, { name: 'target.schema', value: 'shop' }])
  expect(await driver.runToEnd(id)).toMatchObject({
    FaultKind: 'signIn',
    FaultCode: 'target.login_refused',
    Card: { Title: 'The target refused the credentials', Action: { Kind: 'edit' } },
  })
  const { body } = await app.as.admin.call(connectors.find, { params: { connectorId: id } })
  expect(body).toMatchObject({ NextRunAtUtc: null, Log: { HasError: true, Forbidden: false } })
})

test('a table that the user may no longer read fails the run with the missing GRANT, even if all tables are selected', async () => {
  const user = `poor_${randomUUID().slice(0, 8)}`
  await source.query(
    `CREATE ROLE ${user} LOGIN PASSWORD 'canary-poor'; CREATE TABLE two (id int PRIMARY KEY); GRANT SELECT ON one, two TO ${user}`,
  )
  const id = await driver.add('Fewer rights', { user, password: 'canary-poor' })
  expect(await driver.runToEnd(id)).toMatchObject({ Status: 'COMPLETED' })
  await source.query(`REVOKE SELECT ON two FROM ${user}`)
  expect(await driver.runToEnd(id)).toMatchObject({
    Status: 'FAILED',
    FaultCode: 'engine.not_readable',
    Card: {
      Title: 'A right is missing in the database',
      Action: { Kind: 'copy', Copy: `GRANT SELECT ON public.two TO ${user};` },
    },
  })
  await source.query('DROP TABLE two')
})

test('the log and the replies hold no secret of any connector that has run', async () => {
  const secret = String(source.settings['password'])
  const list = await app.as.superadmin.call(connectors.list, { params: client() })
  expect(JSON.stringify([list.body, app.logLines])).not.toContain(secret)
})
