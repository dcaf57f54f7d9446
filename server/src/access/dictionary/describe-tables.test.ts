/** What the dictionary says about a table is the same wherever the table is read: feed, Power BI, SQL editor, explorer. */
import { data } from '@tributary/contract/data'
import { dictionary } from '@tributary/contract/dictionary'
import { queries } from '@tributary/contract/queries'
import { reports } from '@tributary/contract/reports'
import { readyQuestions } from '@tributary/engine/ready-questions'
import { type DataFixture, openDataFixture } from '@tributary/testing/server/access/data-fixture.ts'
import { getFeed } from '@tributary/testing/server/access/odata-feed.ts'
import { applyChanges, runAs, writerOf } from '@tributary/testing/server/access/warehouse-login.ts'
import { readParts } from '@tributary/testing/server/excel/read-parts.ts'
import { type ParsedObject, readTmdl } from '@tributary/testing/server/reports/read-tmdl.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

const [question] = readyQuestions('cin7', new Set())

let there: DataFixture
beforeAll(async () => {
  there = await openDataFixture()
  const { app } = there
  const writer = await writerOf(app)
  await runAs(
    writer,
    `COMMENT ON COLUMN shop.invoice.total IS 'With tax [Tributary 12ab34cd]'; COMMENT ON TABLE shop.invoice_line IS 'Their lines [Tributary 00000000]';
     CREATE SCHEMA other; CREATE TABLE other.invoice (id int PRIMARY KEY);
     CREATE VIEW shop."${question?.name}" AS SELECT ${question?.columns.map(({ name }) => `NULL::text AS "${name}"`).join(', ')}`,
  )
  await applyChanges(app)
  const [invoice] = (
    await app.as.admin.call(dictionary.list, { params: { clientId: app.harbour.id }, query: {} })
  ).body.filter(({ Name }) => Name === 'invoice')
  await app.as.admin.call(dictionary.describe, {
    params: { clientId: app.harbour.id, connectorId: invoice?.ConnectorId ?? '' },
    query: { table: 'invoice' },
    body: { column: 'id', words: 'Our number & theirs' },
  })
})
afterAll(() => there[Symbol.asyncDispose]())

type Description = string | null | undefined

/** What a reader says about a table, and about a column of it. */
type Descriptions = (table: string, column?: string) => Description

async function ofFeed(): Promise<Descriptions> {
  const { body } = await getFeed(there.app, '/$metadata', { headers: { accept: 'application/json' } })
  const types = (body as unknown as { readonly Tributary: Record<string, Record<string, unknown>> }).Tributary
  const of = (element: unknown) => (element as Record<string, string> | undefined)?.['@Core.Description']
  return (table, column) => {
    const type = types[table.replace('.', '_')]
    return of(column === undefined ? type : type?.[column])
  }
}

async function ofEditor(): Promise<Descriptions> {
  const { body } = await there.app.as.admin.call(queries.tables, { params: { clientId: there.app.harbour.id } })
  return (table, column) => {
    const found = body.find(({ Schema, Name }) => `${Schema}.${Name}` === table)
    return column === undefined ? found?.Description : found?.Columns.find(({ Name }) => Name === column)?.Description
  }
}

async function ofExplorer(): Promise<Descriptions> {
  const { body } = await there.app.as.admin.call(data.tables, { params: { clientId: there.app.harbour.id } })
  const tables = body.flatMap(({ Tables }) => Tables)
  return (table, column) => {
    const found = tables.find(({ Schema, Name }) => `${Schema}.${Name}` === table)
    return column === undefined ? found?.Description : found?.Columns.find(({ Name }) => Name === column)?.Description
  }
}

async function readPowerBi(): Promise<readonly ParsedObject[]> {
  const session = await there.app.as.admin.session()
  const { rawPayload } = await there.app.http.inject({
    url: `/api${reports.powerBi.path.replace(':clientId', there.app.harbour.id)}`,
    headers: { authorization: `Bearer ${session?.accessToken}` },
  })
  return [...(await readParts(rawPayload))].flatMap(([path, content]) =>
    path.endsWith('.tmdl') ? readTmdl(content.toString()) : [],
  )
}

async function ofPowerBi(): Promise<Descriptions> {
  const tables = (await readPowerBi()).filter(({ kind }) => kind === 'table')
  return (table, column) => {
    const [schema, name] = table.split('.')
    const found = tables.find((each) => each.name === name || each.name === `${name} (${schema})`)
    const object = column === undefined ? found : found?.children.find((each) => each.name === column)
    return object?.description
  }
}

test.each([
  ['the feed', ofFeed],
  ['the SQL editor', ofEditor],
  ['the explorer', ofExplorer],
  ['Power BI', ofPowerBi],
])('[SEE-6] %s says about a table what the dictionary says, and never shows the mark of a comment', async (_, read) => {
  const says = await read()
  expect(says('shop.invoice')).toContain('What customers were charged')
  expect(says('shop.invoice', 'id')).toBe('Our number & theirs')
  expect(says('shop.invoice', 'total')).toBe('With tax')
  expect(says('shop.invoice', 'number') ?? '').toBe('')
  expect(says('shop.invoice_line')).toBe('Their lines')
  expect(says(`shop.${question?.name}`)).toBe(`${question?.title}\n${question?.description}`)
  expect(says('excel.B2SBudget2026')).toMatch(/^Rows of the version Budget 2026 /u)
  expect(says('excel.B2SBudget2026', 'Milestone')).toContain('milestone')
  expect(says('excel.B2SBudget2026', 'LoadedBy')).toContain('email address')
  expect(says('excel.B2SBudget2026', 'Amount')).toContain('sheet')
  expect(says('excel.B2SRates')).toMatch(/^Rows of the helper table Rates /u)
  // Has the name of a table that the dictionary describes, but belongs to no connector.
  expect(says('other.invoice') ?? '').toBe('')
})

test('[SEE-8] [SEE-11] relations that are no foreign keys come from the dictionary', async () => {
  const { body } = await getFeed(there.app, '/$metadata', { headers: { accept: 'application/json' } })
  expect(body).toMatchObject({
    Tributary: {
      shop_contact: { last_invoice: { '@Tributary.Relation': 'shop_invoice/id' } },
      shop_invoice_line: { invoice_id: { '@Tributary.Relation': 'shop_invoice/id' } },
    },
  })
  const relationships = (await readPowerBi()).filter(({ kind }) => kind === 'relationship')
  expect(relationships.map(({ properties }) => properties)).toContainEqual({
    fromColumn: 'contact.last_invoice',
    toColumn: "'invoice (shop)'.id",
  })
})
