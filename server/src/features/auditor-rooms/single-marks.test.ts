/** Auditor rooms that cover single marks, with views that real runs have made. */
import { auditorRooms } from '@tributary/contract/auditor-rooms'
import { certificates } from '@tributary/contract/certificates'
import { closedPeriods } from '@tributary/contract/closed-periods'
import { connectors } from '@tributary/contract/connectors'
import { data } from '@tributary/contract/data'
import { history } from '@tributary/contract/history'
import { reportMarks } from '@tributary/contract/report-marks'
import { tieOut } from '@tributary/contract/tie-out'
import { verifications } from '@tributary/contract/verifications'
import { applyChanges } from '@tributary/testing/server/access/warehouse-login.ts'
import type { TestClient } from '@tributary/testing/server/app/client.ts'
import { historyRig, type HistoryRig } from '@tributary/testing/server/connectors/history-rig.ts'
import {
  addAuditor,
  auditorCalls,
  type AuditorFixture,
  roomExtent,
} from '@tributary/testing/server/identity/auditor.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

let rig: HistoryRig
let may: string
let june: string
beforeAll(async () => {
  rig = await historyRig()
  const { params, app } = rig
  await rig.source.query(`ALTER TABLE customer ADD since date; UPDATE customer SET since = '2026-05-01'`)
  await app.as.admin.call(history.save, { params, body: { tables: 'all' } })
  const noColumns = { numberColumn: null, accountColumn: null, amountColumn: null }
  const table = { stream: 'public.customer', dateColumn: 'since', ...noColumns }
  await app.as.admin.call(closedPeriods.save, { params, body: { isOn: true, administratorDate: null, table } })
  await rig.run()
  may = await mark('May 2026', '2026-05-31')
  await rig.source.query(`UPDATE customer SET city = 'Hull' WHERE id = 1`)
  await rig.run()
  june = await mark('June 2026', '2026-06-30')
  await rig.run()
  for (const markId of [may, june]) await app.as.admin.call(reportMarks.certify, { params: { ...params, markId } })
  await app.as.admin.call(verifications.certify, { params })
})
afterAll(() => rig[Symbol.asyncDispose]())

async function mark(name: string, periodEnd: string): Promise<string> {
  const { status, body } = await rig.app.as.admin.call(reportMarks.create, {
    params: rig.params,
    body: { name, periodEnd },
  })
  if (status !== 200) throw new Error(`The mark was answered with ${status}: ${JSON.stringify(body)}`)
  return body.Id
}

const ofClient = () => ({ clientId: rig.app.harbour.id })
const { own, room, end } = auditorCalls(() => rig.app)
const viewsOf = (month: string) => ['customer', 'note'].map((table) => `reported_${month}_2026_${table}`)

/** What the person reads: names of marks, tables and certificates, events, and the cities of a marked view. */
async function read(client: TestClient, view = 'reported_may_2026_customer') {
  await applyChanges(rig.app)
  const marks = await client.call(reportMarks.list, { params: rig.params })
  const tables = await client.call(data.tables, { params: ofClient() })
  const issued = await client.call(certificates.list, { params: ofClient(), query: {} })
  const events = await client.call(auditorRooms.events, { params: ofClient() })
  const rows = await client.call(data.rows, { params: { ...ofClient(), schema: 'shop', table: view } })
  const file = `/api/tributary/clients/${rig.app.harbour.id}/data/tables/shop/${view}/rows.csv`
  return {
    marks: marks.status === 200 ? marks.body.map(({ Name }) => Name) : marks.status,
    tables: tables.status === 200 ? tables.body.flatMap(({ Tables }) => Tables.map(({ Name }) => Name)) : tables.status,
    certificates: issued.status === 200 ? issued.body.map(({ Title }) => Title) : issued.status,
    events: events.status === 200 ? [...new Set(events.body.map(({ Action }) => Action))].toSorted() : events.status,
    rows: rows.status,
    file: (await client.send('GET', file)).status,
  }
}

const everything = (month: 'May' | 'June') => ({
  marks: [`${month} 2026`],
  tables: viewsOf(month.toLowerCase()),
  certificates: [`Marked as reported: ${month} 2026`],
  events: ['certificate.issued', 'connector.marked_reported'],
  rows: 200,
  file: 200,
})

test('[TRUST-14] a room of a single mark shows this mark, its views, certificates and events, and nothing else', async () => {
  const { client, roomId } = await addAuditor(rig.app, { markIds: [may] })
  const covered = { Id: may, Name: 'May 2026', Connector: { Id: rig.connectorId, Name: 'Shop', Type: 'postgres' } }
  expect((await own(client)).body).toMatchObject({
    Connectors: [],
    Marks: [covered],
    Sections: ['marks', 'certificates', 'tables', 'events'],
  })
  expect(await room(roomId)).toMatchObject({ Connectors: [], Marks: [covered] })
  expect(await read(client)).toEqual(everything('May'))
  expect((await client.call(connectors.list, { params: ofClient(), query: {} })).body).toEqual([])
})

test('[TRUST-14] months do not limit a single mark, also next to a whole connector', async () => {
  const months = { periodFrom: '2026-06-01', periodTo: '2026-06-01' }
  const marksOf = async ({ client }: AuditorFixture) =>
    (await client.call(reportMarks.list, { params: rig.params })).body.map(({ Name }) => Name).toSorted()
  const whole = { connectorIds: [rig.connectorId], ...months }
  expect(await marksOf(await addAuditor(rig.app, whole))).toEqual(['June 2026'])
  expect(await marksOf(await addAuditor(rig.app, { ...whole, markIds: [may] }))).toEqual(['June 2026', 'May 2026'])
})

test('[TRUST-14] another mark replaces the first one at once, and after the end nothing opens', async () => {
  const avery = await addAuditor(rig.app, { markIds: [may] })
  expect(await read(avery.client)).toEqual(everything('May'))
  const params = { ...ofClient(), roomId: avery.roomId }
  const body = roomExtent(rig.app, { markIds: [june] })
  expect((await rig.app.as.admin.call(auditorRooms.change, { params, body })).status).toBe(200)
  rig.app.clock.advance(5_001)
  expect(await read(avery.client)).toEqual({ ...everything('June'), rows: 404, file: 404 })
  expect(await read(avery.client, 'reported_june_2026_customer')).toEqual(everything('June'))
  await end(avery.roomId)
  const nothing = { marks: 401, tables: 401, certificates: 401, events: 401, rows: 401, file: 401 }
  expect(await read(avery.client)).toEqual(nothing)
})

test('[TRUST-14] administrators name marks of their own organisation, and at least a mark or a connector', async () => {
  const { app } = rig
  const open = (as: TestClient, extent: object, clientId: string = app.harbour.id) =>
    as.call(auditorRooms.create, {
      params: { clientId },
      body: { firstName: 'A', lastName: 'B', emailAddress: 'ab@auditors.example', ...roomExtent(app, extent) },
    })
  const { user, guest, otherAdmin, visitor, admin } = app.as
  for (const [as, expected] of [
    [user, 403],
    [guest, 403],
    [otherAdmin, 404],
    [visitor, 401],
  ] as const)
    expect((await open(as, { markIds: [may] })).status).toBe(expected)
  for (const [as, extent, field, clientId] of [
    [otherAdmin, { markIds: [may] }, 'markIds', app.summit.id],
    [admin, { markIds: [app.summit.id] }, 'markIds', app.harbour.id],
    [admin, {}, 'connectorIds', app.harbour.id],
  ] as const) {
    const { status, body } = await open(as, extent, clientId)
    expect([status, Object.keys((body as { fields?: object }).fields ?? {})]).toEqual([400, [field]])
  }
  const { client } = await addAuditor(app, { markIds: [may] })
  const foreign = { ...rig.params, clientId: app.summit.id }
  expect((await client.call(reportMarks.list, { params: foreign })).status).toBe(404)
  expect((await otherAdmin.call(reportMarks.list, { params: rig.params })).status).toBe(404)
})

test('[TRUST-14] of the connector of a single mark nothing else is read: no table, no other mark, no history, no verdict', async () => {
  const { client } = await addAuditor(rig.app, { markIds: [may] })
  await applyChanges(rig.app)
  for (const table of ['customer', 'customer__history', 'reported_june_2026_customer', 'tributary_cut_off'])
    expect([
      table,
      (await client.call(data.rows, { params: { ...ofClient(), schema: 'shop', table } })).status,
    ]).toEqual([table, 404])
  const at = { params: rig.params }
  for (const call of [
    client.call(verifications.read, at),
    client.call(verifications.history, { ...at, query: {} }),
    client.call(closedPeriods.changes, { ...at, query: {} }),
    client.call(tieOut.latest, at),
  ])
    expect((await call).status).toBe(404)
  const all = (await rig.app.as.admin.call(certificates.list, { params: ofClient(), query: {} })).body
  expect(all).toHaveLength(3)
  for (const { Id: certificateId, Title } of all) {
    const { status } = await client.call(certificates.read, { params: { ...ofClient(), certificateId } })
    expect([Title, status]).toEqual([Title, Title.endsWith('May 2026') ? 200 : 404])
  }
})
