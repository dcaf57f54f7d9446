import { auditLog } from '@tributary/contract/audit-log'
import { connectors } from '@tributary/contract/connectors'
import { queries } from '@tributary/contract/queries'
import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import {
  failuresOf,
  listTables,
  readingPassword,
  runQuery,
  saveReadingLogin,
  startQuery,
  targetParams,
} from '@tributary/testing/server/access/query-calls.ts'
import type { TestClient } from '@tributary/testing/server/app/client.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { addTargetConnector } from '@tributary/testing/server/connectors/add-target-connector.ts'
import { until } from '@tributary/testing/server/connectors/run-driver.ts'

const suffix = randomUUID().slice(0, 8)
let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app[Symbol.asyncDispose]())

describe('on PostgreSQL', () => {
  let connectorId: string
  let owner: Client
  const reader = `reading_${suffix}`
  const database = `target_${suffix}`
  const roles: string[] = [reader]
  const { host, port, user: superuser, password: superPassword } = inject('postgres')

  beforeAll(async () => {
    const admin = new Client({ host, port, user: superuser, password: superPassword, database: 'postgres' })
    await admin.connect()
    await admin.query(`CREATE DATABASE ${database}`)
    await admin.end()
    owner = new Client({ host, port, user: superuser, password: superPassword, database })
    await owner.connect()
    await owner.query(`CREATE SCHEMA shop; CREATE TABLE shop.orders (id int, amount numeric(20, 4)); INSERT INTO shop.orders VALUES (1, 1234567890123456.7891);
      CREATE SEQUENCE shop.numbers;
      CREATE FUNCTION shop.erase() RETURNS int LANGUAGE sql SECURITY DEFINER AS 'DELETE FROM shop.orders RETURNING 1';
      REVOKE EXECUTE ON FUNCTION shop.erase() FROM PUBLIC;
      CREATE ROLE ${reader} LOGIN PASSWORD '${readingPassword}'; GRANT USAGE ON SCHEMA shop TO ${reader}; GRANT SELECT ON ALL TABLES IN SCHEMA shop TO ${reader}`)
    const target = {
      connector: 'postgres',
      host,
      port,
      database,
      user: superuser,
      password: superPassword,
      sslmode: 'disable',
    }
    connectorId = await addTargetConnector(app, `Orders ${suffix}`, target, 'shop')
  })
  afterAll(async () => {
    for (const role of roles) await owner.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`)
    await owner.end()
  })

  test('[SEE-5] is off without a login for reading, and the page gets the SQL that creates one', async () => {
    expect(await runQuery(app, connectorId, 'SELECT 1')).toMatchObject({ status: 409, body: { code: 'readingLogin' } })
    expect(await listTables(app, connectorId)).toMatchObject({ status: 409, body: { code: 'readingLogin' } })
    const { body } = await app.as.admin.call(queries.targets, { params: targetParams(app, connectorId) })
    expect(body).toEqual([
      {
        ConnectorId: connectorId,
        Name: `Orders ${suffix}`,
        Dialect: 'postgres',
        Login: null,
        Instructions: expect.stringContaining('GRANT SELECT ON ALL TABLES IN SCHEMA "shop" TO tributary_reader'),
      },
    ])
    expect(JSON.stringify(body)).not.toContain(superPassword === '' ? 'no password' : superPassword)
  })

  test.each([
    ['a superuser', 'ALTER ROLE % SUPERUSER', 'is a superuser'],
    ['the right to create roles', 'ALTER ROLE % CREATEROLE', 'is allowed to create roles'],
    ['INSERT on a table', 'GRANT INSERT ON shop.orders TO %', 'may write shop.orders'],
    ['UPDATE on a column', 'GRANT UPDATE (amount) ON shop.orders TO %', 'may write shop.orders'],
    ['the ownership of a table', 'CREATE TABLE shop.%_own (); ALTER TABLE shop.%_own OWNER TO %', 'owns shop.'],
    ['CREATE on a schema', 'GRANT CREATE ON SCHEMA shop TO %', 'may create objects in the schema shop'],
    ['CREATE on the database', `GRANT CREATE ON DATABASE ${database} TO %`, 'may create schemas'],
    ['a sequence', 'GRANT USAGE ON SEQUENCE shop.numbers TO %', 'may change the sequence shop.numbers'],
    [
      'a function that acts for its owner',
      'GRANT EXECUTE ON FUNCTION shop.erase() TO %',
      'acts with the rights of its owner',
    ],
    ['a role that writes files', 'GRANT pg_write_server_files TO %', 'is a member of pg_write_server_files'],
    [
      'a role that writes, which it must set first',
      'GRANT pg_write_all_data TO %; ALTER ROLE % NOINHERIT',
      'may write shop.orders',
    ],
    [
      'INSERT behind a session that is read-only by default',
      'GRANT INSERT ON shop.orders TO %; ALTER ROLE % SET default_transaction_read_only = on',
      'may write shop.orders',
    ],
  ])('[SEE-5] refuses a login with %s', async (what, grant, finding) => {
    const role = `writer_${suffix}_${roles.length}`
    roles.push(role)
    await owner.query(`CREATE ROLE ${role} LOGIN PASSWORD '${readingPassword}'; GRANT USAGE ON SCHEMA shop TO ${role}`)
    await owner.query(grant.replaceAll('%', role))
    app.clock.advance(3_600_000)
    await app.as.admin.signIn()
    const { status, body } = await saveReadingLogin(app, connectorId, role)
    expect([what, status, body.IsSaved]).toEqual([what, 200, false])
    expect(failuresOf(body).join()).toContain(finding)
    expect((await runQuery(app, connectorId, 'SELECT 1')).status).toBe(409)
  })

  test('[SEE-5] reads exact values under the login for reading, until a right to write is granted to it', async () => {
    app.clock.advance(3_600_000)
    await app.as.admin.signIn()
    const { body: proof } = await saveReadingLogin(app, connectorId, reader)
    expect(proof).toEqual({
      IsSaved: true,
      Checks: ['The login is accepted', 'It has no right to write', 'Attempts to write are refused'].map((Name) => ({
        Name,
        Outcome: 'passed',
        Notice: null,
        Remedy: null,
      })),
    })
    const { body } = await runQuery(app, connectorId, 'SELECT current_user, amount FROM shop.orders')
    expect([body.Failure, body.Rows]).toEqual([null, [[reader, '1234567890123456.7891']]])
    for (const statement of [
      'DELETE FROM shop.orders',
      'WITH x AS (DELETE FROM shop.orders RETURNING 1) SELECT * FROM x',
      `SELECT lo_import('/etc/passwd')`,
    ])
      expect((await runQuery(app, connectorId, statement)).body.Failure).not.toBeNull()
    const databases = async (as: TestClient) =>
      (await as.call(queries.databases, { params: targetParams(app, connectorId) })).body.map(({ Id }) => Id)
    expect(await databases(app.as.admin)).toContain(connectorId)
    await owner.query(`GRANT DELETE ON shop.orders TO ${reader}`)
    expect((await listTables(app, connectorId)).status).toBe(409)
    expect(await runQuery(app, connectorId, 'SELECT 1')).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('may write shop.orders') },
    })
    const { body: checked } = await app.as.admin.call(queries.checkLogin, { params: targetParams(app, connectorId) })
    expect(failuresOf(checked).join()).toContain('may write shop.orders')
    await owner.query(`REVOKE DELETE ON shop.orders FROM ${reader}`)
    expect((await runQuery(app, connectorId, 'SELECT 1')).status).toBe(200)
  })

  test('[SEE-5] completion has the tables and columns that the login for reading may read, and no others', async () => {
    await owner.query(`COMMENT ON TABLE shop.orders IS 'What was sold'; COMMENT ON COLUMN shop.orders.amount IS 'Without tax';
      CREATE TABLE shop.wages (id int, wage numeric); CREATE TABLE shop.staff (id int, name text, birthday date);
      GRANT SELECT (id, name) ON shop.staff TO ${reader}; CREATE TABLE shop.tributary_own (id int); GRANT SELECT ON shop.tributary_own TO ${reader}`)
    const named = (Name: string, Description: string | null = null) => ({ Name, Description })
    expect(await listTables(app, connectorId)).toMatchObject({
      status: 200,
      body: [
        {
          Schema: 'shop',
          ...named('orders', 'What was sold'),
          Columns: [named('id'), named('amount', 'Without tax')],
        },
        { Schema: 'shop', ...named('staff'), Columns: [named('id'), named('name')] },
      ],
    })
  })

  test('[SEE-5] a query that is cancelled ends in the target', async () => {
    const running = async () => {
      const found = `SELECT pid FROM pg_stat_activity WHERE usename = '${reader}' AND state = 'active'`
      return (await owner.query(found)).rowCount ?? 0
    }
    const cancel = await startQuery(app, connectorId, 'SELECT pg_sleep(300)')
    expect(await until(running, (count) => count > 0)).toBe(1)
    await cancel()
    expect(await until(running, (count) => count === 0)).toBe(0)
  })

  test('[SEE-5] only administrators of the organisation query it, never one with which the connector is shared', async () => {
    const { superadmin, provideradmin, user, guest, otherAdmin, visitor } = app.as
    for (const as of [superadmin, provideradmin]) {
      expect((await runQuery(app, connectorId, 'SELECT 1', as)).status).toBe(200)
      expect((await listTables(app, connectorId, as)).status).toBe(200)
    }
    for (const as of [user, guest]) {
      expect((await runQuery(app, connectorId, 'SELECT 1', as)).status).toBe(403)
      expect((await listTables(app, connectorId, as)).status).toBe(403)
      expect((await as.call(queries.targets, { params: targetParams(app, connectorId) })).status).toBe(403)
      expect((await saveReadingLogin(app, connectorId, reader, as)).status).toBe(403)
    }
    expect((await runQuery(app, connectorId, 'SELECT 1', visitor)).status).toBe(401)
    expect((await listTables(app, connectorId, visitor)).status).toBe(401)
    const shared = { organisations: [app.summit.id] }
    await provideradmin.call(connectors.assignOrganisations, { params: { connectorId }, body: shared })
    const theirs = {
      params: { clientId: app.summit.id, connectorId },
      body: { user: reader, password: readingPassword },
    }
    expect((await otherAdmin.call(queries.saveLogin, theirs)).status).toBe(404)
    expect((await otherAdmin.call(queries.targets, { params: theirs.params })).body).toEqual([])
    const body = { database: connectorId, statement: 'SELECT 1' }
    expect((await otherAdmin.call(queries.run, { params: { clientId: app.summit.id }, body })).status).toBe(404)
    expect((await runQuery(app, connectorId, 'SELECT 1', otherAdmin)).status).toBe(404)
    const tables = { params: { clientId: app.summit.id }, query: { database: connectorId } }
    expect((await otherAdmin.call(queries.tables, tables)).status).toBe(404)
    expect((await listTables(app, connectorId, otherAdmin)).status).toBe(404)
  })

  test('[SEE-5] a login is not sent to another address, and goes with the connection', async () => {
    await app.as.admin.signIn()
    const target = {
      connector: 'postgres',
      host,
      port,
      database: 'postgres',
      user: superuser,
      password: superPassword,
      sslmode: 'disable',
    }
    const properties = [{ name: 'target.connectionString', value: target }]
    const changed = await app.as.admin.call(connectors.change, {
      params: targetParams(app, connectorId),
      body: { properties },
    })
    expect(changed.status).toBe(200)
    expect((await listTables(app, connectorId)).status).toBe(409)
    expect(await runQuery(app, connectorId, 'SELECT 1')).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('address of this target has changed') },
    })
    expect((await app.as.admin.call(connectors.remove, { params: targetParams(app, connectorId) })).status).toBe(204)
    const left = await app.store.within(app.harbour.id, (db) => db.selectFrom('readingLogin').selectAll().execute())
    expect(left).toEqual([])
    const { body } = await app.as.admin.call(auditLog.list, { query: { orgId: app.harbour.id, page: 1, pageSize: 50 } })
    const actions = body.filter(({ ObjectId }) => ObjectId === connectorId).map(({ Action }) => Action)
    expect(actions).toEqual(expect.arrayContaining(['connector.reading_login_set', 'connector.queried']))
    expect(JSON.stringify(app.logLines)).not.toContain(readingPassword)
  })
})
