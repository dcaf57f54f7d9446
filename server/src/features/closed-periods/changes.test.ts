import { closedPeriods } from '@tributary/contract/closed-periods'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findAuditEvents } from '@tributary/testing/server/app/audit-log.ts'
import { addProduct } from '@tributary/testing/server/connectors/add-product.ts'
import { change, ClosedPeriodRig, cutOff, on, stateOf } from '@tributary/testing/server/connectors/closed-period-rig.ts'

let rig: ClosedPeriodRig
beforeAll(async () => {
  rig = await ClosedPeriodRig.open()
})
afterAll(() => rig[Symbol.asyncDispose]())
beforeEach(() => rig.begin())

describe('the list of changes', () => {
  beforeEach(async () => {
    await rig.save({})
    await rig.run()
  })

  test('[TRUST-10] shows before, after and the amount moved by account, exactly, when it was changed and when we saw it', async () => {
    const { runId } = await rig.run({ changes: [change(1)], upTo: cutOff(2) })
    expect(await rig.list()).toEqual({
      Changes: [
        {
          Id: expect.any(String),
          RunId: runId,
          Change: 'changed',
          Kind: 'Invoice',
          DocumentId: 'id-1',
          Number: 'INV-1',
          Before: {
            Dates: ['2026-06-05'],
            Number: 'INV-1',
            Contact: 'Quay Ltd',
            Postings: [{ AccountId: 'a200', Code: '200', Name: 'Sales', Amount: '-100.00' }],
          },
          After: {
            Dates: ['2026-07-05'],
            Number: 'INV-1',
            Contact: 'Quay Ltd',
            Postings: [{ AccountId: 'a200', Code: '200', Name: 'Sales', Amount: '-112345678901234.50' }],
          },
          Moved: [
            {
              AccountId: 'a200',
              Code: '200',
              Name: 'Sales',
              Before: '-100.00',
              After: '-112345678901234.50',
              Moved: '-112345678901134.50',
            },
          ],
          ClosedThrough: '2026-06-30',
          ChangedAtUtc: '2026-07-02T10:00:00.000Z',
          SeenAtUtc: expect.any(String),
          Address: 'https://go.xero.com/invoice',
          AcknowledgedAtUtc: null,
          AcknowledgedBy: null,
          Reason: null,
        },
      ],
      Total: 1,
      Periods: ['2026-06-01'],
    })
  })

  test('[TRUST-10] is filtered by period, state and document', async () => {
    const gone = change(2, { change: 'deleted', kind: 'Bill', after: null, address: null })
    const added = change(3, { change: 'added', before: null, after: stateOf(3, '2026-05-09', '-1.00') })
    await rig.run({ changes: [change(1), gone, added], upTo: cutOff(2) })
    const numbers = async (query: object) => (await rig.list(query)).Changes.map(({ Number }) => Number)
    expect(await numbers({ period: '2026-06-01' })).toEqual(['INV-2', 'INV-1'])
    expect(await numbers({ period: '2026-05-01' })).toEqual(['INV-3'])
    expect(await numbers({ document: 'inv-2' })).toEqual(['INV-2'])
    expect(await numbers({ document: 'BILL' })).toEqual(['INV-2'])
    expect(await numbers({ document: '%' })).toEqual([])
    const [first] = (await rig.list({ document: 'INV-2' })).Changes
    await rig.acknowledge([first?.Id ?? ''])
    expect(await numbers({ state: 'acknowledged' })).toEqual(['INV-2'])
    expect(await numbers({ state: 'open' })).toEqual(['INV-1', 'INV-3'])
    expect(await rig.read()).toMatchObject({ Open: 2 })
    expect(await rig.list()).toMatchObject({ Total: 3, Periods: ['2026-06-01', '2026-05-01'] })
  })

  test('[TRUST-10] keeps who acknowledged a change, when and why; a second reason does not replace the first', async () => {
    await rig.run({ changes: [change(1), change(2)], upTo: cutOff(2) })
    const ids = (await rig.list()).Changes.map(({ Id }) => Id)
    expect((await rig.acknowledge(ids.slice(0, 1))).body).toEqual({ Acknowledged: 1 })
    expect((await rig.acknowledge(ids, 'Another reason')).body).toEqual({ Acknowledged: 1 })
    expect((await rig.list()).Changes.map(({ AcknowledgedBy, Reason }) => [AcknowledgedBy, Reason]).toSorted()).toEqual(
      [
        ['Amara Okafor', 'Agreed with the auditor'],
        ['Amara Okafor', 'Another reason'],
      ],
    )
    expect((await findAuditEvents(rig.app.store, 'connector.closed_period_acknowledged')).slice(-2)).toMatchObject([
      { detail: { changes: 1, reason: 'Agreed with the auditor' } },
      { detail: { changes: 1, reason: 'Another reason' } },
    ])
    expect(await rig.acknowledge(ids, '  ')).toMatchObject({
      status: 400,
      body: { fields: { reason: expect.any(String) } },
    })
  })

  test('[TRUST-10] is readable by members who see the connector; only administrators set it and acknowledge', async () => {
    await rig.run({ changes: [change(1)], upTo: cutOff(2) })
    const [{ Id } = { Id: '' }] = (await rig.list({}, rig.app.as.user)).Changes
    expect(await rig.read(rig.app.as.user)).toMatchObject({ IsOn: true, Open: 1 })
    expect((await rig.acknowledge([Id], 'x', rig.app.as.user)).status).toBe(403)
    expect((await rig.save({}, rig.app.as.user)).status).toBe(403)
    expect((await rig.app.as.guest.call(closedPeriods.changes, { params: rig.params, query: {} })).status).toBe(404)
  })

  test('[TRUST-10] is not visible to another organisation, and its changes cannot be acknowledged there', async () => {
    await rig.run({ changes: [change(1)], upTo: cutOff(2) })
    const [{ Id } = { Id: '' }] = (await rig.list()).Changes
    const other = rig.app.as.otherAdmin
    for (const clientId of [rig.app.harbour.id, rig.app.summit.id]) {
      const foreign = { params: { clientId, connectorId: rig.connectorId } }
      expect((await other.call(closedPeriods.read, foreign)).status).toBe(404)
      expect((await other.call(closedPeriods.changes, { ...foreign, query: {} })).status).toBe(404)
      expect((await other.call(closedPeriods.save, { ...foreign, body: on })).status).toBe(404)
      const body = { changes: [Id], reason: 'x' }
      expect((await other.call(closedPeriods.acknowledge, { ...foreign, body })).status).toBe(404)
    }
    const own = await addProduct(rig.app, { companyName: 'Of Summit', organisationId: rig.app.summit.id })
    const theirs = { clientId: rig.app.summit.id, connectorId: own }
    expect(
      (await other.call(closedPeriods.acknowledge, { params: theirs, body: { changes: [Id], reason: 'x' } })).status,
    ).toBe(404)
    expect((await rig.list()).Changes).toMatchObject([{ AcknowledgedAtUtc: null }])
  })
})
