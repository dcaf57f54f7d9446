/** Connectors with measured runs, wishes relative to the present time, and what the worker does about them. */
import type { TestClient } from '../app/client.ts'
import { readyBy } from '@tributary/contract/ready-by'
import { runs } from '@tributary/contract/runs'
import { sql } from 'kysely'
import { keepReadyBy } from '../../../server/src/features/ready-by/keep-ready-by.ts'
import {
  completedRun,
  type ConnectorWithRuns,
  insertConnectorWithRuns,
  type NewRun,
} from '../connectors/connector-with-runs.ts'
import { testApp, type TestApp } from '../app/test-app.ts'

const minuteMs = 60_000
const everyDay = [1, 2, 3, 4, 5, 6, 7]

export class ReadyByRig {
  readonly app: TestApp
  #count = 0

  constructor(app: TestApp) {
    this.app = app
  }

  static async open(): Promise<ReadyByRig> {
    return new ReadyByRig(await testApp({ env: { TRIBUTARY_LIMITS: 'off' } }))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.app[Symbol.asyncDispose]()
  }

  /** A connector whose runs took a minute each, ten days ago and before. */
  async addConnector({ runs: own, change }: Partial<ConnectorWithRuns> = {}): Promise<string> {
    const former = Array.from({ length: 5 }, (_, at) => completedRun(this.app, (15 - at) * 24 * 60 * minuteMs))
    const name = `Punctual ${(this.#count += 1)}`
    const options = { name, runs: own ?? former, ...(change && { change }) }
    return await insertConnectorWithRuns(this.app, this.app.harbour.id, options)
  }

  params(connectorId: string) {
    return { clientId: this.app.harbour.id, connectorId }
  }

  /** A wish whose next time is in so many minutes, on the clock of London. */
  wishIn(minutes: number, maxAgeHours = 4) {
    const at = new Date(Date.now() + minutes * minuteMs)
    const time = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/London', timeStyle: 'short' }).format(at)
    return { time, days: everyDay, maxAgeHours }
  }

  async wish(connectorId: string, minutes: number, maxAgeHours = 4): Promise<void> {
    const body = { follows: 'own' as const, wish: this.wishIn(minutes, maxAgeHours) }
    await this.app.as.admin.call(readyBy.save, { params: this.params(connectorId), body })
    await this.keep()
  }

  /** One poll of the worker. */
  async keep(): Promise<void> {
    await keepReadyBy(this.app.services)
  }

  async read(connectorId: string, as: TestClient = this.app.as.admin) {
    return (await as.call(readyBy.read, { params: this.params(connectorId) })).body
  }

  async runsOf(connectorId: string) {
    const all = (await this.app.as.admin.call(runs.list, { params: this.params(connectorId), query: {} })).body
    return all.filter(({ QueuedAtUtc }) => Date.parse(QueuedAtUtc) > Date.now() - 12 * 60 * minuteMs)
  }

  async addRun(connectorId: string, run: NewRun): Promise<void> {
    const organisationId = this.app.harbour.id
    await this.app.store.within(organisationId, (db) =>
      db
        .insertInto('run')
        .values({ organisationId, connectorId, mode: 'incremental', trigger: 'schedule', ...run })
        .execute(),
    )
  }

  async changeRun(connectorId: string, change: object): Promise<void> {
    if (Object.keys(change).length === 0) return
    await this.app.store.within(this.app.harbour.id, (db) =>
      db
        .updateTable('run')
        .set(change)
        .where('connectorId', '=', connectorId)
        .where('status', 'in', ['QUEUED', 'RUNNING', 'WAITING'])
        .execute(),
    )
  }

  async change(connectorId: string, change: object): Promise<void> {
    await this.app.store.within(this.app.harbour.id, (db) =>
      db.updateTable('connector').set(change).where('id', '=', connectorId).execute(),
    )
  }

  /** Moves all times of the plan into the past, as if they had passed. */
  async pass(connectorId: string, minutes: number): Promise<void> {
    await this.app.store.within(this.app.harbour.id, (db) =>
      sql`UPDATE readyByPlan SET dueAt = dueAt - make_interval(mins => ${minutes}), earliestAt = earliestAt - make_interval(mins => ${minutes}),
        startAt = startAt - make_interval(mins => ${minutes}), endAt = endAt - make_interval(mins => ${minutes}),
        startedAt = startedAt - make_interval(mins => ${minutes}), createdAt = createdAt - make_interval(mins => ${minutes})
        WHERE connectorId = ${connectorId}`.execute(db),
    )
  }
}
