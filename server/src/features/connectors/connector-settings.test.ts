import { randomUUID } from 'node:crypto'
import { connectorProperties } from '@tributary/contract/connector-properties'
import { connectors } from '@tributary/contract/connectors'
import { recentRunsMax, secretMask } from '@tributary/contract/limits'
import { runs } from '@tributary/contract/runs'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type SourceDatabase, sourceDatabase } from '@tributary/testing/server/connectors/source-database.ts'
import { StatementLog } from '@tributary/testing/server/app/statement-log.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'

const statements = new StatementLog()
let app: TestApp
let source: SourceDatabase
beforeAll(async () => {
  app = await testApp({ plugins: [statements] })
  source = await sourceDatabase('CREATE TABLE invoice (id int PRIMARY KEY)')
})
afterAll(() => app[Symbol.asyncDispose]())
beforeEach(() => app.store.across((db) => db.updateTable('connector').set({ status: 'DELETED' }).execute()))

const params = () => ({ clientId: app.harbour.id })
const property = () => ({ name: 'source.connectionString', value: source.settings })

async function add(more: object = {}, properties: object[] = [property()]) {
  const body = { type: 'postgres', name: `Shop ${randomUUID()}`, properties, ...more }
  const reply = await app.as.admin.call(connectors.create, { params: params(), body })
  expect(reply).toMatchObject({ status: 201 })
  return reply.body
}

function addRuns(connectorId: string, count: number, status: 'COMPLETED' | 'FAILED' = 'COMPLETED') {
  const row = { organisationId: app.harbour.id, connectorId, mode: 'full', trigger: 'schedule', status } as const
  const runsOf = Array.from({ length: count }, (_, at) => ({ ...row, queuedAt: new Date(Date.UTC(2026, 0, 1 + at)) }))
  return app.store.within(app.harbour.id, (db) => db.insertInto('run').values(runsOf).execute())
}

async function read(connectorId: string) {
  const { status, body } = await app.as.admin.call(connectors.find, { params: { connectorId } })
  expect(status).toBe(200)
  return body
}

describe('a connector shows', () => {
  test('its latest runs, newest first, its undecided changes, and that its target is unreachable', async () => {
    const { Id } = await add()
    expect(await read(Id)).toMatchObject({
      RecentRuns: [],
      PendingChanges: 0,
      TargetDownSinceUtc: null,
      SharedBy: null,
      SchemaPolicy: 'take',
      Licences: [{ Id: 'Base', Base: true }],
    })
    await addRuns(Id, recentRunsMax + 3)
    const change = { organisationId: app.harbour.id, connectorId: Id, stream: 'public.invoice', tableName: 'invoice' }
    await app.store.within(app.harbour.id, async (db) => {
      const changes = [
        { ...change, columnName: 'one', after: 'Text', status: 'PENDING' as const },
        { ...change, columnName: 'two', after: 'Text', status: 'PENDING' as const },
        { ...change, columnName: 'three', after: 'Text', status: 'REJECTED' as const },
        { ...change, columnName: 'four', after: 'Text', status: 'APPLIED' as const },
      ]
      await db.insertInto('schemaChange').values(changes).execute()
      await db
        .updateTable('connector')
        .set({ targetDownSince: new Date('2026-01-20T06:00:00Z') })
        .where('id', '=', Id)
        .execute()
    })
    const connector = await read(Id)
    expect(connector).toMatchObject({ PendingChanges: 2, TargetDownSinceUtc: '2026-01-20T06:00:00.000Z' })
    expect(connector.RecentRuns).toHaveLength(recentRunsMax)
    expect(connector.RecentRuns[0]).toMatchObject({ Id: connector.Log?.RunId, Status: 'COMPLETED' })
    expect(connector.RecentRuns.map(({ QueuedAtUtc }) => Date.parse(QueuedAtUtc))).toEqual(
      Array.from({ length: recentRunsMax }, (_, at) => Date.UTC(2026, 0, recentRunsMax + 3 - at)),
    )
  })

  test('its schema policy, set initially or later, with the user who changed it in the audit log', async () => {
    const { Id } = await add({ schemaPolicy: 'ask' })
    const at = { params: { ...params(), connectorId: Id } }
    expect((await read(Id)).SchemaPolicy).toBe('ask')
    expect(
      (await app.as.admin.call(connectors.change, { ...at, body: { schemaPolicy: 'stop' } })).body.SchemaPolicy,
    ).toBe('stop')
    expect(
      (await app.as.admin.call(connectors.change, { ...at, body: { name: `Other ${Id}` } })).body.SchemaPolicy,
    ).toBe('stop')
    const nonsense = await app.as.admin.call(connectors.change, { ...at, body: { schemaPolicy: 'drop' } })
    expect(nonsense).toMatchObject({ status: 400, body: { fields: { schemaPolicy: expect.any(String) } } })
    const events = await app.store.within(app.harbour.id, (db) =>
      db.selectFrom('auditEvent').select('detail').where('action', '=', 'connector.schema_policy_changed').execute(),
    )
    expect(events).toEqual([{ detail: { before: 'ask', after: 'stop' } }])
  })

  test('the same in a list as alone, with a constant number of statements', async () => {
    const first = await add()
    await addRuns(first.Id, 2)
    const list = async () => {
      statements.take()
      const { body } = await app.as.admin.call(connectors.list, { params: params() })
      return { body, count: statements.take().length }
    }
    const one = await list()
    expect(one.body.find(({ Id }) => Id === first.Id)).toEqual(await read(first.Id))
    for (let at = 0; at < 8; at += 1) await addRuns((await add()).Id, 20)
    const many = await list()
    expect(many.body.length).toBeGreaterThanOrEqual(9)
    expect(many.count).toBe(one.count)
  })
})

describe('disconnecting all', () => {
  const all = (query: object = {}) =>
    app.as.admin.call(connectors.disconnectAll, { params: params(), query: { ...query } })
  const audited = (id: string) =>
    app.store.within(app.harbour.id, (db) =>
      db
        .selectFrom('auditEvent')
        .select('action')
        .where('objectId', '=', id)
        .where('action', '=', 'connector.disconnected')
        .execute(),
    )

  test('[MAN-4] disconnects all connected ones atomically: credentials deleted, runs cancelled, others unchanged', async () => {
    const [one, other, before] = [await add(), await add(), await add()]
    await app.as.admin.call(connectors.disconnect, { params: { clientKey: app.harbour.key, connectorKey: before.Key } })
    const started = await app.as.admin.call(runs.process, { params: { ...params(), connectorId: one.Id }, body: {} })
    expect(started.status).toBe(202)
    const { status, body } = await all()
    expect(status).toBe(200)
    expect(body.map(({ Id, Status }) => [Id, Status]).toSorted()).toEqual(
      [one, other].map(({ Id }) => [Id, 'DISCONNECTED']).toSorted(),
    )
    const left = await app.store.within(app.harbour.id, (db) =>
      db.selectFrom('connectorProperty').select('name').where('connectorId', 'in', [one.Id, other.Id]).execute(),
    )
    expect(left).toEqual([])
    const run = await app.as.admin.call(runs.read, {
      params: { ...params(), connectorId: one.Id, runId: started.body.RunId },
    })
    expect(run.body).toMatchObject({ Status: 'CANCELLED', Notice: 'The connector was disconnected.' })
    expect([await audited(one.Id), await audited(before.Id)]).toEqual([
      [{ action: 'connector.disconnected' }],
      [{ action: 'connector.disconnected' }],
    ])
    expect((await all()).body).toEqual([])
  })

  test('of one type leaves the others connected', async () => {
    const { Id } = await add()
    expect((await all({ type: 'mysql' })).body).toEqual([])
    expect((await read(Id)).Status).toBe('CONNECTED')
    expect((await all({ type: 'postgres' })).body.map((connector) => connector.Id)).toEqual([Id])
  })

  test('fails for all where it fails for one', async () => {
    const [one, other] = [await add(), await add()]
    await app.store.across((db) =>
      db.schema.alterTable('connectorProperty').renameTo('connector_property_away').execute(),
    )
    try {
      expect((await all()).status).toBe(500)
    } finally {
      await app.store.across((db) =>
        db.schema.alterTable('connector_property_away').renameTo('connectorProperty').execute(),
      )
    }
    expect([(await read(one.Id)).Status, (await read(other.Id)).Status]).toEqual(['CONNECTED', 'CONNECTED'])
  })
})

test('a reconnected connector keeps its history, its licences and the schema with its checkpoints', async () => {
  const { Id, Key } = await add({}, [property(), { name: 'target.schema', value: 'sales' }])
  await addRuns(Id, 3)
  await app.as.admin.call(connectors.disconnect, { params: { clientKey: app.harbour.key, connectorKey: Key } })
  const again = await app.as.admin.call(connectors.change, {
    params: { ...params(), connectorId: Id },
    body: { status: 'CONNECTED', properties: [property()] },
  })
  expect(again.body).toMatchObject({ Id, Key, Status: 'CONNECTED' })
  expect(again.body.RecentRuns).toHaveLength(3)
  expect(again.body.Properties.find(({ Name }) => Name === 'target.schema')?.Value).toBe('sales')
})

describe('[API-7] the properties of a SQL Server connector', () => {
  const reach = {
    'data source': 'sql01.example.com',
    'initial catalog': 'shop',
    'user id': 'reader',
    password: 'canary-1',
  }
  const value = { ...reach, multipleActiveResultSets: true }
  const properties = [
    { name: 'source.connectionString', value },
    { name: 'target.connectionString', value: { connector: 'mssql', ...value } },
    { name: 'target.schema', value: 'dbo' },
    { name: 'portal.user', value: '' },
  ]

  test('have the keys of the specification, and can be read, replaced, changed one by one and removed', async () => {
    const made = await app.as.admin.call(connectors.create, {
      params: params(),
      body: { type: 'sqlserver', name: 'SQL', properties },
    })
    expect(made).toMatchObject({ status: 201 })
    const at = { ...params(), connectorId: made.body.Id }
    const shown = { ...value, password: secretMask }
    const valueOf = (list: readonly { Name: string; Value?: unknown }[], name: string) =>
      list.find(({ Name }) => Name === name)?.Value
    const read1 = await app.as.admin.call(connectorProperties.list, { params: at })
    expect(read1.body.map(({ Name }) => Name)).toEqual([
      'portal.user',
      'source.connectionString',
      'target.connectionString',
      'target.schema',
    ])
    expect(valueOf(read1.body, 'source.connectionString')).toEqual(shown)
    expect(valueOf(read1.body, 'target.connectionString')).toEqual({ connector: 'mssql', ...shown })
    const one = await app.as.admin.call(connectorProperties.setOne, {
      params: { ...at, name: 'target.schema' },
      body: { value: 'copy' },
    })
    expect(one.body).toEqual({ Name: 'target.schema', Value: 'copy', ClientConnectorId: made.body.Id })
    const some = await app.as.admin.call(connectorProperties.set, {
      params: at,
      body: [{ name: 'target.schema', value: 'sales' }],
    })
    expect([valueOf(some.body, 'target.schema'), valueOf(some.body, 'source.connectionString')]).toEqual([
      'sales',
      shown,
    ])
    const replaced = await app.as.admin.call(connectorProperties.replace, {
      params: at,
      body: [{ name: 'source.connectionString', value: shown }],
    })
    expect(replaced.body.map(({ Name }) => Name)).toEqual(['portal.user', 'source.connectionString'])
    expect(
      (
        await app.as.admin.call(connectorProperties.setOne, {
          params: { ...at, name: 'target.schema' },
          body: { value: 'dbo' },
        })
      ).status,
    ).toBe(200)
    expect(
      (await app.as.admin.call(connectorProperties.removeOne, { params: { ...at, name: 'target.schema' } })).status,
    ).toBe(204)
  })
})

test('[API-9] fullTransactionSync requests a full run, its absence an incremental one, by ids and by keys', async () => {
  const [one, other] = [await add(), await add()]
  const byId = await app.as.superadmin.call(runs.process, {
    params: { ...params(), connectorId: one.Id },
    body: { fullTransactionSync: true },
  })
  const byKey = await app.as.superadmin.call(runs.processByKey, {
    params: { clientKey: app.harbour.key, connectorKey: other.Key },
    body: { fullTransactionSync: false },
  })
  const modeOf = async (connectorId: string, runId: string) =>
    (await app.as.admin.call(runs.read, { params: { ...params(), connectorId, runId } })).body.Mode
  expect([await modeOf(one.Id, byId.body.RunId), await modeOf(other.Id, byKey.body.RunId)]).toEqual([
    'full',
    'incremental',
  ])
})

test('a name with a line break or a link, which would end up in an email, is refused', async () => {
  for (const name of ['Shop\r\nBcc: thief@canary.example', 'Shop http://canary.example'])
    expect(
      await app.as.admin.call(connectors.create, {
        params: { clientId: app.harbour.id },
        body: { type: 'postgres', name, properties: [] },
      }),
    ).toMatchObject({
      status: 400,
      body: { code: 'badInput', fields: { name: expect.any(String) } },
    })
})
