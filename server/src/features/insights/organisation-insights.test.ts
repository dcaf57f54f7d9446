import { insights } from '@tributary/contract/insights'
import { users } from '@tributary/contract/users'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { addDailyCalls } from '../../connections/rate-budgets/daily-calls.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp({ env: { TRIBUTARY_LIMITS: 'off' } })
})
afterAll(() => app[Symbol.asyncDispose]())

const hourMs = 3_600_000
const ago = (hours: number) => new Date(app.clock.now() - hours * hourMs)

async function addOrganisation(companyName: string) {
  return (await app.as.provideradmin.call(users.createOrganisation, { body: { companyName } })).body.Id
}

interface ConnectorWithRun {
  readonly type?: string
  readonly status?: 'COMPLETED' | 'FAILED' | 'RUNNING'
  readonly hoursAgo?: number
  readonly schedule?: string
  readonly rows?: number
  readonly licence?: string
  readonly calls?: number
}

async function addConnector(organisationId: string, name: string, about: ConnectorWithRun = {}): Promise<void> {
  const { type = 'postgres', status, hoursAgo = 1, schedule = null, rows, licence, calls } = about
  await app.store.within(organisationId, async (db) => {
    const connector = { organisationId, key: name, type, name, originalName: name, schedule, createdAt: ago(900) }
    const { id: connectorId } = await db
      .insertInto('connector')
      .values(connector)
      .returning('id')
      .executeTakeFirstOrThrow()
    const of = { organisationId, connectorId }
    if (status !== undefined)
      await db
        .insertInto('run')
        .values({
          ...of,
          mode: 'full',
          trigger: 'schedule',
          status,
          queuedAt: ago(hoursAgo),
          completedAt: status === 'RUNNING' ? null : ago(hoursAgo),
        })
        .execute()
    if (rows !== undefined)
      await db
        .insertInto('connectorStream')
        .values({ ...of, name: 'orders', tableName: 'orders', licence: 'Base', reads: 'whole', rows })
        .execute()
    if (licence !== undefined)
      await db
        .insertInto('connectorLicence')
        .values({ ...of, licence })
        .execute()
    for (const made of calls === undefined ? [] : [1, calls - 1])
      await addDailyCalls(db, of, [{ limitKey: name, stream: null, calls: made, bytes: 0 }])
  })
}

test('[UX-DASH-1] the provider sees each organisation, those that need help first, with its size, calls and licences', async () => {
  const failing = await addOrganisation('B failing twice')
  await addConnector(failing, 'one', { status: 'FAILED' })
  await addConnector(failing, 'two', { status: 'FAILED' })
  await addConnector(failing, 'three', { status: 'COMPLETED', rows: 40 })
  const late = await addOrganisation('A late and large')
  await addConnector(late, 'one', { status: 'COMPLETED', hoursAgo: 49, schedule: '0 * * * *', rows: 7_000 })
  await addConnector(late, 'two', { status: 'RUNNING', hoursAgo: 1, rows: 5 })
  const busy = await addOrganisation('C near its limit')
  await addConnector(busy, 'quiet ledger', { type: 'uniconta', calls: 12 })
  await addConnector(busy, 'busy books', { type: 'xero', calls: 4_100, licence: 'Everything' })
  await addConnector(busy, 'stock', { type: 'cin7', status: 'RUNNING', hoursAgo: 0, calls: 900 })
  await addConnector(busy, 'shop', { calls: 5 })
  const never = await addOrganisation('D never connected')
  const archived = await addOrganisation('E archived')
  await addConnector(archived, 'one', { status: 'FAILED' })
  await app.as.provideradmin.call(users.archiveOrganisation, {
    params: { clientId: archived },
    body: { archived: true },
  })

  const { body } = await app.as.provideradmin.call(insights.organisations)
  expect(body.map(({ CompanyName }) => CompanyName)).toEqual([
    'B failing twice',
    'A late and large',
    'C near its limit',
    'D never connected',
    'Harbour Trading',
    'Summit Foods',
  ])
  const of = (id: string) => body.find(({ Id }) => Id === id)
  expect(of(failing)).toMatchObject({ Connectors: 3, Failing: 2, Late: 0, Running: 0, NeverConnected: false, Rows: 40 })
  expect(of(late)).toMatchObject({ Connectors: 2, Failing: 0, Late: 2, Rows: 7_005, Calls: [], Licences: [] })
  expect(of(busy)).toMatchObject({
    Running: 1,
    Calls: [
      { Type: 'xero', ConnectorName: 'busy books', Used: 4_100, Limit: 5_000, Per: 'day' },
      { Type: 'cin7', ConnectorName: 'stock', Used: 900, Limit: 60, Per: 'minute' },
      { Type: 'uniconta', ConnectorName: 'quiet ledger', Used: 12, Limit: 5_000, Per: 'day' },
    ],
    Licences: [{ Type: 'xero', Title: 'Everything', Connectors: 1 }],
  })
  expect(of(never)).toMatchObject({ Connectors: 0, NeverConnected: true, Rows: 0 })
  expect((await app.as.superadmin.call(insights.organisations)).body).toEqual(body)
})

test('[UX-DASH-1] nobody but the provider sees the organisations', async () => {
  for (const role of ['admin', 'user', 'guest', 'otherAdmin'] as const)
    expect((await app.as[role].call(insights.organisations)).status).toBe(403)
  expect((await app.as.visitor.call(insights.organisations)).status).toBe(401)
})
