import { connectors } from '@tributary/contract/connectors'
import { planningStructure } from '@tributary/contract/planning-structure'
import { search, type SearchHit } from '@tributary/contract/search'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { statusIds } from '@tributary/testing/server/app/fixed-ids.ts'
import type { TestClient } from '@tributary/testing/server/app/client.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { structureCalls } from '@tributary/testing/server/excel/create-structure.ts'
import { addPerson } from '@tributary/testing/server/identity/add-person.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app[Symbol.asyncDispose]())

interface NewConnector {
  readonly name: string
  readonly organisationId?: string
  readonly streams?: readonly string[]
  /** Of its runs, the oldest first. */
  readonly runs?: readonly ('COMPLETED' | 'FAILED' | 'RUNNING')[]
  readonly status?: 'CONNECTED' | 'DELETED'
  readonly assignedTo?: string
}

async function addConnector({ name, streams = [], runs = [], status = 'CONNECTED', ...of }: NewConnector) {
  const { organisationId = app.harbour.id, assignedTo } = of
  return app.store.within(organisationId, async (db) => {
    const key = name.toLowerCase().replaceAll(' ', '-')
    const { id } = await db
      .insertInto('connector')
      .values({ organisationId, key, type: 'postgres', name, originalName: name, status })
      .returning('id')
      .executeTakeFirstOrThrow()
    const common = { organisationId, connectorId: id }
    for (const stream of streams)
      await db
        .insertInto('connectorStream')
        .values({ ...common, name: stream, tableName: `t_${stream}`, licence: 'base', reads: 'since' })
        .execute()
    const ids: string[] = []
    for (const [index, run] of runs.entries()) {
      const queuedAt = new Date(Date.UTC(2026, 10, 1 + index))
      const values = { mode: 'full', trigger: 'schedule', status: run, queuedAt } as const
      const row = await db
        .insertInto('run')
        .values({ ...common, ...values })
        .returning('id')
        .executeTakeFirstOrThrow()
      ids.push(row.id)
    }
    if (assignedTo !== undefined)
      await db
        .insertInto('connectorUser')
        .values({ ...common, userId: assignedTo })
        .execute()
    return { id, runIds: ids }
  })
}

async function find(client: TestClient, text: string): Promise<readonly SearchHit[]> {
  const { status, body } = await client.call(search.find, { query: { search: text } })
  expect(status).toBe(200)
  return body
}

const named = (hits: readonly SearchHit[]) => hits.map(({ Kind, Name }) => `${Kind} ${Name}`)

let shop: { readonly id: string; readonly runIds: readonly string[] }
beforeEach(async () => {
  await app.store.within(app.harbour.id, async (db) => {
    for (const table of ['connectorUser', 'connectorShare', 'connectorStream', 'run', 'connector'] as const)
      await db.deleteFrom(table).where('organisationId', '=', app.harbour.id).execute()
  })
  shop = await addConnector({
    name: 'Web shop',
    streams: ['orders', 'order_lines', 'customers'],
    runs: ['COMPLETED', 'FAILED', 'COMPLETED'],
    assignedTo: app.idOf('user'),
  })
})

test('[UX-SHELL-6] a search finds connectors, tables, runs, planning records, groups and people by name', async () => {
  const make = structureCalls(app)
  await make.area('Webster quay')
  await make.subarea('Webbing')
  const version = await make.version('Web 2027')
  await make.milestone('March', version)
  await make.helperTable('Web rates')
  await make.entity('Web Ltd')
  await make.group('Web planners')
  const hits = await find(app.as.admin, 'web')
  expect(named(hits).toSorted()).toEqual([
    'area Webster quay',
    'connector Web shop',
    'entity Web Ltd',
    'group Web planners',
    'helperTable Web rates',
    'run Web shop',
    'subarea Webbing',
    'version Web 2027',
  ])
  expect(hits[0]).toEqual({
    Kind: 'connector',
    Id: shop.id,
    Name: 'Web shop',
    Detail: null,
    Connector: { Id: shop.id, Type: 'postgres' },
    Run: null,
  })
  expect(await find(app.as.admin, 'order line')).toEqual([
    {
      Kind: 'table',
      Id: 'order_lines',
      Name: 'order_lines',
      Detail: 'Web shop',
      Connector: { Id: shop.id, Type: 'postgres' },
      Run: null,
    },
  ])
  expect(await find(app.as.admin, 'ulla berg')).toMatchObject([
    { Kind: 'person', Name: 'Ulla Berg', Detail: 'user@demo.example', Connector: null },
  ])
  expect(named(await find(app.as.admin, 'user@demo'))).toEqual(['person Ulla Berg'])
})

test('[UX-SHELL-6] the name itself comes first, then names and words that begin with the term; words may be in any order', async () => {
  await addConnector({ name: 'The other shop of the web' })
  await addConnector({ name: 'Shop' })
  await addConnector({ name: 'Shopping list' })
  await addConnector({ name: 'Workshop' })
  const of = async (text: string) => {
    const hits = await find(app.as.admin, text)
    return hits.filter(({ Kind }) => Kind === 'connector').map(({ Name }) => Name)
  }
  expect(await of('shop')).toEqual(['Shop', 'Shopping list', 'Web shop', 'The other shop of the web', 'Workshop'])
  expect(await of('SHOP web')).toEqual(['Web shop', 'The other shop of the web'])
  expect(await of('100% of it')).toEqual([])
  expect(await of('   ')).toEqual([])
})

test('[UX-SHELL-6] a table is found by its connector and its own name, not by the connector alone', async () => {
  await addConnector({ name: 'Old shop', streams: ['orders'] })
  const tables = async (text: string) => {
    const hits = await find(app.as.admin, text)
    return hits.filter(({ Kind }) => Kind === 'table').map(({ Name, Detail }) => `${Detail}: ${Name}`)
  }
  expect(await tables('old orders')).toEqual(['Old shop: orders'])
  expect(await tables('orders')).toEqual(['Old shop: orders', 'Web shop: orders'])
  expect(await tables('old')).toEqual([])
})

test('[UX-SHELL-6] runs are found by connector, by status and by the beginning of their id, the latest first', async () => {
  await addConnector({ name: 'Branch stock', runs: ['FAILED', 'RUNNING'] })
  const runs = async (text: string) => {
    const hits = await find(app.as.admin, text)
    return hits.filter(({ Kind }) => Kind === 'run').map(({ Name, Run }) => `${Name} ${Run?.Status}`)
  }
  expect(await runs('web shop')).toEqual(['Web shop COMPLETED'])
  expect(await runs('runs web')).toEqual(['Web shop COMPLETED', 'Web shop FAILED', 'Web shop COMPLETED'])
  expect(await runs('failed')).toEqual(['Web shop FAILED', 'Branch stock FAILED'])
  expect(await runs('running run')).toEqual(['Branch stock RUNNING'])
  const [first = ''] = shop.runIds
  for (const text of [first, first.toUpperCase(), first.slice(0, 13), first.replaceAll('-', '')])
    expect((await find(app.as.admin, text)).map(({ Kind, Id }) => [Kind, Id])).toEqual([['run', first]])
  expect(await runs(first.slice(0, 7))).toEqual([])
})

test('[UX-SHELL-6] of each kind the best matches are returned, in a bounded number', async () => {
  for (let index = 1; index <= 8; index += 1)
    await addConnector({ name: `Depot ${index}`, streams: [`depot_${index}`, `depot_${index}b`], runs: ['COMPLETED'] })
  const hits = await find(app.as.admin, 'depot')
  const counts = Object.groupBy(hits, ({ Kind }) => Kind)
  expect([counts.connector?.length, counts.table?.length, counts.run?.length]).toEqual([6, 6, 6])
})

test('[UX-SHELL-7] deleted connectors and archived records are not found', async () => {
  await addConnector({ name: 'Gone shop', streams: ['gone_orders'], runs: ['FAILED'], status: 'DELETED' })
  const areaId = await structureCalls(app).area('Gone quay')
  await app.as.admin.call(planningStructure.changeArea, {
    params: { areaId },
    body: { statusId: statusIds.archived },
  })
  expect(await find(app.as.admin, 'gone')).toEqual([])
})

test('[UX-SHELL-7] users and guests find what is assigned to them; a guest no planning records and no addresses', async () => {
  const make = structureCalls(app)
  await make.area('Orders quay')
  await make.group('Order planners')
  await addConnector({ name: 'Hidden orders', streams: ['orders'], runs: ['FAILED'] })
  expect(named(await find(app.as.user, 'order'))).toEqual([
    'table orders',
    'table order_lines',
    'area Orders quay',
    'group Order planners',
  ])
  expect(named(await find(app.as.user, 'failed'))).toEqual(['run Web shop'])
  expect(await find(app.as.guest, 'order')).toEqual([])
  expect(await find(app.as.guest, 'failed')).toEqual([])
  expect(await find(app.as.guest, 'ulla')).toMatchObject([{ Kind: 'person', Name: 'Ulla Berg', Detail: null }])
  expect(await find(app.as.guest, 'demo.example')).toEqual([])
  for (const role of ['superadmin', 'provideradmin', 'admin'] as const)
    expect(named(await find(app.as[role], 'hidden'))).toEqual(['connector Hidden orders', 'run Hidden orders'])
})

test('[UX-SHELL-7] another organisation finds nothing of ours, also by its ids, except a connector that we share', async () => {
  const [runId = ''] = shop.runIds
  for (const text of ['web shop', 'orders', 'failed', runId, 'ulla'])
    expect(await find(app.as.otherAdmin, text)).toEqual([])
  const query = { search: 'shop', orgId: app.harbour.id }
  expect((await app.as.otherAdmin.call(search.find, { query })).status).toBe(404)

  await app.as.superadmin.call(connectors.assignOrganisations, {
    params: { connectorId: shop.id },
    body: { organisations: [app.summit.id] },
  })
  expect(named(await find(app.as.otherAdmin, 'web shop'))).toEqual(['connector Web shop', 'run Web shop'])
  expect(named(await find(app.as.otherAdmin, 'customers'))).toEqual(['table customers'])
  expect(await find(app.as.otherAdmin, 'ulla')).toEqual([])
  const { client } = await addPerson(app, { [app.summit.id]: 'user' })
  expect(await find(client, 'web shop')).toEqual([])
})

test('[UX-SHELL-7] a search without a session is refused, and so is a term that is too long', async () => {
  expect((await app.as.visitor.call(search.find, { query: { search: 'shop' } })).status).toBe(401)
  expect((await app.as.admin.call(search.find, { query: { search: 'x'.repeat(201) } })).status).toBe(400)
})
