import { auditLog } from '@tributary/contract/audit-log'
import { queries, type ReadingLoginProof } from '@tributary/contract/queries'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type DatabaseEnd, makeEnd } from '@tributary/testing/engine/databases/database-ends.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { addTargetConnector } from '@tributary/testing/server/connectors/add-target-connector.ts'

const suffix = randomUUID().slice(0, 8)
const password = 'canary-reading-password'
let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app[Symbol.asyncDispose]())

const params = (connectorId: string) => ({ clientId: app.harbour.id, connectorId })
const save = (connectorId: string, user: string) =>
  app.as.admin.call(queries.saveLogin, { params: params(connectorId), body: { user, password } })
const run = (connectorId: string, statement: string) =>
  app.as.admin.call(queries.run, { params: { clientId: app.harbour.id }, body: { database: connectorId, statement } })
const failuresOf = ({ Checks }: ReadingLoginProof) =>
  Checks.filter(({ Outcome }) => Outcome === 'failed').map(({ Notice }) => Notice ?? '')

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
    await ask(`CREATE USER '${reader}'@'%' IDENTIFIED BY '${password}'`)
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
    await ask(`CREATE USER '${user}'@'%' IDENTIFIED BY '${password}'`)
    await ask(`GRANT SELECT ON ${database}.* TO '${user}'@'%'`)
    await ask(grant.replace('?', `'${user}'@'%'`))
    app.clock.advance(3_600_000)
    await app.as.admin.signIn()
    const { body } = await save(connectorId, user)
    await ask(`DROP USER '${user}'@'%'`)
    expect([body.IsSaved, failuresOf(body).join()]).toEqual([false, expect.stringContaining(finding)])
  })

  test('[SEE-5] reads exact values, refuses files and changes, marks errors, and cancels what takes too long to send', async () => {
    app.clock.advance(3_600_000)
    await app.as.admin.signIn()
    const { body: proof } = await save(connectorId, reader)
    expect([proof.IsSaved, failuresOf(proof)]).toEqual([true, []])
    const { body } = await run(connectorId, 'SELECT id, amount FROM orders')
    expect([body.Failure, body.Columns, body.Rows]).toEqual([
      null,
      [
        { Name: 'id', Type: 'long', Kind: 'number' },
        { Name: 'amount', Type: 'newdecimal', Kind: 'number' },
      ],
      [['1', '12345678901234567890.1234']],
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
      expect([statement, (await run(connectorId, statement)).body.Failure?.Message]).toEqual([
        statement,
        expect.any(String),
      ])
    const wrong = 'SELECT id\nFROM orders WERE 1'
    const { Failure } = (await run(connectorId, wrong)).body
    expect(Failure?.Position).toBe(wrong.indexOf('1'))
    const large = (await run(connectorId, `SELECT seq FROM seq_1_to_100000`)).body
    expect([large.Rows.length, large.Reached]).toEqual([5_000, 'rows'])
    const wide = (await run(connectorId, `SELECT repeat('x', 1000000) FROM seq_1_to_50`)).body
    expect([wide.Rows.length, wide.Reached]).toEqual([5, 'bytes'])
  })

  test('[SEE-5] the target is closed once its login for reading is removed, which the audit log records', async () => {
    const remove = () => app.as.admin.call(queries.removeLogin, { params: params(connectorId) })
    expect((await remove()).status).toBe(204)
    expect((await remove()).status).toBe(404)
    expect((await run(connectorId, 'SELECT 1')).status).toBe(409)
    const { body } = await app.as.admin.call(auditLog.list, { query: { orgId: app.harbour.id, page: 1, pageSize: 10 } })
    expect(body.map(({ Action }) => Action)).toContain('connector.reading_login_removed')
  })
})
