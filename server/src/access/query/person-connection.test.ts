import { escapeIdentifier } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asReader, runAs } from '@tributary/testing/server/access/warehouse-login.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { findPrincipal } from '../logins/queries.ts'
import { principalRoles } from '../logins/role-names.ts'
import { ensureWarehouse } from '../warehouse/warehouse.ts'
import { withPersonConnection } from './person-connection.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app[Symbol.asyncDispose]())

const setting = (name: string) => `current_setting('${name}')`

test('[SEE-2] the server queries for a person under a login of their own, read-only and limited', async () => {
  const { rows } = await asReader(app, app.idOf('admin'), (client) =>
    client.query(`SELECT session_user AS user, ${setting('transaction_read_only')} AS "readOnly", ${setting('statement_timeout')} AS time,
      ${setting('temp_file_limit')} AS disk, ${setting('idle_in_transaction_session_timeout')} AS idle`),
  )
  expect(rows).toEqual([
    {
      user: expect.stringMatching(/^w_[0-9a-f]{16}_s_[0-9a-f]{12}$/),
      readOnly: 'on',
      time: '5min',
      disk: '4GB',
      idle: '1min',
    },
  ])
  const password = await app.store.within(app.harbour.id, (db) => findPrincipal(db, app.harbour.id, app.idOf('admin')))
  expect(password?.portalSecret).toMatch(/^trb1\./)
})

test('what a query sets in its session is gone for the next one', async () => {
  const admin = app.idOf('admin')
  await asReader(app, admin, (client) =>
    client.query(`SET default_transaction_read_only = off; SET statement_timeout = 0; BEGIN; PREPARE mine AS SELECT 1`),
  )
  const { rows } = await asReader(app, admin, (client) =>
    client.query(`SELECT ${setting('default_transaction_read_only')} AS "readOnly", ${setting('statement_timeout')} AS time,
      (SELECT count(*)::int FROM pg_prepared_statements) AS prepared`),
  )
  expect(rows).toEqual([{ readOnly: 'on', time: '5min', prepared: 0 }])
})

test('an aborted signal cancels the statement on the server', async () => {
  const stopping = new AbortController()
  const request = { organisationId: app.harbour.id, actor: { userId: app.idOf('admin') }, signal: stopping.signal }
  let pid = 0
  const query = withPersonConnection(app.services, request, async (client) => {
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
    pid = rows[0]?.pid ?? 0
    const sleeping = client.query('SELECT pg_sleep(600)')
    stopping.abort(new Error('cancelled by the person'))
    return sleeping
  })
  await expect(query).rejects.toThrow('cancelled by the person')
  const { admin } = app.services.warehouse
  await expect
    .poll(() => runAs(admin, `SELECT state FROM pg_stat_activity WHERE pid = ${pid} AND state = 'active'`))
    .toEqual([])
})

test('[SEE-5] a statement is cancelled although all connections of the login are in use, and although it began after the signal', async () => {
  const { admin } = app.services.warehouse
  const stopping = new AbortController()
  const request = { organisationId: app.harbour.id, actor: { userId: app.idOf('admin') }, signal: stopping.signal }
  const query = withPersonConnection(app.services, request, async (client) => {
    const { rows } = await client.query<{ login: string }>('SELECT session_user AS login')
    await runAs(admin, `ALTER ROLE ${escapeIdentifier(rows[0]?.login ?? '')} CONNECTION LIMIT 0`)
    stopping.abort(new Error('cancelled by the person'))
    await client.query('SELECT 1')
    // By now a cancel that is sent once has found nothing to cancel.
    await new Promise((resolve) => setTimeout(resolve, 500))
    try {
      // Not cancelled, it would return its row.
      return await client.query('SELECT pg_sleep(30)')
    } finally {
      await runAs(admin, `ALTER ROLE ${escapeIdentifier(rows[0]?.login ?? '')} CONNECTION LIMIT 5`)
    }
  })
  await expect(query).rejects.toThrow('cancelled by the person')
})

test('[SEE-2] a person who may read nothing is refused, and so is a member of another organisation', async () => {
  await expect(asReader(app, app.idOf('user'), (client) => client.query('SELECT 1'))).rejects.toMatchObject({
    code: 'dataNotReadable',
    statusCode: 403,
  })
  await expect(asReader(app, app.idOf('otherAdmin'), (client) => client.query('SELECT 1'))).rejects.toMatchObject({
    code: 'dataNotReadable',
  })
  const { rows } = await asReader(app, app.idOf('superadmin'), (client) => client.query('SELECT 1 AS one'))
  expect(rows).toEqual([{ one: 1 }])
})

test('a login that is missing on the server, has another password or is suspended works again', async () => {
  const admin = app.idOf('admin')
  const { row } = await ensureWarehouse(app.services, app.harbour.id)
  const principal = await app.store.within(app.harbour.id, (db) => findPrincipal(db, app.harbour.id, admin))
  const { portal } = principalRoles(row.databaseName, principal?.id ?? '')
  const end = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${portal}'`
  for (const change of [`ALTER ROLE ${portal} NOLOGIN`, `DROP ROLE ${escapeIdentifier(portal)}`]) {
    await runAs(app.services.warehouse.admin, `${change}; ${end}`)
    expect((await asReader(app, admin, (client) => client.query('SELECT 1 AS one'))).rows).toEqual([{ one: 1 }])
  }
})

test('a warehouse that cannot be reached answers 503 with a time to try again', async () => {
  const away = {
    ...app.services,
    warehouse: { ...app.services.warehouse, admin: { ...app.services.warehouse.admin, port: 1 } },
  }
  const request = { organisationId: app.harbour.id, actor: { userId: app.idOf('admin') } }
  await expect(withPersonConnection(away, request, (client) => client.query('SELECT 1'))).rejects.toMatchObject({
    code: 'warehouseUnreachable',
    statusCode: 503,
  })
})
