import { closedPeriods } from '@tributary/contract/closed-periods'
import { runs } from '@tributary/contract/runs'
import type { ClosedPeriodChange, ClosedPeriodExamination } from '@tributary/engine/ports/closed-periods'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findAuditEvents } from '@tributary/testing/server/app/audit-log.ts'
import { addProduct } from '@tributary/testing/server/connectors/add-product.ts'
import type { TestClient } from '@tributary/testing/server/app/client.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { claimRun } from '../runs/execution/claim-run.ts'
import { readClosedPeriods } from '../runs/execution/closed-periods.ts'
import { finaliseRun } from '../runs/execution/finalise-run.ts'
import { watchConnectors } from '../alerts/open-and-close-incidents.ts'

let app: TestApp
let connectorId: string
let made = 0
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app[Symbol.asyncDispose]())
beforeEach(async () => {
  connectorId = await addProduct(app, { companyName: `Company ${(made += 1)}`, users: [app.idOf('user')] })
})

const params = () => ({ clientId: app.harbour.id, connectorId })
const location = () => ({ organisationId: app.harbour.id, connectorId })
const on = { isOn: true, administratorDate: null, table: null }

const read = async (as: TestClient = app.as.admin) => (await as.call(closedPeriods.read, { params: params() })).body
const save = (body: object, as: TestClient = app.as.admin) =>
  as.call(closedPeriods.save, { params: params(), body: { ...on, ...body } })
const list = async (query = {}, as: TestClient = app.as.admin) =>
  (await as.call(closedPeriods.changes, { params: params(), query })).body
const acknowledge = (changes: readonly string[], reason = 'Agreed with the auditor', as: TestClient = app.as.admin) =>
  as.call(closedPeriods.acknowledge, { params: params(), body: { changes, reason } })

function change(number: number, given: Partial<ClosedPeriodChange> = {}): ClosedPeriodChange {
  const sales = { accountId: 'a200', code: '200', name: 'Sales' }
  const state = { number: `INV-${number}`, contact: 'Quay Ltd', postings: [{ ...sales, amount: '-100.00' }] }
  return {
    change: 'changed',
    kind: 'Invoice',
    id: `id-${number}`,
    before: { ...state, dates: ['2026-06-05'] },
    after: { ...state, dates: ['2026-07-05'], postings: [{ ...sales, amount: '-112345678901234.50' }] },
    moved: [{ ...sales, before: '-100.00', after: '-112345678901234.50', moved: '-112345678901134.50' }],
    changedAt: '2026-07-02T10:00:00.000Z',
    address: 'https://go.xero.com/invoice',
    ...given,
  }
}

const cutOff = (number: number): string => `2026-11-0${number}T08:00:00.000001Z`

interface RunOptions {
  readonly changes?: readonly ClosedPeriodChange[]
  readonly upTo?: string
  readonly lock?: string | null
  readonly isLost?: boolean
}

/** Ends a run whose examination found these changes. Returns what it was asked to examine. */
async function run({ changes = [], upTo = cutOff(1), lock = '2026-06-30', isLost = false }: RunOptions = {}) {
  const started = await app.as.admin.call(runs.process, { params: params(), body: {} })
  const claim = await app.store.across((db) => claimRun(db, started.body.RunId, 'a worker of this test'))
  if (claim === undefined) throw new Error('The run could not be taken.')
  const request = await app.store.within(app.harbour.id, (db) => readClosedPeriods(db, location()))
  if (request === undefined) throw new Error('Closed periods are off.')
  const { version, administratorDate, examinedUpTo: from, closedThrough } = request
  const found: ClosedPeriodExamination = {
    version,
    administratorDate,
    from,
    upTo,
    closedThrough,
    lockDates: { period: lock, yearEnd: '2025-12-31' },
    changes,
    notice: null,
  }
  await finaliseRun(app.services, claim, {
    ending: isLost ? { kind: 'cancelled' } : { kind: 'completed', written: 0, deleted: 0 },
    streams: [],
    tieOut: null,
    closedPeriods: isLost ? null : found,
    withinMs: 0,
  })
  return { runId: claim.runId, request }
}

describe('closed periods of a connector', () => {
  test('[TRUST-10] are off until an administrator switches them on, and the audit log says who did', async () => {
    expect(await read()).toMatchObject({ IsOn: false, HasLedger: true, ReportsLockDates: true, ClosedThrough: null })
    expect((await save({ administratorDate: '2026-05-31' })).body).toMatchObject({
      IsOn: true,
      AdministratorDate: '2026-05-31',
      ClosedThrough: '2026-05-31',
      ClosedBy: 'administrator',
      ExaminedUpToUtc: null,
    })
    expect(await findAuditEvents(app.store, 'connector.closed_periods_set')).toMatchObject([
      { detail: { isOn: true, date: '2026-05-31' } },
    ])
  })

  test('[TRUST-10] are closed up to the latest of the lock dates and the date of the administrator', async () => {
    await save({ administratorDate: '2026-05-31' })
    await run()
    expect(await read()).toMatchObject({
      PeriodLockDate: '2026-06-30',
      YearEndLockDate: '2025-12-31',
      ClosedThrough: '2026-06-30',
      ClosedBy: 'source',
      Dates: [{ From: null, To: '2026-06-30' }],
    })
    await run({ lock: '2026-04-30', upTo: cutOff(2) })
    expect(await read()).toMatchObject({
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
    expect(await save({ table })).toMatchObject({ status: 400, body: { fields: { table: expect.any(String) } } })
    connectorId = await addProduct(app, { companyName: 'A shop', type: 'postgres' })
    expect(await save({})).toMatchObject({ status: 400, body: { fields: { table: expect.any(String) } } })
    expect((await save({ table })).body).toMatchObject({ HasLedger: false, Table: { Stream: 'invoice', DateColumn: 'day' } })
  })
})

describe('an examination', () => {
  test('[TRUST-10] begins where the last one ended, and a run that does not end moves nothing', async () => {
    await save({})
    expect((await run()).request).toMatchObject({ examinedUpTo: null, closedThrough: null })
    await run({ changes: [change(1)], isLost: true })
    expect((await list()).Changes).toEqual([])
    const { request } = await run({ changes: [change(1)], upTo: cutOff(3) })
    expect(request).toMatchObject({ examinedUpTo: cutOff(1), closedThrough: '2026-06-30' })
    expect((await list()).Changes).toHaveLength(1)
    expect(await read()).toMatchObject({ ExaminedUpToUtc: '2026-11-03T08:00:00.000Z', SinceUtc: '2026-11-01T08:00:00.000Z' })
  })

  test('[TRUST-10] is not stored if the settings changed while the run was under way, so the next run repeats it', async () => {
    await save({})
    await run()
    const started = await app.as.admin.call(runs.process, { params: params(), body: {} })
    const claim = await app.store.across((db) => claimRun(db, started.body.RunId, 'a worker of this test'))
    const request = await app.store.within(app.harbour.id, (db) => readClosedPeriods(db, location()))
    if (claim === undefined || request === undefined) throw new Error('The run could not be taken.')
    await save({ administratorDate: '2026-08-31' })
    const { version, administratorDate, closedThrough } = request
    const closed = { version, administratorDate, closedThrough, from: cutOff(1), upTo: cutOff(2), lockDates: null, notice: null }
    await finaliseRun(app.services, claim, {
      ending: { kind: 'completed', written: 0, deleted: 0 },
      streams: [],
      tieOut: null,
      closedPeriods: { ...closed, changes: [change(1)] },
      withinMs: 0,
    })
    expect((await list()).Changes).toEqual([])
    expect(await read()).toMatchObject({ ExaminedUpToUtc: '2026-11-01T08:00:00.000Z' })
  })

  test('[TRUST-10] begins again after closed periods were off', async () => {
    await save({})
    await run()
    await save({ isOn: false })
    await save({})
    expect((await run()).request).toMatchObject({ examinedUpTo: null, closedThrough: null })
  })
})

describe('the list of changes', () => {
  beforeEach(async () => {
    await save({})
    await run()
  })

  test('[TRUST-10] shows before, after and the amount moved by account, exactly, when it was changed and when we saw it', async () => {
    const { runId } = await run({ changes: [change(1)], upTo: cutOff(2) })
    expect(await list()).toEqual({
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
    const added = change(3, { change: 'added', before: null, after: { ...change(3).after!, dates: ['2026-05-09'] } })
    await run({ changes: [change(1), gone, added], upTo: cutOff(2) })
    const numbers = async (query: object) => (await list(query)).Changes.map(({ Number }) => Number)
    expect(await numbers({ period: '2026-06-01' })).toEqual(['INV-2', 'INV-1'])
    expect(await numbers({ period: '2026-05-01' })).toEqual(['INV-3'])
    expect(await numbers({ document: 'inv-2' })).toEqual(['INV-2'])
    expect(await numbers({ document: 'BILL' })).toEqual(['INV-2'])
    expect(await numbers({ document: '%' })).toEqual([])
    const [first] = (await list({ document: 'INV-2' })).Changes
    await acknowledge([first?.Id ?? ''])
    expect(await numbers({ state: 'acknowledged' })).toEqual(['INV-2'])
    expect(await numbers({ state: 'open' })).toEqual(['INV-1', 'INV-3'])
    expect(await read()).toMatchObject({ Open: 2 })
    expect(await list()).toMatchObject({ Total: 3, Periods: ['2026-06-01', '2026-05-01'] })
  })

  test('[TRUST-10] keeps who acknowledged a change, when and why; a second reason does not replace the first', async () => {
    await run({ changes: [change(1), change(2)], upTo: cutOff(2) })
    const ids = (await list()).Changes.map(({ Id }) => Id)
    expect((await acknowledge(ids.slice(0, 1))).body).toEqual({ Acknowledged: 1 })
    expect((await acknowledge(ids, 'Another reason')).body).toEqual({ Acknowledged: 1 })
    expect((await list()).Changes.map(({ AcknowledgedBy, Reason }) => [AcknowledgedBy, Reason]).toSorted()).toEqual([
      ['Amara Okafor', 'Agreed with the auditor'],
      ['Amara Okafor', 'Another reason'],
    ])
    expect((await findAuditEvents(app.store, 'connector.closed_period_acknowledged')).slice(-2)).toMatchObject([
      { detail: { changes: 1, reason: 'Agreed with the auditor' } },
      { detail: { changes: 1, reason: 'Another reason' } },
    ])
    expect(await acknowledge(ids, '  ')).toMatchObject({ status: 400, body: { fields: { reason: expect.any(String) } } })
  })

  test('[TRUST-10] is readable by members who see the connector; only administrators set it and acknowledge', async () => {
    await run({ changes: [change(1)], upTo: cutOff(2) })
    const [{ Id } = { Id: '' }] = (await list({}, app.as.user)).Changes
    expect(await read(app.as.user)).toMatchObject({ IsOn: true, Open: 1 })
    expect((await acknowledge([Id], 'x', app.as.user)).status).toBe(403)
    expect((await save({}, app.as.user)).status).toBe(403)
    expect((await app.as.guest.call(closedPeriods.changes, { params: params(), query: {} })).status).toBe(404)
  })

  test('[TRUST-10] is not visible to another organisation, and its changes cannot be acknowledged there', async () => {
    await run({ changes: [change(1)], upTo: cutOff(2) })
    const [{ Id } = { Id: '' }] = (await list()).Changes
    const other = app.as.otherAdmin
    for (const clientId of [app.harbour.id, app.summit.id]) {
      const foreign = { params: { clientId, connectorId } }
      expect((await other.call(closedPeriods.read, foreign)).status).toBe(404)
      expect((await other.call(closedPeriods.changes, { ...foreign, query: {} })).status).toBe(404)
      expect((await other.call(closedPeriods.save, { ...foreign, body: on })).status).toBe(404)
      const body = { changes: [Id], reason: 'x' }
      expect((await other.call(closedPeriods.acknowledge, { ...foreign, body })).status).toBe(404)
    }
    const own = await addProduct(app, { companyName: 'Of Summit', organisationId: app.summit.id })
    const theirs = { clientId: app.summit.id, connectorId: own }
    expect(
      (await other.call(closedPeriods.acknowledge, { params: theirs, body: { changes: [Id], reason: 'x' } })).status,
    ).toBe(404)
    expect((await list()).Changes).toMatchObject([{ AcknowledgedAtUtc: null }])
  })
})

describe('an incident', () => {
  test('[TRUST-10] is opened once for each run, with the list, and closed when all its changes are acknowledged', async () => {
    await save({})
    await run()
    await run({ changes: [change(1), change(2, { change: 'voided', after: null, moved: [] })], upTo: cutOff(2) })
    await watchConnectors(app.services)
    await watchConnectors(app.services)
    await run({ changes: [change(3)], upTo: cutOff(3) })
    await watchConnectors(app.services)
    const mails = (await app.emailsTo('admin@demo.example')).filter(({ subject }) => subject.includes(`Company ${made}`))
    expect(mails.map(({ subject }) => subject)).toEqual(
      Array.from({ length: 2 }, () => `A closed period of Company ${made} has changed`),
    )
    const text = mails.map(({ paragraphs }) => paragraphs.join('\n')).toSorted().join('\n')
    expect(text).toContain('2 documents have changed in a period that is closed up to 2026-06-30.')
    expect(text).toContain('Invoice INV-1 was changed: 200 Sales -112345678901134.50.')
    expect(text).toContain('Invoice INV-2 was voided: no amount moved.')
    expect(text).toContain('One document has changed in a period that is closed up to 2026-06-30.')
    const of = (number: string) => list({ document: number })
    await acknowledge([(await of('INV-1')).Changes[0]?.Id ?? ''])
    await watchConnectors(app.services)
    expect(await openIncidents()).toBe(2)
    await acknowledge([(await of('INV-2')).Changes[0]?.Id ?? ''])
    await watchConnectors(app.services)
    await watchConnectors(app.services)
    expect(await openIncidents()).toBe(1)
    await acknowledge([(await of('INV-3')).Changes[0]?.Id ?? ''])
    await watchConnectors(app.services)
    expect(await openIncidents()).toBe(0)
  })
})

async function openIncidents(): Promise<number> {
  const rows = await app.store.within(app.harbour.id, (db) =>
    db
      .selectFrom('incident')
      .select('id')
      .where('connectorId', '=', connectorId)
      .where('kind', '=', 'closedPeriod')
      .where('closedAt', 'is', null)
      .execute(),
  )
  return rows.length
}
