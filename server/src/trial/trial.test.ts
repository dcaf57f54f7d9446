import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectors } from '@tributary/contract/connectors'
import { stalledAfterMs } from '@tributary/contract/limits'
import { organisations } from '@tributary/contract/organisations'
import { approvals, type Approval } from '@tributary/contract/registration'
import { runs } from '@tributary/contract/runs'
import { users } from '@tributary/contract/users'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildApp } from '../app.ts'
import { readConfig } from '../config.ts'
import { TestClient } from '../platform/testing/client.ts'
import { portOfNobody } from '../platform/testing/ports.ts'
import { until } from '../platform/testing/run-driver.ts'
import { startServer, type Running } from '../start.ts'
import { trialOrganisations, trialPassword } from './people.ts'

const home = mkdtempSync(join(tmpdir(), 'tributary-trial-'))
const [harbour, summit] = trialOrganisations
let running: Running
let http: FastifyInstance
let admin: TestClient

beforeAll(async () => {
  running = await startServer(
    readConfig({ PORT: String(await portOfNobody()), TRIBUTARY_DATA_DIR: home, TRIBUTARY_LOG_LEVEL: 'error' }).config,
  )
  http = await buildApp(running.parts)
  admin = new TestClient(http, { emailAddress: 'admin@demo.example', password: trialPassword })
})
afterAll(async () => {
  await http.close()
  await running.stop()
  rmSync(home, { recursive: true, force: true })
})

const client = { clientId: harbour.id }

async function byName(name: string) {
  const { body } = await admin.call(connectors.list, { params: client })
  const found = body.find(({ Name }) => Name === name)
  if (found === undefined) throw new Error(`There is no connector ${name}.`)
  return found
}

test('[DASH-3] [DASH-6] the trial shows a card of every state: completed, stalled, forbidden', async () => {
  expect((await byName('Stock and sales')).Log).toMatchObject({ HasError: false, Forbidden: false, CompletedAtUtc: expect.any(String) })
  expect(await byName('Old shop archive')).toMatchObject({ NextRunAtUtc: null, Log: { HasError: true, Forbidden: true } })
  const { Log } = await byName('Branch stock')
  expect(Log).toMatchObject({ CompletedAtUtc: null, Notice: expect.stringContaining('goes on by itself') })
  expect(Date.now() - Date.parse(Log?.ManuallyTriggeredAtUtc ?? '')).toBeGreaterThan(stalledAfterMs)
})

test('[ADMIN-4] [ADMIN-8] the trial shows people of every status, an open invitation, requests that wait and one that was decided', async () => {
  const { body: people } = await admin.call(organisations.users)
  expect(new Set(people.map(({ Status }) => Status.Name))).toEqual(new Set(['active', 'locked', 'archived']))
  expect((await admin.call(users.invitations)).body).toMatchObject([{ EmailAddress: 'ingrid.holm@demo.example' }])
  const provider = new TestClient(http, { emailAddress: 'provideradmin@demo.example', password: trialPassword })
  const states = (requests: readonly Approval[]) => requests.map(({ ApprovalType, ApprovalStatus }) => `${ApprovalType} ${ApprovalStatus}`)
  expect(states((await admin.call(approvals.list)).body)).toEqual(['JOIN_ORGANISATION PENDING', 'JOIN_ORGANISATION REJECTED'])
  const all = await provider.call(approvals.list, { query: { orgId: harbour.id } })
  expect(states(all.body)).toContain('NEW_ORGANISATION PENDING')
})

test('sixty days of runs lie behind the trial’s connectors, with streams, lines and rejected rows, none in the future', async () => {
  const { Id } = await byName('Web shop')
  const { body } = await admin.call(runs.list, { params: { ...client, connectorId: Id } })
  // The latest is the one that began with the server.
  const past = body.slice(1)
  expect(past.length).toBeGreaterThan(300)
  expect(new Set(past.map(({ Status }) => Status))).toEqual(new Set(['COMPLETED', 'FAILED', 'CANCELLED']))
  const oldest = Math.min(...past.map(({ QueuedAtUtc }) => Date.parse(QueuedAtUtc)))
  expect((Date.now() - oldest) / 86_400_000).toBeGreaterThan(59)
  expect(past.every(({ CompletedAtUtc }) => Date.parse(CompletedAtUtc ?? '') <= Date.now())).toBe(true)
  const odd = body.find(({ RowsRejected }) => RowsRejected > 0)
  const { body: rejected } = await admin.call(runs.rejected, { params: { ...client, connectorId: Id, runId: odd?.Id ?? '' } })
  expect(rejected).toHaveLength(1)
})

test('[ENG-1] the web shop’s first real run starts by itself and brings its rows', async () => {
  const { Id } = await byName('Web shop')
  const [latest] = await until(
    async () => (await admin.call(runs.list, { params: { ...client, connectorId: Id }, query: { page: 1, pageSize: 1 } })).body,
    ([run]) => run?.Status === 'COMPLETED' && run.RowsRead > 10_000,
  )
  expect(latest).toMatchObject({ Trigger: 'schedule', FaultKind: null })
})

test.each(['postgres', 'cin7'])('[HOME-3] the values that the trial offers make a working %s connector within a minute', async (type) => {
  const { body: types } = await admin.call(connectors.allTypes)
  const demo = types.find(({ Type }) => Type === type)?.Demo ?? {}
  const properties = Object.entries(demo).map(([name, value]) => ({ name, value }))
  const { body: made } = await admin.call(connectors.create, { params: client, body: { type, name: `My ${type}`, properties } })
  const params = { ...client, connectorId: made.Id }
  const { body: started } = await admin.call(connectors.process, { params, body: {} })
  const run = await until(
    async () => (await admin.call(runs.read, { params: { ...params, runId: started.RunId } })).body,
    ({ Status }) => Status !== 'QUEUED' && Status !== 'RUNNING',
    60_000,
  )
  expect(run).toMatchObject({ Status: 'COMPLETED', RowsRejected: 0 })
  expect(run.RowsWritten).toBeGreaterThan(500)
})

test('the trial’s other organisation has its own connector, and neither sees the other’s', async () => {
  const other = new TestClient(http, { emailAddress: 'admin@other.example', password: trialPassword })
  const { body } = await other.call(connectors.list, { params: { clientId: summit.id } })
  expect(body.map(({ Name }) => Name)).toEqual(['Summit shop'])
  expect((await other.call(connectors.list, { params: client })).status).toBe(404)
})
