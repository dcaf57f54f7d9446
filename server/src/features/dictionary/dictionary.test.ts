import { connectors } from '@tributary/contract/connectors'
import { dictionary } from '@tributary/contract/dictionary'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { findAuditEvents } from '@tributary/testing/server/app/audit-log.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { RunDriver } from '@tributary/testing/server/connectors/run-driver.ts'
import { type SourceDatabase, sourceDatabase } from '@tributary/testing/server/connectors/source-database.ts'
import { addPerson } from '@tributary/testing/server/identity/add-person.ts'
import { systemClock } from '../../kernel/clock.ts'
import { startWorker, type Worker } from '../../worker.ts'

const hostile = `=1+1 | <script>alert(1)</script> 'quoted' \u202Ertl\u202C\nsecond line`

let app: TestApp
let worker: Worker
let driver: RunDriver
let source: SourceDatabase
let connectorId: string
beforeAll(async () => {
  app = await testApp({ env: { TRIBUTARY_LIMITS: 'off' } })
  source = await sourceDatabase(
    `CREATE TABLE customer (id integer PRIMARY KEY, "full name" text, credit numeric(12,2));
     COMMENT ON TABLE customer IS 'Everyone who buys';
     -- As if another installation of Tributary had written it.
     COMMENT ON COLUMN customer.credit IS 'Most that they may owe, in euros [Tributary 12ab34cd]';
     CREATE TABLE invoice (id integer PRIMARY KEY, customer_id integer NOT NULL REFERENCES customer, total numeric(12,2));
     INSERT INTO customer VALUES (1, 'Ann', 5); INSERT INTO invoice VALUES (1, 1, 9.5)`,
  )
  driver = new RunDriver(app.as.admin, app.harbour.id, source)
  worker = await startWorker({ ...app.services, clock: systemClock }, { leaseMs: 5_000, pollMs: 300 })
  connectorId = await driver.add('Described shop')
  await expectRun()
})
afterAll(async () => {
  await worker.stop()
  await app[Symbol.asyncDispose]()
})

async function expectRun(): Promise<void> {
  expect(await driver.runToEnd(connectorId)).toMatchObject({ Status: 'COMPLETED', Notice: null })
}

const ofOrganisation = () => ({ params: { clientId: app.harbour.id } })
const ofTable = (table: string) => ({ params: { clientId: app.harbour.id, connectorId }, query: { table } })

function describe(table: string, column: string | null, words: string) {
  return app.as.admin.call(dictionary.describe, { ...ofTable(table), body: { column, words } })
}

/** Comments in the warehouse, read by SQL. */
async function readComments(table: string): Promise<Record<string, string | null>> {
  const rows = await driver.inWarehouse<{ name: string; text: string | null }>(
    `SELECT '' AS name, obj_description(c.oid, 'pg_class') AS text FROM pg_class c WHERE c.relname = '${table}' AND c.relkind = 'r'
     UNION ALL SELECT a.attname, col_description(c.oid, a.attnum) FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
     WHERE c.relname = '${table}' AND c.relkind = 'r'`,
  )
  return Object.fromEntries(
    rows.map(({ name, text }) => [name, text?.replace(/ \[Tributary [0-9a-f]{8}\]$/, '') ?? null]),
  )
}

test('[SEE-6] a table has its columns with type, key, description, field of the source and relations', async () => {
  const { body } = await app.as.admin.call(dictionary.read, ofTable('customer'))
  expect(body).toMatchObject({
    ConnectorName: 'Described shop',
    Name: 'customer',
    SourceName: 'public.customer',
    Description: 'Everyone who buys',
    AdministratorDescription: null,
    Columns: [
      { Name: 'id', Type: 'integer', IsKey: true, IsNullable: false, SourceField: 'id', Description: null },
      { Name: 'full name', Type: 'text', IsKey: false, IsNullable: true, SourceField: 'full name' },
      { Name: 'credit', Type: 'numeric(12,2)', Description: 'Most that they may owe, in euros' },
    ],
    Relations: [],
  })
  const invoice = await app.as.admin.call(dictionary.read, ofTable('invoice'))
  expect(invoice.body.Relations).toEqual([{ Columns: ['customer_id'], Table: 'customer', To: ['id'], IsParent: false }])
})

test('[SEE-6] a run writes the descriptions of the source as comments into the target', async () => {
  expect(await readComments('customer')).toEqual({
    '': 'Everyone who buys',
    id: null,
    'full name': null,
    credit: 'Most that they may owe, in euros',
  })
})

test('[SEE-6] words of an administrator are audited, written by the next run, and survive a full refresh', async () => {
  const { body } = await describe('customer', 'full name', hostile)
  expect(body.Columns.find(({ Name }) => Name === 'full name')?.AdministratorDescription).toBe(hostile)
  await describe('customer', null, 'Our customers')
  await describe('customer', null, 'Our customers')
  const events = await findAuditEvents(app.store, 'dictionary.described')
  expect(events).toMatchObject([
    { actorId: app.idOf('admin'), objectId: connectorId, detail: { table: 'customer', column: 'full name' } },
    { actorId: app.idOf('admin'), objectId: connectorId, detail: { table: 'customer' } },
  ])
  expect(JSON.stringify(events)).not.toContain('Our customers')
  await expectRun()
  const commented = { '': 'Our customers\n\nEveryone who buys', 'full name': hostile }
  expect(await readComments('customer')).toMatchObject(commented)
  const provider = new RunDriver(app.as.superadmin, app.harbour.id, source)
  const refresh = await provider.runToEnd(connectorId, { fullTransactionSync: true })
  expect(refresh).toMatchObject({ Status: 'COMPLETED', RowsWritten: 2 })
  expect(await readComments('customer')).toMatchObject(commented)
  const { body: after } = await app.as.admin.call(dictionary.read, ofTable('customer'))
  expect(after).toMatchObject({ AdministratorDescription: 'Our customers', Description: 'Everyone who buys' })
  await describe('customer', null, '')
  await expectRun()
  expect(await readComments('customer')).toMatchObject({ '': 'Everyone who buys' })
})

test('[SEE-6] the search finds names, descriptions, words and fields, whatever their case', async () => {
  const search = async (text: string) => {
    const { body } = await app.as.admin.call(dictionary.list, { ...ofOrganisation(), query: { search: text } })
    return body
      .filter(({ ConnectorId }) => ConnectorId === connectorId)
      .map(({ Name, FoundColumns }) => [Name, ...FoundColumns])
  }
  await describe('invoice', 'total', 'Amount with VAT')
  expect(await search('EVERYONE buys')).toEqual([['customer']])
  expect(await search('owe euros')).toEqual([['customer', 'credit']])
  expect(await search('vat')).toEqual([['invoice', 'total']])
  expect(await search('no such thing')).toEqual([])
  expect((await search('')).map(([name]) => name)).toEqual(['customer', 'invoice'])
})

test('[SEE-6] the export has every table with all columns', async () => {
  const { body } = await app.as.admin.call(dictionary.export, ofOrganisation())
  const own = body.filter(({ ConnectorId }) => ConnectorId === connectorId)
  expect(own.map(({ Name, Columns }) => [Name, Columns.length])).toEqual([
    ['customer', 3],
    ['invoice', 3],
  ])
})

test('[SEE-6] people see the tables of the connectors that they are assigned to, and only administrators write', async () => {
  const person = await addPerson(app, { [app.harbour.id]: 'user' })
  const seen = async () => (await person.client.call(dictionary.list, ofOrganisation())).body.map(({ Name }) => Name)
  expect(await seen()).toEqual([])
  expect(await person.client.call(dictionary.read, ofTable('customer'))).toMatchObject({ status: 404 })
  expect((await person.client.call(dictionary.export, ofOrganisation())).body).toEqual([])
  await app.as.admin.call(connectors.assignUsers, {
    params: { clientId: app.harbour.id, connectorId },
    body: { users: [person.id] },
  })
  expect(await seen()).toEqual(['customer', 'invoice'])
  expect(await person.client.call(dictionary.read, ofTable('customer'))).toMatchObject({ status: 200 })
  const change = { ...ofTable('customer'), body: { column: null, words: 'mine' } }
  expect(await person.client.call(dictionary.describe, change)).toMatchObject({ status: 403 })
})

test('[SEE-6] another organisation sees and describes nothing', async () => {
  const { id: clientId } = app.summit
  const { body } = await app.as.otherAdmin.call(dictionary.list, { params: { clientId } })
  expect(body.filter(({ ConnectorId }) => ConnectorId === connectorId)).toEqual([])
  for (const id of [clientId, app.harbour.id]) {
    const call = { params: { clientId: id, connectorId }, query: { table: 'customer' } }
    expect(await app.as.otherAdmin.call(dictionary.read, call)).toMatchObject({ status: 404 })
    const change = { ...call, body: { column: null, words: 'theirs' } }
    expect(await app.as.otherAdmin.call(dictionary.describe, change)).toMatchObject({ status: 404 })
  }
})

test('[SEE-6] an unknown table, an unknown column and words that are too long are refused with what is wrong', async () => {
  expect(await app.as.admin.call(dictionary.read, ofTable('no such table'))).toMatchObject({ status: 404 })
  expect(await describe('customer', 'nothing', 'words')).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining('column is not a column of the table customer') as unknown },
  })
  expect(await describe('customer', 'credit', 'x'.repeat(2_001))).toMatchObject({ status: 400 })
  expect(await describe('customer', 'credit', 'x'.repeat(2_000))).toMatchObject({ status: 200 })
})

test('[SEE-6] a comment that cannot be written fails no run, and the log says so; the next run writes it', async () => {
  await source.query(`COMMENT ON TABLE invoice IS 'What customers owe'`)
  const [place] = await driver.inWarehouse<{ database: string; name: string }>(
    `SELECT current_database() AS database, oid::regclass::text AS name FROM pg_class WHERE relname = 'invoice' AND relkind = 'r'`,
  )
  const client = new Client({ ...inject('postgres'), database: place?.database ?? '' })
  await client.connect()
  // Readers and writers pass, statements that describe the table wait.
  await client.query(`BEGIN; LOCK TABLE ${place?.name ?? ''} IN SHARE UPDATE EXCLUSIVE MODE`)
  const run = await driver.runToEnd(connectorId)
  await client.end()
  expect(run.Status).toBe('COMPLETED')
  expect(run.Lines.map(({ Text }) => Text)).toContainEqual(
    expect.stringContaining('its rows are complete, but the descriptions could not be written as comments'),
  )
  await expectRun()
  expect(await readComments('invoice')).toMatchObject({ '': 'What customers owe' })
})
