import { warehouse, type Warehouse } from '@tributary/contract/warehouse'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findAuditEvents } from '@tributary/testing/server/app/audit-log.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { guardReaders } from './reader-guard.ts'

let app: TestApp
let created: Warehouse
beforeAll(async () => {
  app = await testApp()
  created = (await app.as.admin.call(warehouse.newPassword, { params: { clientId: app.harbour.id } })).body
})
afterAll(() => app[Symbol.asyncDispose]())

/** A reader session that has switched to read-write mode. */
async function asReader(statement: string): Promise<void> {
  await using report = await connect()
  await report.client.query('SET default_transaction_read_only = off')
  await report.client.query(statement)
}

/** A report's connection, open until it is disposed. */
async function connect(password = created.Password ?? '') {
  const { Host: host, Port: port, Database: database, User: user } = created
  const client = new Client({ host, port, database, user, password })
  await client.connect()
  return { client, [Symbol.asyncDispose]: () => client.end() }
}

const limit = async (): Promise<unknown> => {
  await using report = await connect()
  return (await report.client.query('SHOW statement_timeout')).rows[0]
}

async function auditedResets() {
  return (await findAuditEvents(app.store, 'warehouse.reader_set_back')).map(({ organisationId, detail }) => ({
    organisationId,
    detail,
  }))
}

test('an unchanged reader login is not reset', async () => {
  await guardReaders(app.services)
  expect(await auditedResets()).toEqual([])
})

test('a password that the reader login set itself is reverted, so that reports keep working', async () => {
  await asReader(`ALTER ROLE "${created.User}" PASSWORD 'taken-over'`)
  await expect(connect()).rejects.toThrow('password authentication failed')
  await guardReaders(app.services)
  await using _ = await connect()
  await expect(connect('taken-over')).rejects.toThrow('password authentication failed')
  expect(await auditedResets()).toEqual([{ organisationId: app.harbour.id, detail: { changed: 'password' } }])
})

test.each([
  ['for all databases', (): string => `ALTER ROLE "${created.User}" SET statement_timeout = 0`],
  [
    'for one database',
    (): string => `ALTER ROLE "${created.User}" IN DATABASE "${created.Database}" SET statement_timeout = 0`,
  ],
])('settings that the reader login set itself %s are reverted', async (_, change) => {
  await asReader(change())
  expect(await limit()).toEqual({ statement_timeout: '0' })
  await guardReaders(app.services)
  expect(await limit()).toEqual({ statement_timeout: '30min' })
  expect((await auditedResets()).at(-1)).toEqual({ organisationId: app.harbour.id, detail: { changed: 'settings' } })
})
