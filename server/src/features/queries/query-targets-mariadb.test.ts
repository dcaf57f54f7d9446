import { auditLog } from '@tributary/contract/audit-log'
import { queries } from '@tributary/contract/queries'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type DatabaseEnd, makeEnd } from '@tributary/testing/engine/databases/database-ends.ts'
import {
  failuresOf,
  listTables,
  readingPassword,
  runQuery,
  saveReadingLogin,
  startQuery,
  targetParams,
} from '@tributary/testing/server/access/query-calls.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { addTargetConnector } from '@tributary/testing/server/connectors/add-target-connector.ts'
import { until } from '@tributary/testing/server/connectors/run-driver.ts'

const suffix = randomUUID().slice(0, 8)
let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app[Symbol.asyncDispose]())

describe('on MariaDB', () => {
  let connectorId: string
  let root: DatabaseEnd
  const database = `target_${suffix}`
  const reader = `reading_${suffix}`
  const ask = (sql: string) => root.run(sql)

  beforeAll(async () => {
    const server = inject('mariadb')
    root = await makeEnd('mysql', 'target')
    await ask(`CREATE DATABASE ${database}`)
    await ask(`CREATE TABLE ${database}.orders (id INT, amount DECIMAL(30, 4))`)
    await ask(`INSERT INTO ${database}.orders VALUES (1, 12345678901234567890.1234)`)
    await ask(`CREATE USER '${reader}'@'%' IDENTIFIED BY '${readingPassword}'`)
    await ask(`GRANT SELECT ON ${database}.* TO '${reader}'@'%'`)
    const {
      host,
      port,
      user,
      password: rootPassword,
    } = server as { host: string; port: number; user: string; password: string }
    const target = { connector: 'mysql', host, port, database, user, password: rootPassword, tls: 'off' }
    connectorId = await addTargetConnector(app, `Maria ${suffix}`, target, '')
  })
  afterAll(async () => {
    await ask(`DROP DATABASE ${database}`)
    await ask(`DROP USER '${reader}'@'%'`)
    await root[Symbol.asyncDispose]()
  })

  test.each([
    [`GRANT INSERT ON ${database}.orders TO ?`, 'has INSERT on'],
    [`GRANT FILE ON *.* TO ?`, 'has FILE on'],
    [`GRANT EXECUTE ON ${database}.* TO ?`, 'has EXECUTE on'],
    [`GRANT SELECT ON ${database}.* TO ? WITH GRANT OPTION`, 'may grant rights on'],
  ])('[SEE-5] refuses a login after %s', async (grant, finding) => {
    const user = `writer_${suffix}`
    await ask(`CREATE USER '${user}'@'%' IDENTIFIED BY '${readingPassword}'`)
    await ask(`GRANT SELECT ON ${database}.* TO '${user}'@'%'`)
    await ask(grant.replace('?', `'${user}'@'%'`))
    app.clock.advance(3_600_000)
    await app.as.admin.signIn()
    const { body } = await saveReadingLogin(app, connectorId, user)
    await ask(`DROP USER '${user}'@'%'`)
    expect([body.IsSaved, failuresOf(body).join()]).toEqual([false, expect.stringContaining(finding)])
  })

  test('[SEE-5] reads exact values, refuses files and changes, marks errors, and cancels what takes too long to send', async () => {
    app.clock.advance(3_600_000)
    await app.as.admin.signIn()
    const { body: proof } = await saveReadingLogin(app, connectorId, reader)
    expect([proof.IsSaved, failuresOf(proof)]).toEqual([true, []])
    const { body } = await runQuery(app, connectorId, 'SELECT id, amount FROM orders')
    expect([body.Failure, body.Columns, body.Rows]).toEqual([
      null,
      [
        { Name: 'id', Type: 'long', Kind: 'number' },
        { Name: 'amount', Type: 'newdecimal', Kind: 'number' },
      ],
      [['1', '12345678901234567890.1234']],
    ])
    await ask(`ALTER TABLE ${database}.orders COMMENT = 'What was sold'`)
    expect((await listTables(app, connectorId)).body).toEqual([
      {
        Schema: database,
        Name: 'orders',
        Description: 'What was sold',
        Columns: [
          { Name: 'id', Description: null },
          { Name: 'amount', Description: null },
        ],
      },
    ])
    for (const statement of [
      `SELECT * FROM orders INTO OUTFILE '/tmp/x'`,
      `LOAD DATA LOCAL INFILE '/etc/passwd' INTO TABLE orders`,
      'DELETE FROM orders',
      'SELECT 1; DELETE FROM orders',
      '/*!50000 DELETE FROM orders */',
      `SELECT load_file('/etc/passwd') INTO @x`,
      'SELECT nextval(nothing)',
    ])
      expect([statement, (await runQuery(app, connectorId, statement)).body.Failure?.Message]).toEqual([
        statement,
        expect.any(String),
      ])
    const wrong = 'SELECT id\nFROM orders WERE 1'
    const { Failure } = (await runQuery(app, connectorId, wrong)).body
    expect(Failure?.Position).toBe(wrong.indexOf('1'))
    const large = (await runQuery(app, connectorId, `SELECT seq FROM seq_1_to_100000`)).body
    expect([large.Rows.length, large.Reached]).toEqual([5_000, 'rows'])
    const wide = (await runQuery(app, connectorId, `SELECT repeat('x', 1000000) FROM seq_1_to_50`)).body
    expect([wide.Rows.length, wide.Reached]).toEqual([5, 'bytes'])
  })

  test('[SEE-5] a query that is cancelled ends in the target', async () => {
    const found = `SELECT id FROM information_schema.processlist WHERE user = '${reader}' AND info LIKE 'SELECT sleep%'`
    const running = async () => ((await ask(found)) as unknown[]).length
    const cancel = await startQuery(app, connectorId, 'SELECT sleep(300)')
    expect(await until(running, (count) => count > 0)).toBe(1)
    await cancel()
    expect(await until(running, (count) => count === 0)).toBe(0)
  })

  test('[SEE-5] the target is closed once its login for reading is removed, which the audit log records', async () => {
    const remove = () => app.as.admin.call(queries.removeLogin, { params: targetParams(app, connectorId) })
    expect((await remove()).status).toBe(204)
    expect((await remove()).status).toBe(404)
    expect((await runQuery(app, connectorId, 'SELECT 1')).status).toBe(409)
    const { body } = await app.as.admin.call(auditLog.list, { query: { orgId: app.harbour.id, page: 1, pageSize: 10 } })
    expect(body.map(({ Action }) => Action)).toContain('connector.reading_login_removed')
  })
})
