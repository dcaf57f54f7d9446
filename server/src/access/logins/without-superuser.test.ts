import { afterAll, beforeAll, expect, test } from 'vitest'
import { keepOpen, runAs } from '@tributary/testing/server/access/warehouse-login.ts'
import { LoadClient, planForLoads } from '@tributary/testing/server/excel/load-sheets.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { createSqlLogin, revokeSqlLogin } from './sql-login.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
  const { admin, host, port } = app.services.warehouse
  const user = `maker_${app.connection.database}`
  await runAs(admin, `CREATE ROLE ${user} LOGIN CREATEDB CREATEROLE PASSWORD 'maker-password'`)
  await runAs(admin, `CREATE DATABASE ${user} OWNER ${user}`)
  Object.assign(app.services.warehouse, { admin: { host, port, user, password: 'maker-password', database: user } })
})
afterAll(() => app[Symbol.asyncDispose]())

test('[SEE-1] [SEE-2] production’s role, which is no superuser, creates logins, limits rows, ends connections and drops logins', async () => {
  const plan = await planForLoads(app)
  const sheet = { columns: ['Amount'], rows: [['1']] }
  await new LoadClient(app.as.admin).load({ versionId: plan.versionId }, sheet)
  const owner = { organisationId: app.harbour.id, userId: app.idOf('user') }
  const { names, user, password } = await createSqlLogin(app.services, owner, () => Promise.resolve())
  const { host, port } = app.services.warehouse
  const login = { host, port, database: names.databaseName, user, password }
  expect(await runAs(login, 'SELECT count(*)::int AS n FROM excel."B2SBudget2026"')).toEqual([{ n: 1 }])
  expect(await runAs(login, 'SELECT reads_all FROM tributary_access.me')).toEqual([{ reads_all: false }])
  await using open = await keepOpen(login)
  await revokeSqlLogin(app.services, owner, () => Promise.resolve())
  await open.ended
  await expect(runAs(login, 'SELECT 1')).rejects.toThrow('authentication failed')
})
