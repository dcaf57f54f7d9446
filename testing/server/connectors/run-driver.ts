/** Adds connectors, starts runs and polls them with the same calls as the portal. */
import { connectors } from '@tributary/contract/connectors'
import { runs, type RunDetail } from '@tributary/contract/runs'
import { warehouse } from '@tributary/contract/warehouse'
import { Client } from 'pg'
import { systemClock } from '../../../server/src/kernel/clock.ts'
import type { TestReply, TestClient } from '../app/client.ts'
import type { SourceDatabase } from './source-database.ts'

export interface ConnectorSetting {
  readonly name: string
  readonly value: unknown
}

export interface TestRun {
  readonly connectorId: string
  readonly runId: string
}

const ended = new Set(['COMPLETED', 'FAILED', 'CANCELLED'])

export class RunDriver {
  readonly #as: TestClient
  readonly #clientId: string
  readonly #source: SourceDatabase

  constructor(as: TestClient, clientId: string, source: SourceDatabase) {
    this.#as = as
    this.#clientId = clientId
    this.#source = source
  }

  /**
   * Adds a connector of the source and returns its id.
   * @param change source settings that replace the defaults
   */
  async add(
    name: string,
    change: Readonly<Record<string, unknown>> = {},
    more: readonly ConnectorSetting[] = [],
  ): Promise<string> {
    const properties = [{ name: 'source.connectionString', value: { ...this.#source.settings, ...change } }, ...more]
    const reply = await this.#as.call(connectors.create, {
      params: { clientId: this.#clientId },
      body: { type: 'postgres', name, properties },
    })
    return expectStatus(reply, 201).Id
  }

  process(connectorId: string, body: object = {}) {
    return this.#as.call(runs.process, { params: { clientId: this.#clientId, connectorId }, body })
  }

  async start(connectorId: string, body: object = {}): Promise<TestRun> {
    return { connectorId, runId: expectStatus(await this.process(connectorId, body), 202).RunId }
  }

  async read({ connectorId, runId }: TestRun): Promise<RunDetail> {
    return expectStatus(
      await this.#as.call(runs.read, { params: { clientId: this.#clientId, connectorId, runId } }),
      200,
    )
  }

  /** Polls until the run meets the condition, because the worker runs asynchronously. */
  until(run: TestRun, isIt: (seen: RunDetail) => boolean, withinMs?: number): Promise<RunDetail> {
    return until(() => this.read(run), isIt, withinMs)
  }

  async runToEnd(connectorId: string, body: object = {}): Promise<RunDetail> {
    return this.until(await this.start(connectorId, body), ({ Status }) => ended.has(Status))
  }

  /** Queries the organisation's warehouse with the reader's login, like a report. */
  async inWarehouse<Row extends object>(text: string): Promise<Row[]> {
    const { Host, Port, Database, User, Password } = expectStatus(
      await this.#as.call(warehouse.newPassword, { params: { clientId: this.#clientId } }),
      200,
    )
    const sql = new Client({ host: Host, port: Port, database: Database, user: User, password: Password ?? '' })
    await sql.connect()
    try {
      return (await sql.query<Row>(text)).rows
    } finally {
      await sql.end()
    }
  }
}

export async function until<T>(look: () => Promise<T>, isIt: (seen: T) => boolean, withinMs = 30_000): Promise<T> {
  const end = performance.now() + withinMs
  for (;;) {
    const seen = await look()
    if (isIt(seen)) return seen
    if (performance.now() > end) throw new Error(`Not within ${withinMs} ms: ${JSON.stringify(seen)}`)
    await systemClock.sleep(50)
  }
}

export function expectStatus<T>({ status, body }: TestReply<T>, expected: number): T {
  if (status === expected) return body
  throw new Error(`${status} instead of ${expected}: ${JSON.stringify(body)}`)
}
