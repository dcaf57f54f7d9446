/** Runs the lines that the page offers for SQL clients, with psql, SQLAlchemy and ODBC, under the login of a person. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { connectionLine, type WarehouseAddress } from '@tributary/contract/connection-lines'
import { reports } from '@tributary/contract/reports'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSqlLogin } from '../../../server/src/access/logins/sql-login.ts'
import { applyChanges, runAs, writerOf } from '../../server/access/warehouse-login.ts'
import { testApp, type TestApp } from '../../server/app/test-app.ts'

const python = join(process.env['TRIBUTARY_REPORT_TOOLS'] ?? '', 'python/bin/python')
const question = 'SELECT sum(total) FROM shop.invoices'

let app: TestApp
let address: WarehouseAddress
let password: string
beforeAll(async () => {
  app = await testApp()
  await runAs(
    await writerOf(app),
    `CREATE SCHEMA shop; CREATE TABLE shop.invoices (total numeric(12,2)); INSERT INTO shop.invoices VALUES (1.10), (2.20)`,
  )
  await applyChanges(app)
  const owner = { organisationId: app.harbour.id, userId: app.idOf('admin') }
  const login = await createSqlLogin(app.services, owner, async () => undefined)
  const { body } = await app.as.admin.call(reports.connection, { params: { clientId: app.harbour.id } })
  password = login.password
  address = { host: body.Host, port: body.Port, database: body.Database, user: body.User ?? '', sslMode: body.SslMode }
})
afterAll(() => app[Symbol.asyncDispose]())

test('[SEE-10] the line for psql connects and reads', async () => {
  const line = connectionLine('psql', address)
  expect(await run('sh', ['-c', `${line} -Atc '${question}'`], { PGPASSWORD: password })).toBe('3.30\n')
  await expect(run('sh', ['-c', `${line} -Atc '${question}'`], { PGPASSWORD: 'wrong' })).rejects.toThrow('password')
})

test('[SEE-10] the lines for SQLAlchemy connect and read', async () => {
  const use = `from sqlalchemy import text\nwith engine.connect() as connection: print(connection.execute(text("${question}")).scalar())`
  const lines = connectionLine('sqlAlchemy', address)
  expect(await run(python, ['-W', 'ignore', '-c', `${lines}\n${use}`], {}, `${password}\n`)).toContain('3.30')
})

test('[SEE-10] the line for ODBC connects and reads', async () => {
  const line = `${connectionLine('odbc', address)}Pwd=${password};`
  const use = `import sys, pyodbc\nprint(pyodbc.connect(sys.argv[1]).execute("${question}").fetchval())`
  expect(await run(python, ['-c', use, line])).toBe('3.30\n')
})

function run(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  input = '',
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = execFile(program, [...args], { env: { ...process.env, ...env } }, (error, stdout, stderr) =>
      error === null ? resolve(stdout) : reject(new Error(`${error.message}${stderr}`)),
    )
    child.stdin?.end(input)
  })
}
