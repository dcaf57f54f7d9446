/** The warehouse under an admin that is no superuser, in the forms that operators and hosted PostgreSQL create. */
import type { ClientConfig } from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { keepOpen, runAs } from '@tributary/testing/server/access/warehouse-login.ts'
import { LoadClient, planForLoads } from '@tributary/testing/server/excel/load-sheets.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { sampleReaders } from '../warehouse/reader-last-seen.ts'
import { ensureWarehouse } from '../warehouse/warehouse.ts'
import { applyAccess } from './apply-access.ts'
import { createSqlLogin, revokeSqlLogin } from './sql-login.ts'

let app: TestApp
let superuser: ClientConfig
beforeEach(async () => {
  app = await testApp()
  superuser = app.services.warehouse.admin
})
afterEach(() => app[Symbol.asyncDispose]())

/** Makes a new role the admin of the warehouse. */
async function becomeAdmin(name: string, attributes: string, settings = ''): Promise<string> {
  const { host, port } = app.services.warehouse
  const user = `${name}_${app.connection.database}`
  await runAs(
    superuser,
    `CREATE ROLE ${user} LOGIN ${attributes} PASSWORD 'maker-password'; ${settings.replaceAll('$', user)}`,
  )
  await runAs(superuser, `CREATE DATABASE ${user} OWNER ${user}`)
  Object.assign(app.services.warehouse, { admin: { host, port, user, password: 'maker-password', database: user } })
  return user
}

const owner = () => ({ organisationId: app.harbour.id, userId: app.idOf('user') })

async function createLogin() {
  const { names, user, password } = await createSqlLogin(app.services, owner(), () => Promise.resolve())
  const { host, port } = app.services.warehouse
  return { names, login: { host, port, database: names.databaseName, user, password } }
}

async function loadTwoRows(): Promise<void> {
  const plan = await planForLoads(app)
  const sheet = { columns: ['Amount'], rows: [['1']] }
  await new LoadClient(app.as.admin).load({ versionId: plan.versionId }, sheet)
}

const count = 'SELECT count(*)::int AS n FROM excel."B2SBudget2026"'

describe.each([
  ['that inherits', 'CREATEDB CREATEROLE', ''],
  ['with NOINHERIT', 'CREATEDB CREATEROLE NOINHERIT', ''],
  [
    'that grants itself what it creates',
    'CREATEDB CREATEROLE',
    `ALTER ROLE $ SET createrole_self_grant = 'set, inherit'`,
  ],
])('an admin %s and is no superuser', (_, attributes, settings) => {
  test('[SEE-1] [SEE-2] creates logins, limits rows, keeps others out, sees who connects, ends connections and drops logins', async () => {
    await becomeAdmin('maker', attributes, settings)
    await loadTwoRows()
    const { names, login } = await createLogin()
    expect(await runAs(login, count)).toEqual([{ n: 1 }])
    expect(await runAs(login, 'SELECT reads_all FROM tributary_access.me')).toEqual([{ reads_all: false }])
    const stranger = `stranger_${app.connection.database}`
    await runAs(superuser, `CREATE ROLE ${stranger} LOGIN PASSWORD 'stranger-password'`)
    await expect(runAs({ ...login, user: stranger, password: 'stranger-password' }, 'SELECT 1')).rejects.toThrow(
      'permission denied for database',
    )
    for (const statement of [
      'SELECT * FROM tributary_access.reader',
      'BEGIN READ WRITE; CREATE TABLE public.mine (id int)',
    ])
      await expect(runAs(login, statement)).rejects.toThrow('permission denied')
    await using open = await keepOpen(login)
    await sampleReaders(app.services)
    const seen = await app.store.within(app.harbour.id, (db) =>
      db.selectFrom('warehousePrincipal').select('seenAddress').executeTakeFirstOrThrow(),
    )
    expect(seen).toEqual({ seenAddress: '127.0.0.1' })
    await revokeSqlLogin(app.services, owner(), () => Promise.resolve())
    await open.ended
    await expect(runAs(login, 'SELECT 1')).rejects.toThrow('authentication failed')
    expect(
      await runAs(superuser, `SELECT has_database_privilege('public', '${names.databaseName}', 'CONNECT') AS open`),
    ).toEqual([{ open: false }])
  })
})

/** The statements of a refusal, as its notice names them. */
async function refusalOf(work: Promise<unknown>): Promise<string> {
  const fault = await work.then(
    () => undefined,
    (error: unknown) => error as { readonly kind: string; readonly code: string; readonly notice: string },
  )
  expect(fault).toMatchObject({ kind: 'settings', code: 'warehouse.not_allowed' })
  return fault?.notice.split('can grant them with: ')[1] ?? ''
}

test.each([
  ['CREATEROLE', 'CREATEDB'],
  ['CREATEDB', 'CREATEROLE'],
  ['', 'CREATEDB CREATEROLE'],
])('[SEE-1] an admin with %s only is told the statement that adds %s, and it suffices', async (attributes, missing) => {
  const user = await becomeAdmin('maker', attributes)
  const statement = await refusalOf(ensureWarehouse(app.services, app.harbour.id))
  expect(statement).toBe(`ALTER ROLE "${user}" ${missing}`)
  await runAs(superuser, statement)
  await loadTwoRows()
  expect(await runAs((await createLogin()).login, count)).toEqual([{ n: 1 }])
})

test.each(['CREATEDB CREATEROLE', 'CREATEDB CREATEROLE NOINHERIT'])(
  '[SEE-1] after a change of the admin, a new one (%s) is told what to grant for the roles and rights of the former, and it suffices',
  async (attributes) => {
    await becomeAdmin('former', 'CREATEDB CREATEROLE')
    await loadTwoRows()
    const { names, login } = await createLogin()
    await becomeAdmin('later', attributes)
    const forRoles = await refusalOf(ensureWarehouse(app.services, app.harbour.id))
    expect(forRoles).toMatch(/^GRANT ".*_writer" TO "later_.*" WITH ADMIN (TRUE, SET TRUE|OPTION)$/u)
    await runAs(superuser, forRoles)
    await ensureWarehouse(app.services, app.harbour.id)
    const forRights = await refusalOf(applyAccess(app.services, app.harbour.id))
    expect(forRights).toMatch(/^in the database .*: ALTER SCHEMA tributary_access OWNER TO later_/u)
    await runAs({ ...superuser, database: names.databaseName }, forRights.replace(/^in the database \S+: /u, ''))
    await using open = await keepOpen(login)
    await revokeSqlLogin(app.services, owner(), () => Promise.resolve())
    await open.ended
    await expect(runAs(login, 'SELECT 1')).rejects.toThrow('authentication failed')
  },
)
