/** Publications over HTTP, with real runs and a real warehouse. */
import { connectors } from '@tributary/contract/connectors'
import { history } from '@tributary/contract/history'
import { publications } from '@tributary/contract/publications'
import { trust } from '@tributary/contract/trust'
import { findAuditEvents } from '@tributary/testing/server/app/audit-log.ts'
import { runAs, writerOf } from '@tributary/testing/server/access/warehouse-login.ts'
import { publicationRig, type PublicationRig, anyRule } from '@tributary/testing/server/connectors/publication-rig.ts'
import { sourceDatabase } from '@tributary/testing/server/connectors/source-database.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'

let rig: PublicationRig
beforeAll(async () => {
  rig = await publicationRig()
})
afterAll(() => rig[Symbol.asyncDispose]())

const setParams = async () => ({ clientId: rig.app.harbour.id, setId: (await rig.read()).Id })
const list = async (query: { page?: number; pageSize?: number } = {}) =>
  (await rig.app.as.admin.call(publications.history, { params: await setParams(), query })).body
const held = async () => (await rig.read()).Connectors.map(({ Name, HeldBecause }) => [Name, HeldBecause])

test('[TRUST-12] before it is switched on, the page lists the database with its connectors, and no view exists', async () => {
  await rig.runOnce(rig.shop)
  await rig.runOnce(rig.stock)
  expect(await rig.read()).toMatchObject({
    Target: 'Tributary’s own warehouse',
    Schema: 'published',
    State: 'off',
    PublishedAtUtc: null,
    Connectors: [
      { Name: 'Shop', IsInSet: false, MomentUtc: null, HeldBecause: null },
      { Name: 'Stock', IsInSet: false },
    ],
  })
  expect(await rig.viewNames()).toEqual([])
})

test('[TRUST-12] switched on, all tables keep history, and the set waits until each connector has completed a run', async () => {
  const waits = expect.stringContaining('since publishing was switched on')
  expect(await rig.save()).toMatchObject({
    State: 'waiting',
    Rule: { TieOut: 'any', VerifiedWithinDays: null },
    Connectors: [{ HeldBecause: waits }, { HeldBecause: waits }],
  })
  expect(await findAuditEvents(rig.app.store, 'publication_set.saved')).toMatchObject([
    { detail: { connectors: 2, ...anyRule } },
  ])
  await rig.decide()
  expect(await held()).toEqual([
    ['Shop', waits],
    ['Stock', waits],
  ])
  const { Streams } = (await rig.app.as.admin.call(history.read, { params: rig.params })).body
  expect(Streams.map(({ Reasons }) => Reasons)).toEqual([['publications'], ['publications']])
  await rig.runOnce(rig.shop)
  await rig.untilSet(({ Connectors }) => Connectors[0]?.HeldBecause === null)
  expect(await rig.read()).toMatchObject({ State: 'waiting' })
  expect(await rig.viewNames()).toEqual([])
  await rig.runOnce(rig.stock)
  const set = await rig.untilSet(({ State }) => State === 'current')
  expect(set.Connectors).toMatchObject([
    { IsInSet: true, MomentUtc: expect.any(String), RunId: expect.any(String), HeldBecause: null },
    { IsInSet: true, MomentUtc: expect.any(String), RunId: expect.any(String), HeldBecause: null },
  ])
  expect(await rig.viewNames()).toHaveLength(4)
  expect(await rig.cities()).toEqual(['Leeds', 'York'])
})

test('[TRUST-12] it moves forward after a run of any connector, and the list has each publication with its runs', async () => {
  const { clientId, setId } = await setParams()
  const action = { kind: 'dbt', name: 'Nightly models', isOn: true, setId, settings: '{}', secret: 'sealed' } as const
  await rig.app.store.within(clientId, (db) =>
    db
      .insertInto('publicationAction')
      .values({ organisationId: clientId, ...action })
      .execute(),
  )
  await rig.source.query(`UPDATE customer SET city = 'Hull' WHERE id = 1`)
  const runId = await rig.runOnce(rig.shop)
  await rig.untilSet(({ Connectors }) => Connectors[0]?.RunId === runId)
  const followed = await rig.app.store.within(clientId, (db) =>
    db.selectFrom('publicationActionRun').select(['trigger', 'publication']).execute(),
  )
  expect(followed).toMatchObject([{ trigger: 'publication', publication: { SetId: setId, Number: 2 } }])
  expect(await rig.cities()).toEqual(['Hull', 'York'])
  const all = await list()
  expect(all.map(({ Number }) => Number)).toEqual([2, 1])
  expect(all[0]?.Runs).toMatchObject([{ Name: 'Shop', RunId: runId, Tables: 2, TieOut: null }, { Name: 'Stock' }])
  expect(all[1]?.Runs[1]).toEqual(all[0]?.Runs[1])
  expect((await list({ page: 2, pageSize: 1 })).map(({ Number }) => Number)).toEqual([1])
})

test('[TRUST-12] while a connector does not satisfy the rule, all views stay, and the page says since when and why', async () => {
  await usePassword(rig.stock, 'wrong')
  await rig.runOnce(rig.stock)
  const stays = await rig.untilSet(({ State }) => State === 'stays')
  expect(stays.Connectors[1]).toMatchObject({
    HeldBecause: expect.stringMatching(/^Its latest run failed\. ./u),
    HeldSinceUtc: expect.any(String),
  })
  await rig.source.query(`UPDATE customer SET city = 'Ripon' WHERE id = 2`)
  await rig.runOnce(rig.shop)
  await rig.decide()
  expect(await rig.cities()).toEqual(['Hull', 'York'])
  expect((await rig.read()).StaysSinceUtc).toBe(stays.StaysSinceUtc)
  const { body } = await rig.app.as.admin.call(trust.read, { params: { clientId: rig.app.harbour.id } })
  expect(body.Sources.find(({ Name }) => Name === 'Stock')).toMatchObject({
    PublishedMomentUtc: stays.Connectors[1]?.MomentUtc,
    PublicationStaysSinceUtc: stays.StaysSinceUtc,
    PublicationHeldBecause: stays.Connectors[1]?.HeldBecause,
  })
  expect(body.Sources.find(({ Name }) => Name === 'Shop')).toMatchObject({
    PublishedMomentUtc: stays.Connectors[0]?.MomentUtc,
    PublicationStaysSinceUtc: stays.StaysSinceUtc,
    PublicationHeldBecause: null,
  })
  await usePassword(rig.stock)
  await rig.runOnce(rig.stock)
  expect(await rig.untilSet(({ State }) => State === 'current')).toMatchObject({ StaysSinceUtc: null })
  expect(await rig.cities()).toEqual(['Hull', 'Ripon'])
})

test('[TRUST-12] a rule about the tie-out holds for the published run, and one about verification for all tables', async () => {
  const tieOut = (state: 'green' | 'amber' | 'red', runId: string) =>
    rig.app.store.within(rig.app.harbour.id, (db) => {
      const ids = { runId, organisationId: rig.app.harbour.id, connectorId: rig.shop }
      const values = { state, company: 'Harbour', basis: 'journals', accounts: 1, differing: 0 } as const
      return db
        .insertInto('tieOut')
        .values({ ...ids, ...values })
        .onConflict((conflict) => conflict.column('runId').doUpdateSet({ state }))
        .execute()
    })
  const runId = (await rig.read()).Connectors[0]?.RunId ?? ''
  const reasonFor = async (body: object) => {
    await rig.save(body)
    await rig.decide()
    return (await rig.read()).Connectors[0]?.HeldBecause ?? null
  }
  await tieOut('red', runId)
  expect(await reasonFor({ tieOut: 'amber' })).toBe('Its latest run does not agree with the source’s own report.')
  await tieOut('amber', runId)
  expect(await reasonFor({ tieOut: 'green' })).toContain('could not be compared')
  expect(await reasonFor({ tieOut: 'amber' })).toBeNull()
  await tieOut('green', runId)
  expect(await reasonFor({ tieOut: 'green' })).toBeNull()
  const verified = (change: object) =>
    rig.app.store.within(rig.app.harbour.id, (db) =>
      db
        .updateTable('streamVerification')
        .set(change)
        .where('organisationId', '=', rig.app.harbour.id)
        .where('connectorId', '=', rig.shop)
        .where('stream', '=', 'public.customer')
        .execute(),
    )
  expect(await reasonFor({ verifiedWithinDays: 7 })).toBeNull()
  await verified({ provenAt: '2020-01-01' })
  expect(await reasonFor({ verifiedWithinDays: 7 })).toBe(
    '1 of its 2 tables was not verified identical within 7 days. Verify its tables.',
  )
  await verified({ openDifferences: 2 })
  expect(await reasonFor({ verifiedWithinDays: 7 })).toBe('Rows of one table differ from the source.')
  await verified({ openDifferences: 0, provenAt: new Date() })
  expect(await reasonFor({ verifiedWithinDays: 7 })).toBeNull()
})

test('[TRUST-12] a connector that leaves takes its views with the next publication, and a deleted one, too', async () => {
  await rig.save({ connectors: [rig.shop] })
  await rig.untilSet(({ Connectors }) => Connectors[1]?.MomentUtc === null)
  expect(await rig.viewNames()).toEqual(['customer', 'note'])
  const { Streams } = (await rig.app.as.admin.call(history.read, { params: { ...rig.params, connectorId: rig.stock } }))
    .body
  expect(Streams.flatMap(({ Reasons }) => Reasons)).toEqual([])
  await rig.save()
  await rig.runOnce(rig.stock)
  await rig.untilSet(({ Connectors }) => Connectors[1]?.MomentUtc !== null)
  expect(await rig.viewNames()).toHaveLength(4)
  const elsewhere = { ...(await sourceDatabase('SELECT 1')).settings, connector: 'postgres' }
  const properties = [
    { name: 'target.connectionString', value: elsewhere },
    { name: 'target.schema', value: 'stock' },
  ]
  const params = { ...rig.params, connectorId: rig.stock }
  expect((await rig.app.as.admin.call(connectors.change, { params, body: { properties } })).status).toBe(200)
  await rig.runOnce(rig.stock)
  const { Connectors } = await rig.untilSet(({ State }) => State === 'stays')
  expect(Connectors[1]?.HeldBecause).toContain('It loads another database now: source_')
  await rig.app.as.admin.call(connectors.remove, { params })
  await rig.decide()
  expect(await rig.viewNames()).toEqual(['customer', 'note'])
})

test('[TRUST-12] a new table and a new column appear with the publication that has them', async () => {
  await rig.source.query(`ALTER TABLE customer ADD COLUMN country text; UPDATE customer SET country = 'GB';
    CREATE TABLE visit (id int PRIMARY KEY); INSERT INTO visit VALUES (1)`)
  const runId = await rig.runOnce(rig.shop)
  await rig.untilSet(({ Connectors }) => Connectors[0]?.RunId === runId)
  expect(await rig.viewNames()).toEqual(['customer', 'note', 'visit'])
  const rows = await rig.driver.inWarehouse('SELECT DISTINCT country FROM published.customer')
  expect(rows).toEqual([{ country: 'GB' }])
})

test('[TRUST-12] retention keeps the row versions that the publication shows', async () => {
  const retention = { 'public.customer': 1 }
  await rig.app.as.admin.call(history.save, { params: rig.params, body: { tables: 'none', retention } })
  const published = await rig.cities()
  // No run of the connector is compared with a report any more, so the publication stays.
  await rig.save({ connectors: [rig.shop], tieOut: 'green' })
  await rig.source.query(`UPDATE customer SET city = 'Bath'`)
  await rig.runOnce(rig.shop)
  await moveBack()
  await rig.source.query(`UPDATE customer SET city = 'Ely'`)
  await rig.runOnce(rig.shop)
  expect(await rig.cities()).toEqual(published)
  const versions = await rig.driver.inWarehouse(
    "SELECT 1 FROM shop.customer__history WHERE valid_to < now() - interval '1 day'",
  )
  expect(versions).toHaveLength(published.length)
  await rig.save({ connectors: [rig.shop] })
  await rig.untilSet(({ State }) => State === 'current')
  expect(await rig.cities()).toEqual(['Ely', 'Ely'])
})

/** Everything that has happened to the customers, two days earlier. */
async function moveBack(): Promise<void> {
  const earlier = (column: string) => `${column} = ${column} - interval '2 days'`
  await runAs(
    await writerOf(rig.app),
    `UPDATE shop.customer__history SET ${earlier('valid_from')}, ${earlier('valid_to')};
     UPDATE shop.tributary_history SET since = '2020-01-01T00:00:00.000000Z' WHERE table_name = 'customer';
     UPDATE published.tributary_publication_run SET ${earlier('moment')}`,
  )
  await rig.app.store.across((db) =>
    sql`UPDATE publicationRun SET moment = to_char((moment::timestamptz - interval '2 days') AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`.execute(
      db,
    ),
  )
}

async function usePassword(connectorId: string, password?: string): Promise<void> {
  const value = { ...rig.source.settings, ...(password !== undefined && { password }) }
  const { status } = await rig.app.as.admin.call(connectors.change, {
    params: { ...rig.params, connectorId },
    body: { properties: [{ name: 'source.connectionString', value }] },
  })
  expect(status).toBe(200)
}

test('[TRUST-12] switched off, the views go, and the history that was kept stays', async () => {
  const params = await setParams()
  expect((await rig.app.as.admin.call(publications.switchOff, { params })).body).toMatchObject({ State: 'ending' })
  await rig.untilSet(({ State }) => State === 'off')
  expect(await rig.viewNames()).toEqual([])
  expect((await rig.driver.inWarehouse('SELECT 1 FROM shop.customer__history')).length).toBeGreaterThan(2)
  const [last] = await list()
  expect(last).toMatchObject({ Runs: [], Notice: null })
  expect(await findAuditEvents(rig.app.store, 'publication_set.switched_off')).toMatchObject([
    { objectId: params.setId },
  ])
  await rig.save({ connectors: [rig.shop] })
  await rig.runOnce(rig.shop)
  await rig.untilSet(({ State }) => State === 'current')
  expect(await rig.viewNames()).toEqual(['customer', 'note', 'visit'])
})

test('[TRUST-12] only administrators of the organisation see and set it, and only with connectors that load the database', async () => {
  const { app } = rig
  const params = await setParams()
  const body = { connectors: [rig.shop], ...anyRule }
  for (const as of ['user', 'guest', 'otherAdmin', 'visitor'] as const) {
    const expected = as === 'visitor' ? 401 : as === 'otherAdmin' ? 404 : 403
    const caller = app.as[as]
    expect((await caller.call(publications.list, { params: { clientId: app.harbour.id } })).status).toBe(expected)
    expect((await caller.call(publications.save, { params, body })).status).toBe(expected)
    expect((await caller.call(publications.switchOff, { params })).status).toBe(expected)
    expect((await caller.call(publications.history, { params })).status).toBe(expected)
  }
  const foreign = { clientId: app.summit.id, setId: params.setId }
  expect((await app.as.otherAdmin.call(publications.save, { params: foreign, body })).status).toBe(404)
  expect((await app.as.otherAdmin.call(publications.switchOff, { params: foreign })).status).toBe(404)
  expect((await app.as.otherAdmin.call(publications.history, { params: foreign })).status).toBe(404)
  const wrong = await app.as.admin.call(publications.save, { params, body: { ...body, connectors: [params.setId] } })
  expect([wrong.status, JSON.stringify(wrong.body)]).toEqual([400, expect.stringContaining('does not load')])
})
