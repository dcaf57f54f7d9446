import { reportMarks } from '@tributary/contract/report-marks'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { findAuditEvents } from '@tributary/testing/server/app/audit-log.ts'
import type { TestClient } from '@tributary/testing/server/app/client.ts'
import { change, ClosedPeriodRig, cutOff } from '@tributary/testing/server/connectors/closed-period-rig.ts'

let rig: ClosedPeriodRig
beforeAll(async () => {
  rig = await ClosedPeriodRig.open()
})
afterAll(() => rig[Symbol.asyncDispose]())
beforeEach(() => rig.begin())

const june = { name: 'June 2026, board pack', periodEnd: '2026-06-30' }
const create = (body: object = june, as: TestClient = rig.app.as.admin) =>
  as.call(reportMarks.create, { params: rig.params, body: { ...june, ...body } })
const list = async (as: TestClient = rig.app.as.admin) => (await as.call(reportMarks.list, { params: rig.params })).body
const supersede = (markId: string, reason: string, as: TestClient = rig.app.as.admin) =>
  as.call(reportMarks.supersede, { params: { ...rig.params, markId }, body: { reason } })

test('[TRUST-9] a mark has a name, the moment of the last examined run, who made it and the last reported day', async () => {
  await rig.save({})
  const { runId } = await rig.run()
  expect((await create()).body).toEqual({
    Id: expect.any(String),
    Name: 'June 2026, board pack',
    PeriodEnd: '2026-06-30',
    MomentUtc: '2026-11-01T08:00:00.000Z',
    RunId: runId,
    CreatedBy: 'Amara Okafor',
    CreatedAtUtc: expect.any(String),
    Views: [],
    Notice: null,
    SupersededAtUtc: null,
    SupersededBy: null,
    Reason: null,
    Holds: [],
    Erasures: [],
  })
  expect(await findAuditEvents(rig.app.store, 'connector.marked_reported')).toMatchObject([{ detail: june }])
})

test('[TRUST-9] nothing is marked before a run was examined, and no two marks have the same views', async () => {
  expect(await create()).toMatchObject({
    status: 400,
    body: { fields: { name: expect.stringContaining('switch closed periods on') } },
  })
  await rig.save({})
  await rig.run()
  await create()
  expect(await create({ name: 'june 2026 board pack' })).toMatchObject({
    status: 400,
    body: { fields: { name: expect.stringContaining('another name') } },
  })
})

test('[TRUST-9] a mark cannot be changed, not even in the store; it is superseded with a reason, and stays listed', async () => {
  await rig.save({})
  await rig.run()
  const { Id } = (await create()).body
  const change = rig.app.store.across((db) =>
    sql`UPDATE report_mark SET moment = '2027-01-01T00:00:00.000000Z' WHERE id = ${Id}`.execute(db),
  )
  await expect(change).rejects.toThrow('A mark does not change')
  expect((await supersede(Id, 'A late invoice')).body).toMatchObject({
    SupersededBy: 'Amara Okafor',
    Reason: 'A late invoice',
  })
  expect((await supersede(Id, 'Another reason')).status).toBe(400)
  expect(await list()).toMatchObject([{ Id, Name: 'June 2026, board pack', Reason: 'A late invoice' }])
  expect(await findAuditEvents(rig.app.store, 'connector.mark_superseded')).toMatchObject([
    { detail: { name: june.name, reason: 'A late invoice' } },
  ])
})

test('[TRUST-9] [TRUST-10] a reported period counts as closed up to its end from the run that was reported, until it is superseded', async () => {
  await rig.save({})
  await rig.run({ lock: '2026-03-31' })
  const { Id } = (await create()).body
  expect(await rig.read()).toMatchObject({ ClosedThrough: '2026-06-30', ClosedBy: 'mark' })
  expect((await rig.run({ lock: '2026-03-31', upTo: cutOff(2) })).request.closedThrough).toBe('2026-06-30')
  await supersede(Id, 'A late invoice')
  expect((await rig.run({ lock: '2026-03-31', upTo: cutOff(3) })).request.closedThrough).toBe('2026-03-31')
})

test('[TRUST-9] [TRUST-10] without any lock date, documents of a reported period are examined from the run after the mark', async () => {
  await rig.save({})
  await rig.run({ lock: null })
  await create({ periodEnd: '2026-05-31' })
  const { request } = await rig.run({ lock: null, upTo: cutOff(2), changes: [change(1)] })
  expect(request.closedThrough).toBe('2026-05-31')
  expect(await rig.read()).toMatchObject({ PeriodLockDate: null, ClosedBy: 'mark', Open: 1 })
})

test('[TRUST-9] members who see the connector read marks; only administrators of its organisation make and supersede them', async () => {
  await rig.save({})
  await rig.run()
  const { Id } = (await create()).body
  expect(await list(rig.app.as.user)).toHaveLength(1)
  expect((await create({ name: 'Mine' }, rig.app.as.user)).status).toBe(403)
  expect((await supersede(Id, 'x', rig.app.as.user)).status).toBe(403)
  const other = rig.app.as.otherAdmin
  for (const clientId of [rig.app.harbour.id, rig.app.summit.id]) {
    const params = { clientId, connectorId: rig.connectorId }
    expect((await other.call(reportMarks.list, { params })).status).toBe(404)
    expect((await other.call(reportMarks.create, { params, body: june })).status).toBe(404)
    const body = { reason: 'x' }
    expect((await other.call(reportMarks.supersede, { params: { ...params, markId: Id }, body })).status).toBe(404)
  }
})
