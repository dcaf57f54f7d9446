import { logins, type OwnLogin } from '@tributary/contract/logins'
import { warehouse } from '@tributary/contract/warehouse'
import type { ClientConfig } from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findAuditEvents } from '@tributary/testing/server/app/audit-log.ts'
import { keepOpen, runAs } from '@tributary/testing/server/access/warehouse-login.ts'
import { LoadClient, planForLoads } from '@tributary/testing/server/excel/load-sheets.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { guardLogins } from '../../access/logins/login-guard.ts'

let app: TestApp
beforeEach(async () => {
  app = await testApp()
  const plan = await planForLoads(app)
  const admin = new LoadClient(app.as.admin)
  await admin.load({ versionId: plan.versionId }, { columns: ['Amount'], rows: [['1']] })
})
afterEach(() => app[Symbol.asyncDispose]())

const harbour = () => ({ params: { clientId: app.harbour.id } })
const rows = 'SELECT count(*)::int AS n FROM excel."B2SBudget2026"'

function connectionOf({ Host, Port, Database, User, Password }: OwnLogin): ClientConfig {
  return { host: Host, port: Port, database: Database ?? '', user: User ?? '', password: Password ?? '' }
}

async function createLogin(speaker: 'admin' | 'user' = 'user') {
  const { status, body } = await app.as[speaker].call(logins.newPassword, harbour())
  expect(status).toBe(200)
  return body
}

test('[SEE-1] a person creates a login of their own, whose password is shown once, and reads with it what they may', async () => {
  const { body: before } = await app.as.user.call(logins.mine, harbour())
  expect(before).toMatchObject({ MayRead: true, User: null, Password: null, PasswordSetAtUtc: null, LastSeen: null })
  const created = await createLogin()
  expect(await runAs(connectionOf(created), rows)).toEqual([{ n: 1 }])
  const { body: after } = await app.as.user.call(logins.mine, harbour())
  expect(after).toMatchObject({
    User: created.User,
    Password: null,
    PasswordSetAtUtc: new Date(app.clock.now()).toISOString(),
  })
  expect(after.Tables).toEqual([
    {
      Schema: 'excel',
      Name: 'B2SBudget2026',
      Kind: 'version',
      OwnerId: expect.any(String),
      Owner: 'Budget 2026',
      IsLimitedByRows: true,
    },
  ])
  const stored = await app.store.across((db) => db.selectFrom('warehousePrincipal').selectAll().execute())
  expect(JSON.stringify([stored, app.logLines])).not.toContain(created.Password)
  expect(await findAuditEvents(app.store, 'warehouse.login_created')).toMatchObject([
    { actorId: app.idOf('user'), organisationId: app.harbour.id, outcome: 'success' },
  ])
})

test('[SEE-1] a person and an administrator revoke a login: its connections end and it cannot sign in', async () => {
  for (const revoke of [
    () => app.as.user.call(logins.revoke, harbour()),
    () => app.as.admin.call(logins.revokeOf, { params: { clientId: app.harbour.id, userId: app.idOf('user') } }),
  ]) {
    const login = connectionOf(await createLogin())
    await using open = await keepOpen(login)
    expect((await revoke()).status).toBe(204)
    await open.ended
    await expect(runAs(login, rows)).rejects.toThrow('authentication failed')
    expect((await app.as.user.call(logins.mine, harbour())).body).toMatchObject({ User: null, MayRead: true })
  }
  expect(await findAuditEvents(app.store, 'warehouse.login_revoked')).toMatchObject([
    { actorId: app.idOf('user'), objectId: app.idOf('user') },
    { actorId: app.idOf('admin'), objectId: app.idOf('user') },
  ])
})

test('[SEE-1] an organisation without a warehouse has no login, and to revoke one there is no failure', async () => {
  const params = { clientId: app.summit.id, userId: app.idOf('otherAdmin') }
  expect((await app.as.otherAdmin.call(logins.revokeOf, { params })).status).toBe(204)
  expect(await findAuditEvents(app.store, 'warehouse.login_revoked')).toEqual([])
})

test('[SEE-1] administrators see who used which login when, from where and with which program', async () => {
  const created = await createLogin()
  {
    await using _ = await keepOpen({ ...connectionOf(created), application_name: 'Mashup Engine' })
    await app.as.user.call(logins.mine, harbour())
  }
  const { body } = await app.as.admin.call(logins.list, harbour())
  const at = new Date(app.clock.now()).toISOString()
  expect(body).toEqual({
    IsSharedReaderOn: true,
    Logins: [
      {
        UserId: app.idOf('user'),
        Name: expect.any(String),
        EmailAddress: 'user@demo.example',
        User: created.User,
        PasswordSetAtUtc: at,
        LastSeen: { AtUtc: at, Address: '127.0.0.1', Program: 'Mashup Engine' },
      },
    ],
  })
})

test('[SEE-1] administrators switch the shared reader off, which ends its connections, and on again', async () => {
  const { body: shared } = await app.as.admin.call(warehouse.newPassword, harbour())
  const reader = {
    host: shared.Host,
    port: shared.Port,
    database: shared.Database,
    user: shared.User,
    password: shared.Password ?? '',
  }
  await using open = await keepOpen(reader)
  const turn = (on: boolean) => app.as.admin.call(logins.switchSharedReader, { ...harbour(), body: { on } })
  expect((await turn(false)).status).toBe(204)
  await open.ended
  await expect(runAs(reader, 'SELECT 1')).rejects.toThrow('not permitted to log in')
  expect((await app.as.admin.call(logins.list, harbour())).body.IsSharedReaderOn).toBe(false)
  await turn(true)
  expect(await runAs(reader, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  const events = await findAuditEvents(app.store, 'warehouse.reader_switched')
  expect(events.map(({ detail }) => detail)).toEqual([{ after: false }, { after: true }])
})

test('[SEE-1] a password and settings that a login changed itself are set back', async () => {
  const created = await createLogin()
  const login = connectionOf(created)
  await guardLogins(app.services)
  expect(await findAuditEvents(app.store, 'warehouse.login_set_back')).toEqual([])
  const change = (statement: string) => runAs({ ...login, options: '-c default_transaction_read_only=off' }, statement)
  await change(`ALTER ROLE "${created.User}" SET statement_timeout = 0`)
  await change(`ALTER ROLE "${created.User}" PASSWORD 'taken-over'`)
  await expect(runAs(login, rows)).rejects.toThrow('authentication failed')
  await guardLogins(app.services)
  expect(await runAs(login, 'SHOW statement_timeout')).toEqual([{ statement_timeout: '30min' }])
  await expect(runAs({ ...login, password: 'taken-over' }, rows)).rejects.toThrow('authentication failed')
  expect((await findAuditEvents(app.store, 'warehouse.login_set_back')).map(({ detail }) => detail)).toEqual([
    { changed: 'settings and password' },
  ])
})

test('[SEE-2] someone with nothing to read gets no login; users see no other login, and other organisations nothing', async () => {
  expect((await app.as.guest.call(logins.mine, harbour())).body).toMatchObject({
    MayRead: false,
    Database: null,
    Tables: [],
  })
  const refused = await app.as.guest.send<{ code: string }>(
    'POST',
    `/api/tributary/clients/${app.harbour.id}/logins/me/password`,
  )
  expect([refused.status, refused.body.code]).toEqual([403, 'dataNotReadable'])
  expect((await app.as.user.call(logins.list, harbour())).status).toBe(403)
  for (const call of [logins.mine, logins.newPassword, logins.list] as const)
    expect((await app.as.otherAdmin.call(call, harbour())).status).toBe(404)
})

test('[SEE-2] a session says whether there is data in its organisation that the person may read', async () => {
  expect(await app.as.admin.signIn()).toMatchObject({ mayReadData: true })
  expect(await app.as.user.signIn()).toMatchObject({ mayReadData: true })
  expect(await app.as.guest.signIn()).toMatchObject({ mayReadData: false })
})
