import { secretMask } from '@tributary/contract/limits'
import { tableSync, type DatabaseCredentials, type TableSync } from '@tributary/contract/table-sync'
import type { FaultReply } from '@tributary/contract/faults'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findAuditEvents } from '@tributary/testing/server/app/audit-log.ts'
import { type CredentialsInput, planDatabases } from '@tributary/testing/server/excel/plan-databases.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'

let app: TestApp
beforeEach(async () => {
  app = await testApp()
})
afterEach(() => app[Symbol.asyncDispose]())

const [postgres] = planDatabases
const blank = { host: '', database: '', schema: '', user: '', password: '' }

const path = (call = 'database-credentials') => `/api/organisations/${app.harbour.id}/${call}`
async function save(input: CredentialsInput) {
  return app.as.admin.send<DatabaseCredentials & FaultReply>('POST', path(), { body: { ...blank, ...input } })
}
async function check(input: CredentialsInput) {
  const { body } = await app.as.admin.send<{ Name: string; Outcome: string; Notice: string | null }[]>(
    'POST',
    path('database-credentials/check'),
    { body: { ...blank, ...input } },
  )
  return body
}
async function synchronise() {
  return app.as.admin.send<TableSync & FaultReply>('GET', path('database-table-sync'))
}

test('[API-5] credentials without a connector are for SQL Server', async () => {
  const named = { host: 'db.example.com', database: 'books', schema: 'plan', user: 'writer', password: 'harbour-7' }
  const { status, body } = await save(named)
  expect([status, body.connector]).toEqual([200, 'mssql'])
  const read = await app.as.admin.call(tableSync.credentials, { params: { clientId: app.harbour.id } })
  expect(read.body).toMatchObject({ connector: 'mssql', host: named.host })
})

test('[ACC-6] concurrent saves all succeed, and the last one wins', async () => {
  const { credentials } = await postgres.open(app)
  const replies = await Promise.all(['one', 'two', 'three', 'four'].map((schema) => save({ ...credentials, schema })))
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  const { schema } = (await app.as.admin.send<DatabaseCredentials>('GET', path())).body
  expect(['one', 'two', 'three', 'four']).toContain(schema)
})

test('[ACC-6] [API-1 POST /organisations/{id}/database-credentials] the password is stored and masked, and is not sent to another host or user', async () => {
  const { credentials } = await postgres.open(app)
  const saved = await save(credentials)
  expect(saved.body).toMatchObject({
    ...credentials,
    password: secretMask,
    savedBy: expect.any(String),
    savedAtUtc: expect.any(String),
  })
  expect((await app.as.admin.send<DatabaseCredentials>('GET', path())).body).toEqual(saved.body)
  const masked = { ...credentials, password: secretMask }
  expect((await save({ ...masked, schema: 'other' })).body.schema).toBe('other')
  expect((await check(masked)).every(({ Outcome }) => Outcome === 'passed')).toBe(true)
  for (const change of [
    { host: '127.0.0.1:1' },
    { user: 'another' },
    { encryption: 'verify' },
    { connector: 'mysql' },
  ] as const) {
    const refused = await save({ ...masked, ...change })
    expect([refused.status, refused.body.code, refused.body.fields]).toEqual([
      422,
      'secretNeeded',
      { password: 'required' },
    ])
    const tested = await app.as.admin.send<FaultReply>('POST', path('database-credentials/check'), {
      body: { ...masked, ...change },
    })
    expect(tested.body.code).toBe('secretNeeded')
  }
  expect(app.logLines.join('\n')).not.toContain(credentials.password)
  expect((await save(blank)).body).toMatchObject({ host: '', password: '', savedBy: null })
  const event = { actorId: app.idOf('admin'), organisationId: app.harbour.id, outcome: 'success', objectId: null }
  expect(await findAuditEvents(app.store, 'database.credentials_changed')).toMatchObject([event, event, event])
  expect(await findAuditEvents(app.store, 'database.credentials_tested')).toMatchObject([event])
})

test('[ACC-6] [API-1 POST /organisations/{id}/database-credentials] missing or invalid settings are refused with their field', async () => {
  const partly = await save({ connector: 'postgres', host: 'db.example.com' })
  expect([partly.status, partly.body.fields]).toEqual([
    400,
    { database: 'required', user: 'required', password: 'required' },
  ])
  const wrong = await save({
    connector: 'postgres',
    host: 'db.example.com',
    database: 'a',
    user: 'b',
    password: 'c',
    schema: '1; DROP',
  })
  expect([wrong.status, wrong.body.code, Object.keys(wrong.body.fields ?? {})]).toEqual([
    422,
    'settingsWrong',
    ['schema'],
  ])
  const named = await save({ host: String.raw`sql01\sales`, database: 'a', user: 'b', password: 'c' })
  expect([named.status, Object.keys(named.body.fields ?? {})]).toEqual([422, ['host']])
})

test('[ACC-6] a test stops at the first failed check; Synchronise also reports an unreachable database', async () => {
  const { credentials } = await postgres.open(app)
  expect((await check({ ...credentials, password: 'wrong' })).map(({ Outcome }) => Outcome)).toEqual([
    'passed',
    'failed',
    'skipped',
    'skipped',
  ])
  const closed = { ...credentials, host: '127.0.0.1:1' }
  expect((await check(closed))[0]?.Outcome).toBe('failed')
  await save(closed)
  const refused = await synchronise()
  expect([refused.status, refused.body.code]).toEqual([422, 'settingsWrong'])
})
