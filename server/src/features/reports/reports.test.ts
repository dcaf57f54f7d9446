import { reports } from '@tributary/contract/reports'
import type { Route } from '@tributary/contract/route'
import { escapeIdentifier } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getFeed } from '@tributary/testing/server/access/odata-feed.ts'
import { applyChanges, runAs, writerOf } from '@tributary/testing/server/access/warehouse-login.ts'
import { findAuditEvents } from '@tributary/testing/server/app/audit-log.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { addPerson } from '@tributary/testing/server/identity/add-person.ts'
import { makeToken } from '@tributary/testing/server/identity/make-token.ts'
import { parseM } from '@tributary/testing/server/reports/parse-m.ts'
import { readParts } from '@tributary/testing/server/excel/read-parts.ts'
import { type ParsedObject, readTmdl } from '@tributary/testing/server/reports/read-tmdl.ts'
import { readQueryWorkbook } from '@tributary/testing/server/reports/read-query-workbook.ts'
import { checkConnection } from './check-connection.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp({ env: { TRIBUTARY_PUBLIC_RANGES: '203.0.113.0/28' } })
})
afterAll(() => app[Symbol.asyncDispose]())

const harbour = () => ({ params: { clientId: app.harbour.id } })
const invoices = { schema: 'shop', name: 'invoices' }
const hostile = `a"b'c]d\ne=\u202E`

/** As the engine writes: tables of the writer, with comments, keys and relations, next to Tributary's own. */
async function fillWarehouse(): Promise<void> {
  await runAs(
    await writerOf(app),
    `
    CREATE SCHEMA shop; CREATE SCHEMA excel;
    CREATE TABLE shop.customers (id int PRIMARY KEY, name text, photo bytea);
    CREATE TABLE shop.invoices (id bigint PRIMARY KEY, customer_id int REFERENCES shop.customers, day date, total numeric(12,2), rate numeric,
      tags text[], changed timestamptz);
    COMMENT ON TABLE shop.invoices IS 'What customers owe.'; COMMENT ON COLUMN shop.invoices.total IS 'With tax, in the currency of the company.';
    CREATE VIEW shop.balance_sheet AS SELECT day AS month, day AS as_of, 'Assets' AS side, 1 AS section_no, 'Bank' AS section,
      id::text AS account_id, '1' AS account_code, 'Bank' AS account_name, 'BANK' AS account_type, total AS amount FROM shop.invoices;
    CREATE VIEW shop.profit_and_loss AS SELECT day AS month FROM shop.invoices;
    CREATE TABLE shop.tributary_state (name text); CREATE TABLE shop.tributary_new_invoices (id int);
    CREATE TABLE shop.${escapeIdentifier(hostile)} (${escapeIdentifier(hostile)} text);
    CREATE TABLE excel."B2SBudget" ("Entity" text, "Area" text, "Subarea" text, "Milestone" text, "Amount" numeric, "LoadId" uuid, "SliceId" uuid);
    CREATE TABLE excel."B2SRates" ("Currency" text, "LoadId" uuid, "SliceId" uuid);
    CREATE TABLE excel.tributary_row_right ("Email" text, "TableName" text, "Entity" text, "Area" text, "Subarea" text, "Milestone" text, "MayWrite" boolean)`,
  )
  await applyChanges(app)
}

test('[SEE-11] an organisation without a table is asked to run a connector', async () => {
  const { status, body } = await app.as.admin.call(reports.powerBi, harbour())
  expect([status, JSON.stringify(body)]).toEqual([422, expect.stringContaining('Run a connector')])
  await fillWarehouse()
})

test('[SEE-10] the tables of the warehouse are listed with their purpose, without those that Tributary keeps for itself', async () => {
  const { body } = await app.as.admin.call(reports.tables, harbour())
  expect(body.map(({ Schema, Name, Purpose }) => [Schema, Name, Purpose])).toEqual([
    ['excel', 'B2SBudget', 'version'],
    ['excel', 'B2SRates', 'helperTable'],
    ['shop', hostile, 'table'],
    ['shop', 'balance_sheet', 'question'],
    ['shop', 'customers', 'table'],
    ['shop', 'invoices', 'table'],
    ['shop', 'profit_and_loss', 'table'],
  ])
  expect(body.at(-2)?.Description).toBe('What customers owe.')
})

test('[SEE-11] the Power BI project has the tables, comments, relations and rights of the warehouse', async () => {
  const { bytes, disposition } = await download(reports.powerBi)
  expect(disposition).toBe('attachment; filename="tributary-power-bi.zip"')
  const files = await readParts(bytes)
  const objects = [...files].flatMap(([path, content]) => (path.endsWith('.tmdl') ? readTmdl(content.toString()) : []))
  const table = (name: string) => objects.find((object) => object.kind === 'table' && object.name === name)
  expect(table('invoices')?.description).toContain(
    'What customers owe.\nWithout columns whose type Power BI cannot read: tags (text[]).',
  )
  expect(columnsOf(table('invoices'))).toEqual({
    id: 'int64',
    customer_id: 'int64',
    day: 'dateTime',
    total: 'decimal',
    rate: 'double',
    changed: 'dateTime',
  })
  expect(columnsOf(table('customers'))).toEqual({ id: 'int64', name: 'string' })
  expect(objects.filter(({ kind }) => kind === 'relationship').map(({ properties }) => properties)).toEqual([
    { fromColumn: 'invoices.customer_id', toColumn: 'customers.id' },
    { fromColumn: 'balance_sheet.as_of', toColumn: 'Date.Date' },
    { isActive: 'false', fromColumn: 'balance_sheet.month', toColumn: 'Date.Date' },
    { fromColumn: 'invoices.day', toColumn: 'Date.Date' },
    { fromColumn: 'profit_and_loss.month', toColumn: 'Date.Date' },
  ])
  const asked = table('balance_sheet')
  expect(asked?.description).toContain('What do we own and owe at the end of each month?')
  expect(asked?.children.find(({ name }) => name === 'Balance sheet: amount')?.value).toContain('LASTNONBLANK')
  const role = objects.find(({ kind }) => kind === 'role')
  expect(role?.children.map(({ name }) => name)).toEqual(['B2SBudget', 'B2SRates', 'tributary_row_right'])
  const { host, port } = app.services.warehouse
  expect(objects.find(({ name }) => name === 'Server')?.value).toContain(`"${host}:${port}"`)
})

async function download({ method, path }: Route, payload?: object) {
  const session = await app.as.admin.session()
  const { rawPayload, headers, statusCode } = await app.http.inject({
    method,
    url: `/api${path.replace(':clientId', app.harbour.id)}`,
    headers: { host: 'localhost:3000', authorization: `Bearer ${session?.accessToken}` },
    ...(payload !== undefined && { payload }),
  })
  expect(statusCode).toBe(200)
  return { bytes: rawPayload, disposition: headers['content-disposition'] }
}

function columnsOf(table: ParsedObject | undefined): Record<string, string | undefined> {
  const columns = table?.children.filter(({ kind }) => kind === 'column') ?? []
  return Object.fromEntries(columns.map(({ name, properties }) => [name, properties['dataType']]))
}

test('[SEE-10] the workbook has the chosen tables, and one that may not be read is named', async () => {
  const chosen = { source: 'database' as const, tables: [{ schema: 'shop', name: hostile }, invoices, invoices] }
  const { bytes } = await download(reports.workbook, chosen)
  const { sheets, tables, section } = await readQueryWorkbook(bytes)
  expect(sheets.length).toBe(3)
  expect(tables[1]?.headings).toEqual(['id', 'customer_id', 'day', 'total', 'rate', 'changed'])
  expect(section).toContain(`Item = "a""b'c]d#(000A)e=#(202E)"`)
  for (const name of ['tributary_state', 'absent', 'tributary_row_right']) {
    const wrong = {
      source: 'feed' as const,
      tables: [{ schema: name === 'tributary_row_right' ? 'excel' : 'shop', name }],
    }
    const refused = await app.as.admin.call(reports.workbook, { ...harbour(), body: wrong })
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([
      400,
      expect.stringContaining(`.${name}, which is no table`),
    ])
  }
  const many = { source: 'feed' as const, tables: Array.from({ length: 21 }, () => invoices) }
  expect((await app.as.admin.call(reports.workbook, { ...harbour(), body: many })).status).toBe(400)
})

test('[SEE-10] the workbook reads the feed by the names that it has there, and calls columns as in the warehouse', async () => {
  const { bytes } = await download(reports.workbook, {
    source: 'feed',
    tables: [{ schema: 'shop', name: hostile }, invoices],
  })
  const { introduction, section, tables } = await readQueryWorkbook(bytes)
  const { body: connection } = await app.as.admin.call(reports.connection, harbour())
  const { body: sets } = await getFeed(app, '/')
  expect(sets.value.map(({ name }) => name)).toEqual(expect.arrayContaining(['shop_invoices', 'shop_a_b_c_d_e_\u202E']))
  for (const set of ['shop_invoices', 'shop_a_b_c_d_e_#(202E)'])
    expect(section).toContain(
      `OData.Feed("${connection.FeedUrl}", null, [Implementation = "2.0"]){[Name = "${set}", Signature = "table"]}[Data]`,
    )
  expect(section).toContain(`{{"a_b_c_d_e_#(202E)", "a""b'c]d#(000A)e=#(202E)"}})`)
  expect(section).toContain('Table.TransformColumns(OData.Feed(')
  expect(section).not.toContain('PostgreSQL.Database')
  expect(tables[1]?.headings).toEqual(['id', 'customer_id', 'day', 'total', 'rate', 'changed'])
  expect(await parseM(section)).toBeNull()
  expect(introduction.join('\n')).toContain('Choose Basic.')
  expect(introduction.join('\n')).toContain(connection.FeedUrl)
})

test('[SEE-10] Test names the access token that may read the feed, and none that has another scope or has expired', async () => {
  const owner = await addPerson(app, { [app.harbour.id]: 'admin' })
  const notice = async () => {
    const { body } = await owner.client.call(reports.test, harbour())
    return body.find(({ Name }) => Name === 'Access token')
  }
  await makeToken(app, owner, { scopes: ['status.read'] })
  expect(await notice()).toMatchObject({ Outcome: 'failed', Notice: expect.stringContaining('data.read') as string })
  const { secret } = await makeToken(app, owner, { scopes: ['data.read'], days: 1 })
  expect((await notice())?.Notice).toContain('has not been used yet')
  await getFeed(app, '/', { as: 'visitor', headers: { authorization: `Bearer ${secret}` } })
  expect((await notice())?.Notice).toContain('was last used at')
})

test('[SEE-10] [SEE-11] a person who may read nothing gets no file, and other organisations find nothing', async () => {
  const body = { source: 'feed' as const, tables: [invoices] }
  for (const speaker of ['user', 'guest'] as const) {
    expect((await app.as[speaker].call(reports.powerBi, harbour())).status).toBe(403)
    expect((await app.as[speaker].call(reports.workbook, { ...harbour(), body })).status).toBe(403)
    for (const route of [reports.tables, reports.connection, reports.test])
      expect((await app.as[speaker].call(route, harbour())).status).toBe(403)
  }
  for (const route of [reports.powerBi, reports.tables, reports.connection, reports.test])
    expect((await app.as.otherAdmin.call(route, harbour())).status).toBe(404)
  expect((await app.as.otherAdmin.call(reports.workbook, { ...harbour(), body })).status).toBe(404)
})

test('[SEE-10] Test reports what the caller may read, that they have no login yet, and whether the address answers', async () => {
  const { body } = await app.as.admin.call(reports.test, harbour())
  const { host, port } = app.services.warehouse
  expect(body.map(({ Name, Outcome }) => [Name, Outcome])).toEqual([
    ['Tables', 'passed'],
    ['Access token', 'failed'],
    ['Database login', 'failed'],
    ['Address', 'passed'],
  ])
  expect(body[0]?.Notice).toBe('Your rights read 7 tables.')
  expect(body[3]?.Notice).toContain(`${host}:${port} answers, without TLS`)
  const { body: connection } = await app.as.admin.call(reports.connection, harbour())
  expect(connection).toMatchObject({
    Host: host,
    Port: port,
    User: null,
    SslMode: 'prefer',
    Ranges: ['203.0.113.0/28'],
  })
  expect(connection.FeedUrl).toMatch(new RegExp(`^http://[^/]+/odata/${app.harbour.id}/$`, 'u'))
})

test('[SEE-10] Test says that nothing answers where the address is wrong', async () => {
  const address = { host: '127.0.0.1', port: 1 }
  const login = { database: 'w_1', user: 'w_1_p_1', seen: { at: '2026-01-31T13:05:00Z', program: 'Excel' } }
  const checks = await checkConnection({ address, tables: [], login, tokens: [] })
  expect(checks.map(({ outcome }) => outcome)).toEqual(['failed', 'failed', 'passed', 'failed'])
  expect(checks[2]?.notice).toBe('w_1_p_1 was last used at 2026-01-31T13:05:00Z by Excel.')
  expect(checks[3]?.notice).toContain('Nothing answers at 127.0.0.1:1.')
})

test('[SEE-10] [SEE-11] a download is in the audit log', async () => {
  const events = await findAuditEvents(app.store, 'data.export_downloaded')
  expect(events.map(({ detail }) => detail)).toContainEqual({ file: 'powerBi' })
  expect(events.map(({ detail }) => detail)).toContainEqual({ file: 'workbook' })
})
