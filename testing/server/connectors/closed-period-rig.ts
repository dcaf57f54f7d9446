/** A connector whose closed periods a test sets, and whose runs find what the test says. */
import { closedPeriods } from '@tributary/contract/closed-periods'
import { runs } from '@tributary/contract/runs'
import type { ClosedPeriodChange, ClosedPeriodExamination } from '@tributary/engine/ports/closed-periods'
import { claimRun } from '../../../server/src/features/runs/claiming/claim-run.ts'
import { readClosedPeriods } from '../../../server/src/features/runs/execution/closed-periods.ts'
import { finaliseRun } from '../../../server/src/features/runs/execution/finalise-run.ts'
import type { TestClient } from '../app/client.ts'
import { testApp, type TestApp } from '../app/test-app.ts'
import { addProduct } from './add-product.ts'

export const on = { isOn: true, administratorDate: null, table: null }

export interface FoundChanges {
  readonly changes?: readonly ClosedPeriodChange[]
  readonly upTo?: string
  readonly lock?: string | null
  /** The run ends without its examination. */
  readonly isLost?: boolean
  /** Called while the run is under way. */
  readonly meanwhile?: () => Promise<unknown>
}

export class ClosedPeriodRig {
  readonly app: TestApp
  connectorId = ''
  /** The name of the connector. */
  name = ''
  #made = 0

  constructor(app: TestApp) {
    this.app = app
  }

  static async open(): Promise<ClosedPeriodRig> {
    return new ClosedPeriodRig(await testApp())
  }

  /** Adds a connector, which replaces the one before. */
  async begin(type = 'xero'): Promise<void> {
    const { app } = this
    this.name = `Company ${(this.#made += 1)} of ${type}`
    this.connectorId = await addProduct(app, { companyName: this.name, type, users: [app.idOf('user')] })
  }

  get params() {
    return { clientId: this.app.harbour.id, connectorId: this.connectorId }
  }

  async read(as: TestClient = this.app.as.admin) {
    return (await as.call(closedPeriods.read, { params: this.params })).body
  }

  save(body: object, as: TestClient = this.app.as.admin) {
    return as.call(closedPeriods.save, { params: this.params, body: { ...on, ...body } })
  }

  async list(query = {}, as: TestClient = this.app.as.admin) {
    return (await as.call(closedPeriods.changes, { params: this.params, query })).body
  }

  acknowledge(changes: readonly string[], reason = 'Agreed with the auditor', as: TestClient = this.app.as.admin) {
    return as.call(closedPeriods.acknowledge, { params: this.params, body: { changes, reason } })
  }

  /** Ends a run whose examination found these changes. Returns what it was asked to examine. */
  async run({ changes = [], upTo = cutOff(1), lock = '2026-06-30', isLost = false, meanwhile }: FoundChanges = {}) {
    const { app, params } = this
    const location = { organisationId: params.clientId, connectorId: params.connectorId }
    const started = await app.as.admin.call(runs.process, { params, body: {} })
    const claim = await app.store.across((db) => claimRun(db, started.body.RunId, 'a worker of this test'))
    if (claim === undefined) throw new Error('The run could not be taken.')
    const request = await app.store.within(app.harbour.id, (db) => readClosedPeriods(db, location))
    if (request === undefined) throw new Error('Closed periods are off.')
    await meanwhile?.()
    const { version, administratorDate, examinedUpTo: from, closedThrough } = request
    const lockDates = { period: lock, yearEnd: '2025-12-31' }
    const found: ClosedPeriodExamination = {
      version,
      administratorDate,
      from,
      upTo,
      closedThrough,
      lockDates,
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

  async [Symbol.asyncDispose](): Promise<void> {
    await this.app[Symbol.asyncDispose]()
  }
}

export const cutOff = (number: number): string => `2026-11-0${number}T08:00:00.000001Z`

export function change(number: number, given: Partial<ClosedPeriodChange> = {}): ClosedPeriodChange {
  const sales = { accountId: 'a200', code: '200', name: 'Sales' }
  return {
    change: 'changed',
    kind: 'Invoice',
    id: `id-${number}`,
    before: stateOf(number, '2026-06-05', '-100.00'),
    after: stateOf(number, '2026-07-05', '-112345678901234.50'),
    moved: [{ ...sales, before: '-100.00', after: '-112345678901234.50', moved: '-112345678901134.50' }],
    changedAt: '2026-07-02T10:00:00.000Z',
    address: 'https://go.xero.com/invoice',
    ...given,
  }
}

export function stateOf(number: number, date: string, amount: string) {
  const postings = [{ accountId: 'a200', code: '200', name: 'Sales', amount }]
  return { dates: [date], number: `INV-${number}`, contact: 'Quay Ltd', postings }
}
