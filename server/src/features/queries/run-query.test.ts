import { request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { queryLimits } from '@tributary/contract/limits'
import { queries, type QueryOutcome } from '@tributary/contract/queries'
import { Client, type ClientConfig } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { applyChanges, runAs, writerOf } from '@tributary/testing/server/access/warehouse-login.ts'
import { LoadClient, planForLoads } from '@tributary/testing/server/excel/load-sheets.ts'
import type { TestClient } from '@tributary/testing/server/app/client.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'

let app: TestApp
let writer: ClientConfig
beforeAll(async () => {
  app = await testApp()
  const plan = await planForLoads(app)
  const loader = new LoadClient(app.as.admin)
  await loader.load({ versionId: plan.versionId }, { columns: ['Amount'], rows: [['1'], ['2']] })
  writer = await writerOf(app)
  await runAs(
    writer,
    `CREATE SCHEMA shop; CREATE TABLE shop.orders (id bigint PRIMARY KEY, amount numeric(38,10), placed timestamptz, paid boolean, note text);
     INSERT INTO shop.orders VALUES (9007199254740993, 12345678901234567890.0123456789, '2026-01-02 03:04:05.678901+00', true, NULL), (2, -0.1, NULL, false, 'Grüße 🦊')`,
  )
  await applyChanges(app)
})
afterAll(() => app[Symbol.asyncDispose]())

const params = () => ({ clientId: app.harbour.id })
const send = (as: TestClient, statement: string, database = 'warehouse') =>
  as.call(queries.run, { params: params(), body: { database, statement } })
async function run(statement: string, as: TestClient = app.as.admin): Promise<QueryOutcome> {
  const { status, body } = await send(as, statement)
  expect(status).toBe(200)
  return body
}

describe('a query on the warehouse', () => {
  test('[SEE-5] returns exact values with the names and types of the columns', async () => {
    const { Columns, Rows, Reached, Failure } = await run('SELECT * FROM shop.orders ORDER BY id DESC; -- all of them')
    expect([Reached, Failure]).toEqual([null, null])
    expect(Columns).toEqual([
      { Name: 'id', Type: 'bigint', Kind: 'number' },
      { Name: 'amount', Type: 'numeric(38,10)', Kind: 'number' },
      { Name: 'placed', Type: 'timestamp with time zone', Kind: 'timestamp' },
      { Name: 'paid', Type: 'boolean', Kind: 'boolean' },
      { Name: 'note', Type: 'text', Kind: 'text' },
    ])
    expect(Rows).toEqual([
      ['9007199254740993', '12345678901234567890.0123456789', '2026-01-02 03:04:05.678901+00', 't', null],
      ['2', '-0.1000000000', null, 'f', 'Grüße 🦊'],
    ])
  })

  test('[SEE-5] runs under the login of the person, who sees no more than their rights allow', async () => {
    const users = await run('SELECT "Amount"::int AS amount FROM excel."B2SBudget2026" ORDER BY 1', app.as.user)
    expect(users.Rows).toEqual([['1'], ['2']])
    expect((await run('SELECT * FROM shop.orders', app.as.user)).Failure).toMatchObject({ Code: '42501' })
    const logins = await Promise.all([app.as.user, app.as.admin].map((as) => run('SELECT current_user', as)))
    const [user, admin] = logins.map(({ Rows }) => Rows[0]?.[0])
    expect(user).toMatch(/_s_[0-9a-f]{12}$/u)
    expect(admin).not.toBe(user)
  })

  test('[SEE-5] is refused to people who may read nothing, and to another organisation', async () => {
    expect(await send(app.as.guest, 'SELECT 1')).toMatchObject({ status: 403, body: { code: 'dataNotReadable' } })
    expect(await send(app.as.otherAdmin, 'SELECT 1')).toMatchObject({ status: 404 })
    expect(await send(app.as.visitor, 'SELECT 1')).toMatchObject({ status: 401 })
    const databases = async (as: TestClient) => (await as.call(queries.databases, { params: params() })).body
    expect(await databases(app.as.guest)).toEqual([])
    expect(await databases(app.as.user)).toEqual([{ Id: 'warehouse', Name: 'Warehouse', Dialect: 'postgres' }])
  })

  test('[SEE-5] offers for completion the tables that the person may read', async () => {
    const tables = async (as: TestClient) => (await as.call(queries.tables, { params: params() })).body
    expect(await tables(app.as.admin)).toContainEqual({
      Schema: 'shop',
      Name: 'orders',
      Description: null,
      Columns: ['id', 'amount', 'placed', 'paid', 'note'].map((name) => ({ Name: name, Description: null })),
    })
    expect((await tables(app.as.user)).map(({ Schema, Name }) => `${Schema}.${Name}`)).toEqual(['excel.B2SBudget2026'])
  })

  test('[SEE-5] shows an error with its place, also after signs outside the basic plane', async () => {
    const statement = `SELECT '🦊', amout FROM shop.orders`
    const { Failure } = await run(statement)
    expect(Failure).toMatchObject({ Code: '42703', Message: 'column "amout" does not exist' })
    expect(Failure?.Hint).toContain('orders.amount')
    expect(Failure?.Position).toBe(statement.indexOf('amout'))
  })

  test.each(['EXPLAIN SELECT * FROM shop.orders', 'SHOW TimeZone', 'VALUES (1)', 'TABLE shop.orders', '((SELECT 1))'])(
    '[SEE-5] reads with %s',
    async (statement) => {
      const { Failure, Rows } = await run(statement)
      expect([Failure, Rows.length > 0]).toEqual([null, true])
    },
  )
})

describe('a query that would change something', () => {
  const before = 'SELECT count(*)::text AS n, (SELECT count(*)::text FROM pg_class) AS relations FROM shop.orders'

  test.each([
    ['INSERT INTO shop.orders (id) VALUES (3)', 'Only statements that read'],
    ['SELECT 1; DROP TABLE shop.orders', 'one statement at a time'],
    ['SELECT 1 /* ; */; /* x */ DELETE FROM shop.orders', 'one statement at a time'],
    [`SELECT $x$;$x$; COMMIT; DELETE FROM shop.orders`, 'one statement at a time'],
    ['COMMIT', 'Only statements that read'],
    [`COPY shop.orders TO PROGRAM 'cat > /tmp/x'`, 'Only statements that read'],
    ['COPY shop.orders TO STDOUT', 'Only statements that read'],
    ['SET ROLE postgres', 'Only statements that read'],
    ['RESET ALL', 'Only statements that read'],
    ['SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE', 'Only statements that read'],
    [`DO $$ BEGIN DELETE FROM shop.orders; END $$`, 'Only statements that read'],
    ['', 'There is no statement'],
    [' -- nothing\n ; ', 'There is no statement'],
    ['WITH gone AS (DELETE FROM shop.orders RETURNING 1) SELECT * FROM gone', 'WITH'],
    ['EXPLAIN ANALYZE DELETE FROM shop.orders', 'read-only transaction'],
    ['EXPLAIN ANALYZE CREATE TABLE shop.more AS SELECT 1', 'permission denied'],
    ['SELECT * INTO shop.more FROM shop.orders', 'INTO'],
    [`SELECT set_config('transaction_read_only', 'off', true)`, 'must be set before any query'],
    [`SELECT lo_export(1, '/tmp/x')`, 'permission denied'],
    [`SELECT lo_import('/etc/passwd')`, 'permission denied'],
    [`SELECT pg_read_file('/etc/passwd')`, 'permission denied'],
    ['SELECT * FROM shop.orders FOR UPDATE', 'read-only transaction'],
    [`SELECT dblink_exec('', 'DROP TABLE shop.orders')`, 'does not exist'],
  ])('[SEE-5] %s is refused with the reason', async (statement, reason) => {
    const counts = await runAs(writer, before)
    const { Failure, Rows } = await run(statement)
    expect(Failure?.Message).toContain(reason)
    expect(Rows).toEqual([])
    expect(await runAs(writer, before)).toEqual(counts)
  })

  test('[SEE-5] says where the second statement begins', async () => {
    const statement = 'SELECT 1;\nSELECT 2'
    expect((await run(statement)).Failure?.Position).toBe(statement.indexOf('SELECT 2'))
  })

  test('[SEE-5] a setting that a query changes does not outlive it', async () => {
    await run(
      `SELECT set_config('default_transaction_read_only', 'off', false), set_config('statement_timeout', '0', false)`,
    )
    expect((await run('SHOW default_transaction_read_only')).Rows).toEqual([['on']])
  })
})

describe('a large result', () => {
  test('[SEE-5] ends at the limit of rows and says so', async () => {
    const { Rows, Reached } = await run('SELECT * FROM generate_series(1, 1000000)')
    expect([Rows.length, Rows.at(-1), Reached]).toEqual([queryLimits.rowsMax, ['5000'], 'rows'])
    const all = await run(`SELECT * FROM generate_series(1, ${queryLimits.rowsMax})`)
    expect([all.Rows.length, all.Reached]).toEqual([queryLimits.rowsMax, null])
  })

  test('[SEE-5] ends at the limit of bytes and says so', async () => {
    const { Rows, Reached } = await run(`SELECT n, repeat('x', 1000000) FROM generate_series(1, 50) AS n`)
    expect([Rows.length, Reached]).toEqual([5, 'bytes'])
  })

  test('[SEE-5] a value of hundreds of megabytes is not taken into memory', async () => {
    const before = process.memoryUsage().arrayBuffers
    const { Rows, Reached } = await run(`SELECT repeat('x', 400000000)`)
    expect([Rows, Reached]).toEqual([[], 'bytes'])
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(150_000_000)
    expect((await run('SELECT 1')).Rows).toEqual([['1']])
  })
})

describe('a query that is cancelled', () => {
  async function sleepers(): Promise<number> {
    const client = new Client({ ...app.services.warehouse.admin, database: writer.database ?? '' })
    await client.connect()
    const { rows } = await client.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM pg_stat_activity WHERE query LIKE 'FETCH % FROM tributary_query' AND state = 'active'`,
    )
    await client.end()
    return rows[0]?.n ?? 0
  }
  async function until(count: number): Promise<void> {
    while ((await sleepers()) !== count) await new Promise((resolve) => setTimeout(resolve, 20))
  }

  test('[SEE-5] ends in the database as soon as the browser gives up, and leaves the connections usable', async () => {
    const session = await app.as.admin.session()
    await app.http.listen({ host: '127.0.0.1', port: 0 })
    const { port } = app.http.server.address() as AddressInfo
    const begin = () => {
      const outgoing = httpRequest({
        port,
        host: '127.0.0.1',
        method: 'POST',
        path: `/api/tributary/clients/${app.harbour.id}/queries/run`,
        headers: {
          host: 'localhost:3000',
          authorization: `Bearer ${session?.accessToken}`,
          'content-type': 'application/json',
        },
      })
      outgoing.on('error', () => undefined)
      outgoing.end(JSON.stringify({ database: 'warehouse', statement: 'SELECT pg_sleep(300)' }))
      return outgoing
    }
    const running = [begin(), begin()]
    await until(2)
    expect(await send(app.as.admin, 'SELECT 1')).toMatchObject({ status: 429, body: { code: 'queriesRunning' } })
    for (const one of running) one.destroy()
    await until(0)
    await expect.poll(async () => (await send(app.as.admin, 'SELECT 1')).status).toBe(200)
    const history = (await app.as.admin.call(queries.history, { params: params() })).body
    expect(history.filter(({ Outcome }) => Outcome === 'cancelled').map(({ Statement }) => Statement)).toEqual([
      'SELECT pg_sleep(300)',
      'SELECT pg_sleep(300)',
    ])
  })
})
