import { randomUUID } from 'node:crypto'
import { createServer, type AddressInfo } from 'node:net'
import { once } from 'node:events'
import { connectors } from '@tributary/contract/connectors'
import { streams } from '@tributary/contract/streams'
import { connectMysql } from '@tributary/engine/databases/mysql/connection'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { findAuditEvents } from '@tributary/testing/server/app/audit-log.ts'
import { findFreePort } from '@tributary/testing/databases/free-port.ts'
import { type SourceDatabase, sourceDatabase } from '@tributary/testing/server/connectors/source-database.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'

let app: TestApp
let postgres: SourceDatabase
/** Settings that reach each database with all permissions. */
let reach: { readonly postgres: FormSettings; readonly mysql: FormSettings }
let closedPort: number
type FormSettings = Readonly<Record<string, unknown>>
type DatabaseKind = 'postgres' | 'mysql'
type TestedSide = 'source' | 'target'

const tables = `CREATE TABLE invoice (id int PRIMARY KEY, total numeric(12,2), note varchar(40), paid boolean, at timestamptz);
  INSERT INTO invoice SELECT n, n, 'a note', true, now() FROM generate_series(1, 50) AS n; ANALYZE invoice`

beforeAll(async () => {
  app = await testApp({ env: { TRIBUTARY_ALLOW_HOSTS: '127.0.0.0/8' } })
  postgres = await sourceDatabase(tables)
  reach = { postgres: postgres.settings, mysql: await mariadbDatabase() }
  closedPort = await findFreePort()
})
afterAll(() => app[Symbol.asyncDispose]())

const weak = { user: `weak_${randomUUID().slice(0, 8)}`, password: 'canary-weak-1' }

/** A database with a table, its owner, and a user who may only connect. */
async function mariadbDatabase(): Promise<FormSettings> {
  const { host, port, user, password } = inject('mariadb')
  const database = `check_${randomUUID().replaceAll('-', '')}`
  const { network, clock } = app.services
  const around = { network, clock, signal: new AbortController().signal }
  await using owner = await connectMysql(
    { host, port, user, password, database: 'mysql', tls: 'off' },
    around,
    'SELECT 1',
  )
  await owner.run(`CREATE DATABASE ${database}`)
  await owner.run(`CREATE TABLE ${database}.invoice (id int PRIMARY KEY, total decimal(12,2))`)
  await owner.run(`CREATE USER ${weak.user} IDENTIFIED BY '${weak.password}'`)
  await owner.run(`GRANT SHOW VIEW ON ${database}.* TO ${weak.user}`)
  const { database: shop } = postgres.connection
  await postgres.query(
    `CREATE ROLE ${weak.user} LOGIN PASSWORD '${weak.password}'; GRANT CONNECT ON DATABASE ${shop ?? ''} TO ${weak.user}`,
  )
  return { host, port, user, password, database, tls: 'off' }
}

const byAdmin = () => ({ actorId: app.idOf('admin'), organisationId: app.harbour.id, outcome: 'success' })

/** The form with these settings for one side and valid ones for the other. */
async function check(kind: DatabaseKind, side: TestedSide, change: FormSettings) {
  const changed = { ...reach[kind], ...change }
  const properties =
    side === 'source'
      ? [{ name: 'source.connectionString', value: changed }]
      : [
          { name: 'source.connectionString', value: postgres.settings },
          { name: 'target.connectionString', value: { connector: kind, ...changed } },
          { name: 'target.schema', value: 'copy' },
        ]
  const type = side === 'source' ? kind : 'postgres'
  const { status, body } = await app.as.admin.call(connectors.check, {
    params: { clientId: app.harbour.id },
    body: { type, properties },
  })
  expect({ status, body }).toMatchObject({ status: 200 })
  expect(JSON.stringify(body)).not.toContain('canary')
  return body.filter((result) => result.Side === side)
}

async function failureOf(...of: Parameters<typeof check>): Promise<string | null> {
  const results = await check(...of)
  return results.find(({ Outcome }) => Outcome === 'failed')?.Notice ?? null
}

const unknownHost = 'There is no host with the name nowhere.invalid. Check the host name and the port.'

describe.each([
  ['postgres', 'source'],
  ['postgres', 'target'],
  ['mysql', 'source'],
  ['mysql', 'target'],
] as const)('testing a connection to %s as %s', (kind, side) => {
  test('passes with valid settings', async () => {
    const results = await check(kind, side, {})
    expect(results.length).toBeGreaterThan(2)
    expect(new Set(results.map(({ Outcome }) => Outcome))).toEqual(new Set(['passed']))
    const event = { ...byAdmin(), objectId: side === 'source' ? kind : 'postgres' }
    expect((await findAuditEvents(app.store, 'connector.credentials_tested')).at(-1)).toMatchObject(event)
  })

  test('names an unknown host, and skips the checks after it', async () => {
    const results = await check(kind, side, { host: 'nowhere.invalid' })
    expect((await findAuditEvents(app.store, 'connector.credentials_tested')).at(-1)).toMatchObject({
      ...byAdmin(),
      outcome: 'failure',
    })
    expect(results[0]).toMatchObject({ Outcome: 'failed', Notice: unknownHost })
    expect(results.slice(1).map(({ Outcome }) => Outcome)).toEqual(results.slice(1).map(() => 'skipped'))
  })

  test('names a closed port', async () => {
    expect(await failureOf(kind, side, { port: closedPort })).toBe(
      `${String(reach[kind]['host'])}:${closedPort} does not answer. Check that the server runs and that a firewall lets Tributary in.`,
    )
  })

  test('names encryption that the server does not support', async () => {
    const change = kind === 'postgres' ? { sslmode: 'require' } : { tls: 'verify' }
    const sentence =
      kind === 'postgres'
        ? `The ${side} server does not offer TLS. Turn it on there, or choose the TLS mode ‘disable’.`
        : 'The MySQL server offers no encryption. Turn it on there, or choose "No encryption" if the network is trusted.'
    expect(await failureOf(kind, side, change)).toBe(sentence)
  })

  test('names a wrong password, without repeating it', async () => {
    const sentence =
      kind === 'postgres'
        ? `The ${side} database refused the user name or the password. Enter them again.`
        : 'The MySQL server refused the user name or password. Check both.'
    expect(await failureOf(kind, side, { password: 'canary-wrong-1' })).toBe(sentence)
  })

  test('names an unknown database', async () => {
    const sentence =
      kind === 'postgres'
        ? `The ${side} server has no database of this name. Check the database.`
        : 'The MySQL server has no database of that name. Check the database name.'
    expect(await failureOf(kind, side, { database: 'no_such_database' })).toBe(sentence)
  })
})

test.each(['postgres', 'mysql'] as const)(
  'testing a connection to %s as target names the right that is missing',
  async (kind) => {
    const sentence =
      kind === 'postgres'
        ? 'The user lacks a right in the target database. Grant it the rights that the documentation names.'
        : 'The MySQL user lacks a right that is needed. Grant it what the help beside the user name says.'
    expect(await failureOf(kind, 'target', weak)).toBe(sentence)
  },
)

test('testing a connection to postgres as source names an unknown schema', async () => {
  expect(await failureOf('postgres', 'source', { schemas: ['nowhere'] })).toBe(
    'The user may read none of the tables chosen. Grant it USAGE on the schema and SELECT on its tables, or choose other tables.',
  )
})

test.concurrent.for(['postgres', 'mysql'] as const)(
  'testing a connection to something that takes calls and never speaks ends in time: %s',
  { timeout: 30_000 },
  async (kind, { expect }) => {
    const silent = createServer().listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port } = silent.address() as AddressInfo
    const notice = await failureOf(kind, 'source', { host: '127.0.0.1', port })
    silent.close()
    expect(notice).toMatch(/answer/)
  },
)

describe('discovering the tables of a form', () => {
  const discover = (body: object, who: 'admin' | 'otherAdmin' = 'admin') =>
    app.as[who].call(streams.discover, { params: { clientId: who === 'admin' ? app.harbour.id : app.summit.id }, body })
  const property = (value: FormSettings) => ({ name: 'source.connectionString', value })

  test('lists every table with its key, its columns in words and the estimated row count', async () => {
    const { status, body } = await discover({ type: 'postgres', properties: [property(postgres.settings)] })
    expect({ status, body }).toEqual({
      status: 200,
      body: [
        {
          Name: 'public.invoice',
          Key: ['id'],
          Columns: [
            { Name: 'id', Type: 'Whole number' },
            { Name: 'total', Type: 'Decimal number, 2 places' },
            { Name: 'note', Type: 'Text, up to 40 characters' },
            { Name: 'paid', Type: 'Yes or no' },
            { Name: 'at', Type: 'Moment in time' },
          ],
          RowsEstimate: 50,
          Notice: null,
          Remedy: null,
        },
      ],
    })
  })

  test('lists unreadable tables with the GRANT statement', async () => {
    const user = `poor_${randomUUID().slice(0, 8)}`
    await postgres.query(
      `CREATE ROLE ${user} LOGIN PASSWORD 'canary-poor'; CREATE TABLE open_one (id int); GRANT SELECT ON open_one TO ${user}`,
    )
    const { body } = await discover({
      type: 'postgres',
      properties: [property({ ...postgres.settings, user, password: 'canary-poor' })],
    })
    await postgres.query(`DROP TABLE open_one; DROP OWNED BY ${user}; DROP ROLE ${user}`)
    expect(body).toMatchObject([
      { Name: 'public.open_one', Notice: null, Remedy: null },
      {
        Name: 'public.invoice',
        Columns: [],
        Notice: 'These credentials may not read this table.',
        Remedy: `GRANT SELECT ON public.invoice TO ${user};`,
      },
    ])
  })

  test('lists all tables regardless of an earlier selection', async () => {
    const chosen = {
      ...postgres.settings,
      tables: ['public.other'],
      leftOut: ['public.invoice.note', 'public.invoice.id'],
    }
    const { body } = await discover({ type: 'postgres', properties: [property(chosen)] })
    expect(body).toMatchObject([{ Name: 'public.invoice', Columns: { length: 5 } }])
  })

  test('works for MariaDB, and ignores an incomplete target', async () => {
    const half = { name: 'target.connectionString', value: { connector: 'mssql', host: '' } }
    const { status, body } = await discover({ type: 'mysql', properties: [property(reach.mysql), half] })
    expect({ status, body }).toMatchObject({
      status: 200,
      body: [{ Key: ['id'], Columns: [{ Name: 'id' }, { Name: 'total' }] }],
    })
  })

  test.each([
    [
      'the password is wrong',
      { password: 'canary-wrong-1' },
      'The source database refused the user name or the password. Enter them again.',
    ],
    ['an unknown host', { host: 'nowhere.invalid' }, unknownHost],
  ])('says why not where %s', async (_, change, sentence) => {
    const { status, body } = await discover({
      type: 'postgres',
      properties: [property({ ...postgres.settings, ...change })],
    })
    expect({ status, body }).toMatchObject({ status: 422, body: { code: 'settingsWrong', message: sentence } })
    expect((await findAuditEvents(app.store, 'connector.credentials_tested')).at(-1)).toMatchObject({
      ...byAdmin(),
      outcome: 'failure',
    })
    expect(JSON.stringify([body, app.logLines])).not.toContain('canary-wrong-1')
  })

  test('uses a stored password only for the address that it was entered for, and only in its organisation', async () => {
    const made = await app.as.admin.call(connectors.create, {
      params: { clientId: app.harbour.id },
      body: { type: 'postgres', name: 'Discovered', properties: [property(postgres.settings)] },
    })
    const masked = { ...postgres.settings, password: '••••••••' }
    const form = (change: FormSettings) => ({
      type: 'postgres',
      connectorId: made.body.Id,
      properties: [property({ ...masked, ...change })],
    })
    expect((await discover(form({}))).body).toMatchObject([{ Name: 'public.invoice' }])
    const event = { ...byAdmin(), objectId: made.body.Id }
    expect((await findAuditEvents(app.store, 'connector.credentials_tested')).at(-1)).toMatchObject(event)
    expect(await discover(form({ host: 'evil.example.com' }))).toMatchObject({
      status: 422,
      body: { code: 'secretNeeded' },
    })
    expect((await discover(form({}), 'otherAdmin')).status).toBe(404)
  })

  test('shares the rate limit of connection tests', async () => {
    await using hasty = await testApp({ env: { TRIBUTARY_LIMITS: 'on' } })
    const call = () =>
      hasty.as.admin.call(streams.discover, {
        params: { clientId: hasty.harbour.id },
        body: { type: 'postgres', properties: [property(postgres.settings)] },
      })
    const seen: number[] = []
    for (let at = 0; at < 12; at += 1) seen.push((await call()).status)
    expect(seen.slice(0, 10)).toEqual(seen.slice(0, 10).map(() => 200))
    expect(seen.at(-1)).toBe(429)
  })
})
