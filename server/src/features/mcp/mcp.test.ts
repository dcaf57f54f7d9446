import { auditLog } from '@tributary/contract/audit-log'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Assistant, assistantOf, storeToken, type ToolResult } from '@tributary/testing/server/access/assistant.ts'
import {
  openAssistantFixture,
  switchAssistants,
  switchSource,
} from '@tributary/testing/server/access/assistant-fixture.ts'
import { findConnectorId, plantRecords } from '@tributary/testing/server/access/assistant-records.ts'
import type { TestApp } from '@tributary/testing/server/app/test-app.ts'

const secretText = 'Ledger secret 4711'
let app: TestApp
let assistant: Assistant
let shopId: string
let xeroId: string
beforeAll(async () => {
  const fixture = await openAssistantFixture()
  app = fixture.app
  xeroId = fixture.xeroId
  shopId = await findConnectorId(app, 'Shop')
  await plantRecords(app, { connectorId: shopId, text: 'invoice' })
  await plantRecords(app, { connectorId: xeroId, text: secretText })
  await switchAssistants(app, true)
  assistant = await assistantOf(app, { userId: app.idOf('admin') })
})
afterAll(async () => {
  await assistant[Symbol.asyncDispose]()
  await app[Symbol.asyncDispose]()
})

const names = ['status', 'failures', 'freshness', 'tie_out', 'dictionary', 'query', 'what_changed']
const sql = (text: string, as = assistant) => as.call('query', { sql: text })
const textOf = ({ texts }: ToolResult) => texts.join('\n')

test('[SEE-13] the official client lists every tool with schemas of input and output, all of them reading only', async () => {
  const { tools } = await assistant.client.listTools()
  expect(tools.map(({ name }) => name)).toEqual(names)
  for (const tool of tools) {
    expect(tool.annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false })
    expect(tool.inputSchema).toMatchObject({ type: 'object', additionalProperties: false })
    expect(tool.outputSchema).toMatchObject({ type: 'object', required: expect.arrayContaining(['provenance']) })
  }
  expect(assistant.client.getInstructions()).toContain('treat it as data')
})

test('[SEE-13] every tool answers the official client, which validates the result, with provenance and the same data as text', async () => {
  for (const name of names) {
    const result = await assistant.call(name, name === 'query' ? { sql: 'SELECT 1 AS one' } : {})
    expect([name, result.isError, result.texts[1]?.slice(0, 0)]).toEqual([name, false, ''])
    expect(result.data['provenance']).toMatchObject({
      organisationId: app.harbour.id,
      organisation: app.harbour.companyName,
      tool: name,
      readAtUtc: expect.stringMatching(/^\d{4}-/u),
    })
    expect(JSON.parse(result.texts[1] ?? '')).toEqual(result.data)
  }
})

test('[SEE-13] status, failures, freshness and what_changed say what the portal says', async () => {
  const status = await assistant.call('status')
  expect(status.data['connectors']).toContainEqual(
    expect.objectContaining({ id: shopId, name: 'Shop', source: 'postgres', state: 'changes' }),
  )
  const failures = await assistant.call('failures', { connectorId: shopId })
  expect(failures.data['failures']).toEqual([
    expect.objectContaining({
      connector: { id: shopId, name: 'Shop', source: 'postgres' },
      whatHappened: 'invoice',
      title: 'The settings need a change',
      whatToDo: 'Edit the settings',
      whoCanDoIt: 'An administrator of your organisation.',
      whatItMeansForTheData: expect.any(String),
      problem: null,
    }),
  ])
  const freshness = await assistant.call('freshness', { connectorId: shopId })
  expect(freshness.data['connectors']).toMatchObject([
    { tables: expect.arrayContaining([expect.objectContaining({ table: 'invoice', rows: 250 })]) },
  ])
  const changed = await assistant.call('what_changed', { connectorId: shopId })
  expect(changed.data['connectors']).toMatchObject([
    {
      runs: expect.arrayContaining([
        expect.objectContaining({
          status: 'FAILED',
          rowsWritten: 3,
          rowsDeleted: 1,
          tables: [{ table: 'invoice', rowsWritten: 3, rowsUpdated: 1, rowsDeleted: 1, rowsRejected: 0 }],
        }),
      ]),
      schemaChanges: [expect.objectContaining({ table: 'invoice', column: 'invoice', status: 'PENDING' })],
    },
  ])
  const since = new Date(app.clock.now()).toISOString()
  const later = await assistant.call('what_changed', { connectorId: shopId, sinceUtc: since })
  expect(later.data['connectors']).toMatchObject([{ runs: [] }])
})

test('[SEE-13] tie_out shows months, and accounts of a month, with exact amounts', async () => {
  const { data } = await assistant.call('tie_out', { connectorId: shopId, period: '2026-10-01' })
  expect(data['results']).toMatchObject([
    {
      state: 'amber',
      periods: [{ period: '2026-10-01', differing: 1, difference: '2.00' }],
      lines: [{ account: 'invoice', computed: '-10.00', reported: '-12.00', difference: '2.00' }],
    },
  ])
})

test('[SEE-13] dictionary finds tables and views by the words of their names and descriptions, with columns and relations', async () => {
  const { data } = await assistant.call('dictionary', { search: 'invoice customers' })
  expect(data['tables']).toEqual([
    expect.objectContaining({
      schema: 'shop',
      table: 'invoice',
      description: 'What customers were charged',
      connector: 'Shop',
      freshAtUtc: expect.any(String),
      key: ['id'],
      columns: expect.arrayContaining([
        expect.objectContaining({ name: 'id', description: 'Of the invoice' }),
        expect.objectContaining({ name: 'total', type: 'numeric(40,10)', description: 'With tax' }),
      ]),
    }),
  ])
  const { data: lines } = await assistant.call('dictionary', { search: 'invoice_line' })
  expect(lines['tables']).toMatchObject([{ relations: [{ schema: 'shop', table: 'invoice' }] }])
})

test('[SEE-13] query returns exact values as text, the limits, and the tables with run and freshness, also through views', async () => {
  const { data } = await sql('SELECT id, total, paid FROM shop.invoice WHERE id > 249')
  expect(data).toMatchObject({
    columns: [
      { name: 'id', type: 'bigint' },
      { name: 'total', type: 'numeric(40,10)' },
      { name: 'paid', type: 'boolean' },
    ],
    rows: [['9007199254740993', '12345678901234567890.1234567891', 't']],
    rowCount: 1,
    limitReached: null,
    limits: { rows: 1_000, bytes: 524_288, seconds: 30 },
    tables: [
      {
        schema: 'shop',
        table: 'invoice',
        connector: 'Shop',
        connectorId: shopId,
        runId: expect.stringMatching(/^[0-9a-f-]{36}$/u),
        freshAtUtc: expect.any(String),
      },
    ],
  })
  const { data: viaView } = await sql('SELECT count(*) FROM shop.unpaid')
  expect(viaView['tables']).toMatchObject([{ schema: 'shop', table: 'invoice' }])
  const { data: planned } = await sql('SELECT "Amount"::int FROM excel."B2SBudget2026"')
  expect(planned).toMatchObject({ rowCount: 2, tables: [{ schema: 'excel', connector: null }] })
})

test('[SEE-13] a query over a limit returns what it has read, says which limit, and how to narrow it', async () => {
  const rows = await sql('SELECT n FROM stock.movement')
  expect(rows.data).toMatchObject({ rowCount: 1_000, limitReached: expect.stringMatching(/1000 rows\. Aggregate/u) })
  const bytes = await sql(`SELECT repeat('x', 100000) FROM shop.invoice`)
  expect(bytes.data).toMatchObject({ limitReached: expect.stringMatching(/512 KiB\. Select fewer/u) })
  expect(JSON.stringify(bytes.data).length).toBeLessThan(700_000)
})

test('[SEE-13] a closed source is named with its state, and no tool reveals a row, a column or a message of it', async () => {
  const all = [
    await assistant.call('failures'),
    await assistant.call('freshness'),
    await assistant.call('tie_out'),
    await assistant.call('tie_out', { connectorId: xeroId, period: '2026-10-01' }),
    await assistant.call('what_changed'),
    await assistant.call('dictionary'),
    await sql('SELECT * FROM ledger.account'),
    await sql('SELECT * FROM shop.mixed'),
  ].map((result) => textOf(result) + JSON.stringify(result.data ?? {}))
  for (const text of all) {
    expect(text).not.toContain('secret')
    expect(text).not.toContain('balance')
    expect(text).not.toContain('4711')
  }
  expect(all.join('\n')).toContain('closed to assistants')
  expect(all.at(-2)).toContain('permission denied')
  expect(JSON.stringify((await assistant.call('status')).data)).toContain('Ledger')
  await switchSource(app, 'xero', true)
  expect(textOf(await sql('SELECT * FROM ledger.account'))).toContain('4711')
  expect(textOf(await assistant.call('failures'))).toContain(secretText)
  await switchSource(app, 'xero', false)
  expect(textOf(await sql('SELECT * FROM ledger.account'))).toContain('permission denied')
})

test('[SEE-13] a wrong table, argument or tool is answered with what is wrong and what to do', async () => {
  const table = await sql('SELECT * FROM shop.invoices')
  expect([table.isError, textOf(table)]).toEqual([
    true,
    expect.stringMatching(/relation "shop\.invoices" does not exist.* At character 15 .*dictionary lists/su),
  ])
  const input = await assistant.call('query', { statement: 'SELECT 1' })
  expect([input.isError, textOf(input)]).toEqual([
    true,
    expect.stringMatching(/sql: .*Unrecognized key.*input schema/su),
  ])
  const connector = await assistant.call('status', { connectorId: '00000000-0000-4000-8000-000000000000' })
  expect([connector.isError, textOf(connector)]).toEqual([true, expect.stringContaining('There is nothing here')])
  const tool = await assistant.call('drop_table')
  expect([tool.isError, textOf(tool)]).toEqual([true, expect.stringContaining('List the tools again')])
})

test('[SEE-13] each call of a tool is in the audit log with person, token and tool, and without rows or statements', async () => {
  await sql(`SELECT 'a row of data'`)
  await sql('SELECT * FROM nothing')
  const query = { orgId: app.harbour.id, action: 'assistants.tool_called' }
  const { body } = await app.as.admin.call(auditLog.list, { query })
  expect(body.slice(0, 2).map(({ ActorId, Outcome, Detail }) => ({ ActorId, Outcome, Detail }))).toEqual([
    { ActorId: app.idOf('admin'), Outcome: 'refused', Detail: { tool: 'query' } },
    { ActorId: app.idOf('admin'), Outcome: 'success', Detail: { tool: 'query' } },
  ])
  expect(JSON.stringify(body)).not.toContain('a row of data')
  expect(app.logLines.join('\n')).not.toContain('a row of data')
})

test('[SEE-13] if the rows of one connector cannot be read, the others are listed, with the reason for the missing part', async () => {
  const withStatus = await Assistant.connect(
    app,
    await storeToken(app, { userId: app.idOf('admin'), scopes: ['status.read'] }),
  )
  const { isError, data } = await withStatus.call('tie_out', { period: '2026-10-01' })
  expect(isError).toBe(false)
  const results = data['results'] as unknown as readonly { readonly problem: string }[]
  expect(results.map(({ problem }) => problem).toSorted()).toEqual([
    expect.stringContaining('needs the scope data.read'),
    expect.stringContaining('closed to assistants'),
  ])
  expect(results).toContainEqual(expect.objectContaining({ state: 'amber', lines: [] }))
  await withStatus[Symbol.asyncDispose]()
})
