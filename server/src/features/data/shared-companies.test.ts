/** Several companies in one set of tables, through everything that reads the warehouse: what each person gets of them. */
import { authorisations } from '@tributary/contract/authorisations'
import { connectors } from '@tributary/contract/connectors'
import { data } from '@tributary/contract/data'
import { dictionary } from '@tributary/contract/dictionary'
import { assistantOf } from '@tributary/testing/server/access/assistant.ts'
import { switchAssistants, switchSource } from '@tributary/testing/server/access/assistant-fixture.ts'
import { getFeed } from '@tributary/testing/server/access/odata-feed.ts'
import { listTables, runQuery } from '@tributary/testing/server/access/query-calls.ts'
import { applyChanges } from '@tributary/testing/server/access/warehouse-login.ts'
import { SignInRig } from '@tributary/testing/server/connectors/sign-in-rig.ts'
import { openXeroApp, type XeroApp } from '@tributary/testing/server/connectors/xero-app.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

const names = ['Harbour Trading', 'Harbour Trading Australia', 'Summit Foods']
let rig: SignInRig<XeroApp>
let world: XeroApp
let connectorId: string
let schema: string
let ids: readonly string[]
beforeAll(async () => {
  rig = await SignInRig.open(await openXeroApp())
  ;({ world } = rig)
  ids = [0, 1, 2].map((index) => world.tenant(index))
  const { searchParams } = await world.authorise(await world.browserOf(), { tenantIds: ids })
  const params = { clientId: rig.clientId, authorisationId: searchParams.get('authorisation') ?? '' }
  const chosen = await admin().call(authorisations.choose, { params, body: { tenantIds: [...ids], tables: 'shared' } })
  connectorId = chosen.body.ConnectorIds[0] ?? ''
  const run = await rig.lastRun(connectorId, 1, 200_000)
  if (run?.Status !== 'COMPLETED') throw new Error(`The first run: ${run?.Notice}`)
  const { body } = await admin().call(connectors.read, { params: { clientId: rig.clientId, connectorId } })
  schema = body.Key.replaceAll('-', '_')
  await applyChanges(world.app)
}, 300_000)
afterAll(() => rig[Symbol.asyncDispose]())

const admin = () => world.app.as.admin
const ofOrganisation = () => ({ params: { clientId: rig.clientId } })

test('[SRC-12] the explorer lists the table of companies, and every other table begins with the column of the company', async () => {
  const { body } = await admin().call(data.tables, ofOrganisation())
  const source = body.find(({ ConnectorId }) => ConnectorId === connectorId)
  expect(source?.Name).toBe('Harbour Trading and others')
  const tables = (source?.Tables ?? []).filter(({ Kind }) => Kind === 'table')
  expect(tables.find(({ Name }) => Name === 'company')?.Rows).toBe(3)
  expect(tables.length).toBeGreaterThan(20)
  expect(tables.filter(({ Columns }) => Columns[0]?.Name !== 'company_id').map(({ Name }) => Name)).toEqual([])
  const params = { clientId: rig.clientId, schema, table: 'invoice' }
  const columns = (await admin().call(data.table, { params })).body.Columns.map(({ Name }) => Name)
  const { Rows } = (await admin().call(data.rows, { params })).body
  expect(new Set(Rows.map((row) => row[columns.indexOf('company_id')]))).toEqual(new Set(ids))
})

test('[SRC-12] the dictionary says what the column and the table of companies are, and relates every table to it', async () => {
  const params = { clientId: rig.clientId, connectorId }
  const invoice = (await admin().call(dictionary.read, { params, query: { table: 'invoice' } })).body
  expect(invoice.Columns[0]?.Name).toBe('company_id')
  const all = (await admin().call(dictionary.list, ofOrganisation())).body.filter(
    (table) => table.ConnectorId === connectorId,
  )
  expect(all.find(({ Name }) => Name === 'company')?.Description).toMatch(/^The companies of the connector\./u)
  expect(all.filter(({ Name, Relations }) => Name !== 'company' && Relations.length === 0)).toEqual([])
})

test('[SRC-12] the OData feed, a login of SQL and an assistant give the rows of every company under the same names', async () => {
  const feed = await getFeed(world.app, `/${schema}_company?$select=company_id,name&$orderby=name`)
  expect(feed.body.value).toEqual(names.map((name, index) => ({ company_id: ids[index], name })))
  const statement = `SELECT c.name, count(*) FROM ${schema}.invoice i JOIN ${schema}.company c USING (company_id) GROUP BY 1 ORDER BY 1`
  const queried = (await runQuery(world.app, 'warehouse', statement)).body
  expect([queried.Failure, queried.Rows.map(([name]) => name)]).toEqual([null, names])
  await switchAssistants(world.app, true)
  await switchSource(world.app, 'xero', true)
  await applyChanges(world.app)
  await using assistant = await assistantOf(world.app, { userId: world.app.idOf('admin') })
  const asked = await assistant.call('query', { sql: statement })
  expect([asked.isError, asked.texts.join('\n')]).toEqual([false, expect.stringContaining('Harbour Trading Australia')])
  const described = await assistant.call('dictionary', { search: `${schema} company` })
  expect(described.texts.join('\n')).toContain('The companies of the connector.')
})

test('[SRC-12] a person who may read nothing of the connector gets neither its tables nor the names of its companies', async () => {
  const { app } = world
  const seen = await Promise.all([
    app.as.user.call(data.tables, ofOrganisation()),
    app.as.user.call(dictionary.list, ofOrganisation()),
    listTables(app, 'warehouse', app.as.user),
  ])
  for (const { body } of seen) expect(JSON.stringify(body)).not.toMatch(/Harbour Trading Australia|company_id/u)
  const params = { clientId: rig.clientId, schema, table: 'company' }
  const statuses = await Promise.all([
    app.as.user.call(data.rows, { params }),
    getFeed(app, `/${schema}_company`, { as: 'user' }),
    runQuery(app, 'warehouse', `SELECT name FROM ${schema}.company`, app.as.user),
  ])
  expect(statuses.map(({ status }) => status)).toEqual([403, 403, 403])
  await using assistant = await assistantOf(app, { userId: app.idOf('user') })
  const asked = await assistant.call('query', { sql: `SELECT name FROM ${schema}.company` })
  expect([asked.isError, JSON.stringify(asked.texts)]).toEqual([true, expect.not.stringContaining('Australia')])
})

test('[SRC-12] another organisation gets nothing of it, not even that it exists', async () => {
  const { app } = world
  const { otherAdmin } = app.as
  const params = { clientId: rig.clientId, schema, table: 'company' }
  const statuses = await Promise.all([
    otherAdmin.call(data.tables, ofOrganisation()),
    otherAdmin.call(data.rows, { params }),
    otherAdmin.call(dictionary.list, ofOrganisation()),
    otherAdmin.call(authorisations.ofConnector, { params: { clientId: rig.clientId, connectorId } }),
    runQuery(app, 'warehouse', `SELECT name FROM ${schema}.company`, otherAdmin),
    getFeed(app, `/${schema}_company`, { as: 'otherAdmin' }),
  ])
  expect(statuses.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404])
})
