import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { alerts } from '@tributary/contract/alerts'
import { connectors } from '@tributary/contract/connectors'
import { stalledAfterMs } from '@tributary/contract/limits'
import { organisations } from '@tributary/contract/organisations'
import { accounting } from '@tributary/contract/accounting'
import { approvals, type Approval } from '@tributary/contract/approvals'
import { runs } from '@tributary/contract/runs'
import { schemaChanges } from '@tributary/contract/schema-changes'
import { streams } from '@tributary/contract/streams'
import { tieOut } from '@tributary/contract/tie-out'
import { users } from '@tributary/contract/users'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildApp } from '../app.ts'
import { readConfig } from '../kernel/config/config.ts'
import { openLog } from '../kernel/log/log.ts'
import { TestClient } from '@tributary/testing/server/app/client.ts'
import { findFreePort } from '@tributary/testing/databases/free-port.ts'
import { until } from '@tributary/testing/server/connectors/run-driver.ts'
import { startServer, type RunningServer } from '../start.ts'
import { trialOrganisations, trialPassword } from './people.ts'

const home = mkdtempSync(join(tmpdir(), 'tributary-trial-'))
const [harbour, summit] = trialOrganisations
let running: RunningServer
let http: FastifyInstance
let admin: TestClient

beforeAll(async () => {
  const { config } = readConfig({ PORT: String(await findFreePort()), TRIBUTARY_DATA_DIR: home })
  running = await startServer(config, openLog('error'))
  http = await buildApp(running.services)
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

test('[DASH-3] [DASH-6] the trial shows a card in every state: completed, stalled, forbidden', async () => {
  expect((await byName('Stock and sales')).Log).toMatchObject({
    HasError: false,
    Forbidden: false,
    CompletedAtUtc: expect.any(String),
  })
  expect(await byName('Old shop archive')).toMatchObject({
    NextRunAtUtc: null,
    Log: { HasError: true, Forbidden: true },
  })
  const { Log } = await byName('Branch stock')
  expect(Log).toMatchObject({ CompletedAtUtc: null, Notice: expect.stringContaining('continues automatically') })
  expect(Date.now() - Date.parse(Log?.ManuallyTriggeredAtUtc ?? '')).toBeGreaterThan(stalledAfterMs)
})

test('[ADMIN-4] [ADMIN-8] the trial has people of every status, an open invitation, pending requests and a rejected one', async () => {
  const { body: people } = await admin.call(organisations.users)
  expect(new Set(people.map(({ Status }) => Status?.Name))).toEqual(new Set(['active', 'locked', 'archived']))
  expect((await admin.call(users.invitations)).body).toMatchObject([{ EmailAddress: 'ingrid.holm@demo.example' }])
  const provider = new TestClient(http, { emailAddress: 'provideradmin@demo.example', password: trialPassword })
  const states = (requests: readonly Approval[]) =>
    requests.map(({ ApprovalType, ApprovalStatus }) => `${ApprovalType} ${ApprovalStatus}`)
  expect(states((await admin.call(approvals.list)).body)).toEqual([
    'JOIN_ORGANISATION PENDING',
    'JOIN_ORGANISATION REJECTED',
  ])
  const all = await provider.call(approvals.list, { query: { orgId: harbour.id } })
  expect(states(all.body)).toContain('NEW_ORGANISATION PENDING')
})

test('the trial’s connectors have sixty days of past runs with streams, lines and rejected rows, none in the future', async () => {
  const { Id } = await byName('Web shop')
  const { body } = await admin.call(runs.list, { params: { ...client, connectorId: Id } })
  // The latest run began with the server.
  const past = body.slice(1)
  expect(past.length).toBeGreaterThan(300)
  expect(new Set(past.map(({ Status }) => Status))).toEqual(new Set(['COMPLETED', 'FAILED', 'CANCELLED']))
  const oldest = Math.min(...past.map(({ QueuedAtUtc }) => Date.parse(QueuedAtUtc)))
  expect((Date.now() - oldest) / 86_400_000).toBeGreaterThan(59)
  expect(past.every(({ CompletedAtUtc }) => Date.parse(CompletedAtUtc ?? '') <= Date.now())).toBe(true)
  const odd = body.find(({ RowsRejected }) => RowsRejected > 0)
  const { body: rejected } = await admin.call(runs.rejected, {
    params: { ...client, connectorId: Id, runId: odd?.Id ?? '' },
  })
  expect(rejected).toHaveLength(1)
})

test('[ENG-1] the web shop’s first real run starts automatically and loads its rows', async () => {
  const { Id } = await byName('Web shop')
  const [latest] = await until(
    async () =>
      (await admin.call(runs.list, { params: { ...client, connectorId: Id }, query: { page: 1, pageSize: 1 } })).body,
    ([run]) => run?.Status === 'COMPLETED' && run.RowsRead > 10_000,
  )
  expect(latest).toMatchObject({ Trigger: 'schedule', FaultKind: null })
})

test.each([
  ['postgres', 500],
  ['cin7', 200],
  ['uniconta', 100],
] as const)(
  '[HOME-3] the settings that the trial suggests make a working %s connector within a minute',
  async (type, rowsMin) => {
    const { body: types } = await admin.call(connectors.allTypes)
    const demo = types.find(({ Type }) => Type === type)?.Demo ?? {}
    const properties = Object.entries(demo).map(([name, value]) => ({ name, value }))
    const { body: created } = await admin.call(connectors.create, {
      params: client,
      body: { type, name: `My ${type}`, properties },
    })
    const params = { ...client, connectorId: created.Id }
    const { body: started } = await admin.call(runs.process, { params, body: {} })
    const run = await until(
      async () => (await admin.call(runs.read, { params: { ...params, runId: started.RunId } })).body,
      ({ Status }) => Status !== 'QUEUED' && Status !== 'RUNNING',
      60_000,
    )
    expect(run).toMatchObject({ Status: 'COMPLETED', RowsRejected: 0 })
    expect(run.RowsWritten).toBeGreaterThan(rowsMin)
  },
)

test('[ENG-2] the trial’s Uniconta connector loads the tables of all its bundles', async () => {
  const params = { ...client, connectorId: (await byName('Nordlys ledger')).Id }
  const { body: started } = await admin.call(runs.process, { params, body: {} })
  const run = await until(
    async () => (await admin.call(runs.read, { params: { ...params, runId: started.RunId } })).body,
    ({ Status }) => Status !== 'QUEUED' && Status !== 'RUNNING',
    60_000,
  )
  expect(run).toMatchObject({ Status: 'COMPLETED', RowsRejected: 0 })
  expect(run.RowsWritten).toBeGreaterThan(2_000)
})

test('[ACC-2] [ENG-1] the trial’s books are a product of the assigned user; their first real run starts automatically and ties out', async () => {
  const { Id } = await byName('Harbour Trading')
  const user = new TestClient(http, { emailAddress: 'user@demo.example', password: trialPassword })
  expect((await user.call(accounting.mine)).body).toMatchObject([{ Id, Type: 'xero', NextTriggerAtUtc: null }])
  const params = { ...client, connectorId: Id }
  const [run] = await until(
    async () => (await admin.call(runs.list, { params, query: { page: 1, pageSize: 1 } })).body,
    ([latest]) =>
      latest !== undefined &&
      !['QUEUED', 'RUNNING'].includes(latest.Status) &&
      Date.now() - Date.parse(latest.QueuedAtUtc) < 600_000,
    90_000,
  )
  expect(run).toMatchObject({ Status: 'COMPLETED', RowsRejected: 0, TieOut: 'green' })
  const { body: history } = await admin.call(tieOut.history, { params })
  expect(new Set(history.map(({ State }) => State))).toEqual(new Set(['green', 'amber', 'red']))
  expect(history.length).toBeGreaterThan(120)
  const { body: latest } = await admin.call(tieOut.latest, { params })
  expect(latest?.Periods.length).toBeGreaterThan(10)
  const superadmin = new TestClient(http, { emailAddress: 'superadmin@demo.example', password: trialPassword })
  const { body: tokens } = await superadmin.call(accounting.tokens)
  const { body: companies } = await superadmin.call(accounting.tenants, { params: { tokenId: tokens[0]?.id ?? '' } })
  expect(companies.filter(({ ProductId }) => ProductId === null).length).toBeGreaterThan(1)
})

test('the trial has a connector shared by another organisation, one with a pending schema change, and one with selected alert recipients', async () => {
  expect(await byName('Quayside stock')).toMatchObject({ SharedBy: 'Quayside Group', Properties: [] })
  expect(await byName('Old shop archive')).toMatchObject({ SchemaPolicy: 'ask', PendingChanges: 1 })
  const { Id, Licences } = await byName('Stock and sales')
  expect(Licences.some(({ Base }) => !Base)).toBe(true)
  const { body } = await admin.call(alerts.read, { params: { ...client, connectorId: Id } })
  expect(body.Users).toHaveLength(2)
})

test('the past of the trial’s web shop has a card of each kind, fresh tables and an applied column', async () => {
  const params = { ...client, connectorId: (await byName('Web shop')).Id }
  const { body: past } = await admin.call(runs.list, { params })
  const kinds = new Set<string>()
  for (const { Id, Status } of past) {
    if (Status !== 'FAILED') continue
    const { body } = await admin.call(runs.read, { params: { ...params, runId: Id } })
    kinds.add(body.Card?.Action.Kind ?? 'none')
  }
  expect([...kinds].toSorted()).toEqual(['copy', 'edit', 'retry', 'tellProvider'])
  const { body: tables } = await admin.call(streams.list, { params })
  expect(tables.length).toBeGreaterThanOrEqual(4)
  for (const { FreshAtUtc, Rows } of tables) expect([typeof FreshAtUtc, typeof Rows]).toEqual(['string', 'number'])
  const { body: changes } = await admin.call(schemaChanges.list, { params })
  expect(changes.find(({ Column }) => Column === 'note')).toMatchObject({ Table: 'shop_orders', Status: 'APPLIED' })
})

test('the trial’s waiting run shows when it continues, and which of its tables are done', async () => {
  const { Id, Log } = await byName('Branch stock')
  const { body } = await admin.call(runs.read, { params: { ...client, connectorId: Id, runId: Log?.RunId ?? '' } })
  expect(body).toMatchObject({
    Status: 'WAITING',
    Card: { Title: expect.stringMatching(/^Waiting for Cin7 Core until /u), Data: 'partly' },
  })
  expect(new Set(body.Streams.map(({ Phase }) => Phase))).toEqual(new Set(['done', 'reading', 'waiting']))
})

test('a connector loads only the streams that its licences cover', async () => {
  const { Id } = await byName('My cin7')
  const { body } = await admin.call(streams.list, { params: { ...client, connectorId: Id } })
  expect(new Set(body.map(({ Licence }) => Licence))).toEqual(new Set(['Base']))
})

test('the trial’s connectors with a failed sign-in have an open incident', async () => {
  const { Id } = await byName('Old shop archive')
  const incidents = () => admin.call(alerts.incidents, { params: { ...client, connectorId: Id } })
  const [incident] = await until(
    async () => (await incidents()).body,
    (list) => list.length > 0,
  )
  expect(incident).toMatchObject({ Kind: 'signIn', ClosedAtUtc: null })
})

test('the trial’s other organisation has its own connector, and neither sees the other’s', async () => {
  const other = new TestClient(http, { emailAddress: 'admin@other.example', password: trialPassword })
  const { body } = await other.call(connectors.list, { params: { clientId: summit.id } })
  expect(body.map(({ Name }) => Name)).toEqual(['Summit shop'])
  expect((await other.call(connectors.list, { params: client })).status).toBe(404)
})
