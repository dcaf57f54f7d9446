/** Who reads published views, by every way to the warehouse. */
import { data } from '@tributary/contract/data'
import { warehouse } from '@tributary/contract/warehouse'
import { switchAssistants, switchSource } from '@tributary/testing/server/access/assistant-fixture.ts'
import {
  applyChanges,
  createLoginFor,
  runAs,
  selectAs,
  selectAsAssistant,
  writerOf,
} from '@tributary/testing/server/access/warehouse-login.ts'
import { publicationRig, type PublicationRig } from '@tributary/testing/server/connectors/publication-rig.ts'
import { LoadClient, planForLoads } from '@tributary/testing/server/excel/load-sheets.ts'
import { getFeed } from '@tributary/testing/server/access/odata-feed.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

/** The published views of customers. */
const ofShop = 'customer'
let ofStock: string
let rig: PublicationRig
beforeAll(async () => {
  rig = await publicationRig()
  const { app } = rig
  await rig.save()
  await rig.runOnce(rig.shop)
  await rig.runOnce(rig.stock)
  await rig.untilSet(({ State }) => State === 'current')
  ofStock = (await rig.viewNames()).find((name) => name.startsWith('customer_')) ?? ''
  const plan = await planForLoads(app)
  await new LoadClient(app.as.admin).load({ versionId: plan.versionId }, { columns: ['Amount'], rows: [['1']] })
  await assign('user', rig.shop)
  await switchAssistants(app, true)
  await switchSource(app, 'postgres', true)
  await applyChanges(app)
})
afterAll(() => rig[Symbol.asyncDispose]())

function assign(person: 'user' | 'guest', connectorId: string): Promise<unknown> {
  const { app } = rig
  return app.store.within(app.harbour.id, (db) =>
    db
      .insertInto('connectorUser')
      .values({ organisationId: app.harbour.id, connectorId, userId: app.idOf(person) })
      .execute(),
  )
}

const cities = (view: string) => `SELECT city FROM published.${view} ORDER BY id`
const rows = [['Leeds'], ['York']]
const denied = /permission denied/

test('[TRUST-12] a person reads the published views of the connectors whose tables they read, and no others, by SQL and by their assistant', async () => {
  const { app } = rig
  for (const [person, isAdministrator] of [
    ['admin', true],
    ['user', false],
  ] as const) {
    const login = await createLoginFor(app, app.idOf(person))
    for (const read of [
      async (text: string) => (await runAs(login, text)).map(Object.values),
      (text: string) => selectAs(app, app.idOf(person), text),
      (text: string) => selectAsAssistant(app, app.idOf(person), text),
    ]) {
      expect(await read(cities(ofShop))).toEqual(rows)
      if (isAdministrator) expect(await read(cities(ofStock))).toEqual(rows)
      else await expect(read(cities(ofStock))).rejects.toThrow(denied)
    }
  }
  await expect(selectAs(app, app.idOf('guest'), cities(ofShop))).rejects.toThrow(/./u)
})

test('[TRUST-12] the explorer, its exports and the feed offer a person the same views', async () => {
  const { app } = rig
  const at = (table: string) => ({ clientId: app.harbour.id, schema: 'published', table })
  for (const [as, views] of [
    ['admin', [ofShop, ofStock]],
    ['user', [ofShop]],
  ] as const) {
    const { body } = await app.as[as].call(data.tables, { params: { clientId: app.harbour.id } })
    const listed = body
      .flatMap(({ Tables }) => Tables)
      .filter(({ Schema, Name }) => Schema === 'published' && Name.startsWith('customer'))
    expect(listed.map(({ Name }) => Name)).toEqual(views)
    for (const view of [ofShop, ofStock]) {
      const mayRead = (views as readonly string[]).includes(view)
      const status = mayRead ? 200 : 404
      expect((await app.as[as].call(data.rows, { params: at(view) })).status).toBe(status)
      expect((await app.as[as].call(data.csv, { params: at(view) })).status).toBe(status)
      expect((await getFeed(app, `/published_${view}`, { as })).status).toBe(status)
    }
  }
  const foreign = { ...at(ofShop), clientId: app.summit.id }
  expect((await app.as.otherAdmin.call(data.rows, { params: at(ofShop) })).status).toBe(404)
  expect((await app.as.otherAdmin.call(data.rows, { params: foreign })).status).toBe(404)
})

test('[TRUST-12] the shared reader reads published views, and the connection details name their schema', async () => {
  const { app } = rig
  expect(await rig.cities()).toEqual(['Leeds', 'York'])
  const { body } = await app.as.admin.call(warehouse.read, { params: { clientId: app.harbour.id } })
  expect(body.Schemas).toContain('published')
})

test('[TRUST-12] a person who reads some rows of a table does not read a published view of it', async () => {
  const { app } = rig
  const amounts = 'SELECT "Amount"::int FROM excel."B2SBudget2026"'
  expect(await selectAs(app, app.idOf('user'), amounts)).toEqual([[1]])
  await runAs(await writerOf(app), `CREATE VIEW published.budget AS ${amounts}`)
  await applyChanges(app)
  await expect(selectAs(app, app.idOf('user'), 'SELECT * FROM published.budget')).rejects.toThrow(denied)
  expect(await selectAs(app, app.idOf('admin'), 'SELECT * FROM published.budget')).toEqual([[1]])
})

test('[TRUST-12] a view of the connector’s tables together with those of publications says nothing more', async () => {
  const { app } = rig
  await runAs(await writerOf(app), 'CREATE VIEW published.numbers AS SELECT * FROM published.tributary_publication')
  await applyChanges(app)
  await expect(selectAs(app, app.idOf('user'), 'SELECT * FROM published.numbers')).rejects.toThrow(denied)
})
