import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findAuditEvents } from '@tributary/testing/server/app/audit-log.ts'
import { change, ClosedPeriodRig, cutOff } from '@tributary/testing/server/connectors/closed-period-rig.ts'
import { watchConnectors } from '../alerts/open-and-close-incidents.ts'

let rig: ClosedPeriodRig
beforeAll(async () => {
  rig = await ClosedPeriodRig.open()
})
afterAll(() => rig[Symbol.asyncDispose]())
beforeEach(() => rig.begin())

describe('closed periods of a connector', () => {
  test('[TRUST-10] are off until an administrator switches them on, and the audit log says who did', async () => {
    expect(await rig.read()).toMatchObject({
      IsOn: false,
      HasLedger: true,
      ReportsLockDates: true,
      ClosedThrough: null,
    })
    expect((await rig.save({ administratorDate: '2026-05-31' })).body).toMatchObject({
      IsOn: true,
      AdministratorDate: '2026-05-31',
      ClosedThrough: '2026-05-31',
      ClosedBy: 'administrator',
      ExaminedUpToUtc: null,
    })
    expect(await findAuditEvents(rig.app.store, 'connector.closed_periods_set')).toMatchObject([
      { detail: { isOn: true, date: '2026-05-31' } },
    ])
  })

  test('[TRUST-10] are closed up to the latest of the lock dates and the date of the administrator', async () => {
    await rig.save({ administratorDate: '2026-05-31' })
    await rig.run()
    expect(await rig.read()).toMatchObject({
      PeriodLockDate: '2026-06-30',
      YearEndLockDate: '2025-12-31',
      ClosedThrough: '2026-06-30',
      ClosedBy: 'source',
      Dates: [{ From: null, To: '2026-06-30' }],
    })
    await rig.run({ lock: '2026-04-30', upTo: cutOff(2) })
    expect(await rig.read()).toMatchObject({
      ClosedThrough: '2026-05-31',
      ClosedBy: 'administrator',
      Dates: [
        { From: '2026-06-30', To: '2026-05-31' },
        { From: null, To: '2026-06-30' },
      ],
    })
  })

  test('[TRUST-10] need a table with a date column where the source has no ledger, and no table where it has one', async () => {
    const table = { stream: 'invoice', dateColumn: 'day', numberColumn: null, accountColumn: null, amountColumn: null }
    expect(await rig.save({ table })).toMatchObject({ status: 400, body: { fields: { table: expect.any(String) } } })
    await rig.begin('postgres')
    expect(await rig.save({})).toMatchObject({ status: 400, body: { fields: { table: expect.any(String) } } })
    expect((await rig.save({ table })).body).toMatchObject({
      HasLedger: false,
      Table: { Stream: 'invoice', DateColumn: 'day' },
    })
  })
})

describe('an examination', () => {
  test('[TRUST-10] begins where the last one ended, and a run that does not end moves nothing', async () => {
    await rig.save({})
    expect((await rig.run()).request).toMatchObject({ examinedUpTo: null, closedThrough: null })
    await rig.run({ changes: [change(1)], isLost: true })
    expect((await rig.list()).Changes).toEqual([])
    const { request } = await rig.run({ changes: [change(1)], upTo: cutOff(3) })
    expect(request).toMatchObject({ examinedUpTo: cutOff(1), closedThrough: '2026-06-30' })
    expect((await rig.list()).Changes).toHaveLength(1)
    expect(await rig.read()).toMatchObject({
      ExaminedUpToUtc: '2026-11-03T08:00:00.000Z',
      SinceUtc: '2026-11-01T08:00:00.000Z',
    })
  })

  test('[TRUST-10] is not stored if the settings changed while the run was under way, so the next run repeats it', async () => {
    await rig.save({})
    await rig.run()
    await rig.run({
      changes: [change(1)],
      upTo: cutOff(2),
      meanwhile: () => rig.save({ administratorDate: '2026-08-31' }),
    })
    expect((await rig.list()).Changes).toEqual([])
    expect(await rig.read()).toMatchObject({ ExaminedUpToUtc: '2026-11-01T08:00:00.000Z' })
  })

  test('[TRUST-10] begins again after closed periods were off', async () => {
    await rig.save({})
    await rig.run()
    await rig.save({ isOn: false })
    await rig.save({})
    expect((await rig.run()).request).toMatchObject({ examinedUpTo: null, closedThrough: null })
  })
})

describe('an incident', () => {
  test('[TRUST-10] is opened once for each run, with the list, and closed when all its changes are acknowledged', async () => {
    await rig.save({})
    await rig.run()
    await rig.run({ changes: [change(1), change(2, { change: 'voided', after: null, moved: [] })], upTo: cutOff(2) })
    await watchConnectors(rig.app.services)
    await watchConnectors(rig.app.services)
    await rig.run({ changes: [change(3)], upTo: cutOff(3) })
    await watchConnectors(rig.app.services)
    const mails = (await rig.app.emailsTo('admin@demo.example')).filter(({ subject }) => subject.includes(rig.name))
    expect(mails.map(({ subject }) => subject)).toEqual(
      Array.from({ length: 2 }, () => `A closed period of ${rig.name} has changed`),
    )
    const text = mails
      .map(({ paragraphs }) => paragraphs.join('\n'))
      .toSorted()
      .join('\n')
    expect(text).toContain('2 documents have changed in a period that is closed up to 2026-06-30.')
    expect(text).toContain('Invoice INV-1 was changed: 200 Sales -112345678901134.50.')
    expect(text).toContain('Invoice INV-2 was voided: no amount moved.')
    expect(text).toContain('One document has changed in a period that is closed up to 2026-06-30.')
    const of = (number: string) => rig.list({ document: number })
    await rig.acknowledge([(await of('INV-1')).Changes[0]?.Id ?? ''])
    await watchConnectors(rig.app.services)
    expect(await openIncidents()).toBe(2)
    await rig.acknowledge([(await of('INV-2')).Changes[0]?.Id ?? ''])
    await watchConnectors(rig.app.services)
    await watchConnectors(rig.app.services)
    expect(await openIncidents()).toBe(1)
    await rig.acknowledge([(await of('INV-3')).Changes[0]?.Id ?? ''])
    await watchConnectors(rig.app.services)
    expect(await openIncidents()).toBe(0)
  })
})

async function openIncidents(): Promise<number> {
  const rows = await rig.app.store.within(rig.app.harbour.id, (db) =>
    db
      .selectFrom('incident')
      .select('id')
      .where('connectorId', '=', rig.connectorId)
      .where('kind', '=', 'closedPeriod')
      .where('closedAt', 'is', null)
      .execute(),
  )
  return rows.length
}
