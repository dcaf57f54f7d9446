/** Adds connectors, starts runs and watches them, all by the calls that the portal makes. */
import { connectors } from '@tributary/contract/connectors'
import { runs, type RunDetail } from '@tributary/contract/runs'
import { warehouse } from '@tributary/contract/warehouse'
import { Client } from 'pg'
import { systemClock } from '../../../server/src/kernel/clock.ts'
import type { Reply, TestClient } from '../app/client.ts'
import type { SourceDatabase } from './source-database.ts'

export interface Setting {
  readonly name: string
  readonly value: unknown
}

export interface Started {
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

  /** A connector of the source, with other settings of it where `change` says so; answers its id. */
  async add(
    name: string,
    change: Readonly<Record<string, unknown>> = {},
    more: readonly Setting[] = [],
  ): Promise<string> {
    const properties = [{ name: 'source.connectionString', value: { ...this.#source.settings, ...change } }, ...more]
    const reply = await this.#as.call(connectors.create, {
      params: { clientId: this.#clientId },
      body: { type: 'postgres', name, properties },
    })
    return mustBe(reply, 201).Id
  }

  process(connectorId: string, body: object = {}) {
    return this.#as.call(runs.process, { params: { clientId: this.#clientId, connectorId }, body })
  }

  async start(connectorId: string, body: object = {}): Promise<Started> {
    return { connectorId, runId: mustBe(await this.process(connectorId, body), 202).RunId }
  }

  async read({ connectorId, runId }: Started): Promise<RunDetail> {
    return mustBe(await this.#as.call(runs.read, { params: { clientId: this.#clientId, connectorId, runId } }), 200)
  }

  /** Waits until the run looks as wished; the worker is a thing of its own. */
  until(run: Started, isIt: (seen: RunDetail) => boolean, withinMs?: number): Promise<RunDetail> {
    return until(() => this.read(run), isIt, withinMs)
  }

  async runToEnd(connectorId: string, body: object = {}): Promise<RunDetail> {
    return this.until(await this.start(connectorId, body), ({ Status }) => ended.has(Status))
  }

  /** What a report would see: the rows of the organisation's warehouse, through the reader's login. */
  async inWarehouse<Row extends object>(text: string): Promise<Row[]> {
    const { Host, Port, Database, User, Password } = mustBe(
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

function mustBe<T>({ status, body }: Reply<T>, wished: number): T {
  if (status === wished) return body
  throw new Error(`${status} where ${wished} was expected: ${JSON.stringify(body)}`)
}
