import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  openAssistantFixture,
  switchAssistants,
  switchForProvider,
  switchSource,
} from '@tributary/testing/server/access/assistant-fixture.ts'
import { selectAs, selectAsAssistant } from '@tributary/testing/server/access/warehouse-login.ts'
import type { TestApp } from '@tributary/testing/server/app/test-app.ts'
import { keepAccess } from '../logins/keep-access.ts'
import { guardLogins } from '../logins/login-guard.ts'

let app: TestApp
beforeAll(async () => {
  app = (await openAssistantFixture()).app
  await switchAssistants(app, true)
})
afterAll(() => app[Symbol.asyncDispose]())

const closed = [
  'SELECT balance FROM ledger.account',
  'SELECT balance FROM ledger.balances',
  'SELECT balance FROM shop.mixed LIMIT 1',
  'SELECT balance FROM shop.copied',
]
const denied = /permission denied/
const people = ['superadmin', 'admin', 'guest'] as const

test('[SEE-13] PostgreSQL refuses an assistant the tables of Xero and every view that reads them, even of an administrator', async () => {
  for (const person of people) {
    const id = app.idOf(person)
    expect(await selectAsAssistant(app, id, 'SELECT count(*)::int FROM shop.invoice')).toEqual([[250]])
    for (const query of closed) await expect(selectAsAssistant(app, id, query)).rejects.toThrow(denied)
    const expected = person === 'guest' ? closed.slice(0, 3) : closed
    for (const query of expected) expect(await selectAs(app, id, query)).toEqual([['4711']])
  }
})

test('[SEE-13] an assistant of an administrator reads no table that belongs to no connector, such as the results of tie-outs', async () => {
  const id = app.idOf('admin')
  expect(await selectAs(app, id, 'SELECT difference FROM ledger.tributary_tie_out')).toEqual([['4711']])
  await expect(selectAsAssistant(app, id, 'SELECT difference FROM ledger.tributary_tie_out')).rejects.toThrow(denied)
})

test('[SEE-13] an assistant reads only the rows of versions that the person reads', async () => {
  const amounts = 'SELECT "Amount"::int FROM excel."B2SBudget2026" ORDER BY 1'
  expect(await selectAsAssistant(app, app.idOf('user'), amounts)).toEqual([[1]])
  expect(await selectAsAssistant(app, app.idOf('admin'), amounts)).toEqual([[1], [2]])
})

test('[SEE-13] no role can be switched to that reads more, and the login cannot write', async () => {
  const id = app.idOf('admin')
  const roles = await selectAsAssistant(app, id, `SELECT rolname FROM pg_roles WHERE rolname ~ '^w_' ORDER BY 1`)
  const own = String((await selectAsAssistant(app, id, 'SELECT session_user::text'))[0]?.[0])
  expect(own).toMatch(/_m_[0-9a-f]{12}$/u)
  const warehouse = own.slice(0, own.indexOf('_m_'))
  const others = roles.flat().filter((role) => role !== own)
  expect(others.length).toBeGreaterThan(3)
  for (const role of others)
    for (const statement of [`SET ROLE "${String(role)}"`, `SET SESSION AUTHORIZATION "${String(role)}"`])
      // Roles of other tests, in other warehouses, go meanwhile.
      await expect(selectAsAssistant(app, id, statement)).rejects.toThrow(
        String(role).startsWith(warehouse) ? denied : /permission denied|does not exist/u,
      )
  const steps = 'RESET ROLE; SET ROLE NONE; RESET SESSION AUTHORIZATION; SELECT balance FROM ledger.account'
  await expect(
    selectAsAssistant(app, id, `DO $$ BEGIN EXECUTE '${steps.replaceAll("'", "''")}'; END $$`),
  ).rejects.toThrow(denied)
  for (const statement of [
    'INSERT INTO shop.contact VALUES (99, 1)',
    'CREATE TABLE shop.own (id int)',
    'CREATE VIEW shop.own AS SELECT 1',
    'GRANT SELECT ON ledger.account TO PUBLIC',
  ])
    await expect(
      selectAsAssistant(app, id, `DO $$ BEGIN SET transaction_read_only = off; EXECUTE '${statement}'; END $$`),
    ).rejects.toThrow(/denied|read-only|must be set before any query|owner/u)
})

test('[SEE-13] opening Xero opens its tables to assistants, and closing it closes them at once', async () => {
  const id = app.idOf('admin')
  await switchSource(app, 'xero', true)
  for (const query of closed) expect(await selectAsAssistant(app, id, query)).toEqual([['4711']])
  await switchSource(app, 'xero', false)
  for (const query of closed) await expect(selectAsAssistant(app, id, query)).rejects.toThrow(denied)
})

test('[SEE-13] closing any other source closes its tables to assistants and not to people', async () => {
  const id = app.idOf('guest')
  const query = 'SELECT count(*)::int FROM shop.invoice'
  await switchSource(app, 'postgres', false)
  await expect(selectAsAssistant(app, id, query)).rejects.toThrow(denied)
  expect(await selectAs(app, id, query)).toEqual([[250]])
  await switchSource(app, 'postgres', true)
  expect(await selectAsAssistant(app, id, query)).toEqual([[250]])
})

test('[SEE-13] a changed setting of an assistant’s login is set back, and the login works on', async () => {
  const id = app.idOf('admin')
  const own = String((await selectAsAssistant(app, id, 'SELECT session_user::text'))[0]?.[0])
  await selectAsAssistant(app, id, `DO $$ BEGIN EXECUTE 'ALTER ROLE ${own} SET statement_timeout = 0'; END $$`).catch(
    () => undefined,
  )
  await guardLogins(app.services)
  const settings = await selectAs(app, id, `SELECT rolconfig::text FROM pg_roles WHERE rolname = '${own}'`)
  expect(String(settings)).toContain('statement_timeout=1min')
  expect(await selectAsAssistant(app, id, 'SELECT 1')).toEqual([[1]])
})

test('[SEE-13] switched off by the provider or the organisation, the logins of assistants can no longer sign in', async () => {
  const id = app.idOf('admin')
  const canLogin = () =>
    selectAs(
      app,
      id,
      `SELECT count(*)::int FROM pg_roles WHERE starts_with(rolname, current_database() || '_m_') AND rolcanlogin`,
    )
  expect(await canLogin()).not.toEqual([[0]])
  await switchForProvider(app, false)
  await keepAccess(app.services)
  expect(await canLogin()).toEqual([[0]])
  await expect(selectAsAssistant(app, id, 'SELECT 1')).rejects.toMatchObject({ code: 'assistantsOff' })
  await switchAssistants(app, true)
  await keepAccess(app.services)
  expect(await selectAsAssistant(app, id, 'SELECT 1')).toEqual([[1]])
  await switchAssistants(app, false)
  await keepAccess(app.services)
  expect(await canLogin()).toEqual([[0]])
})
