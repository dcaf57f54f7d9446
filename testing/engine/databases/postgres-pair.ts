/** A source database and a target database, and the run between them: what the tests of the loop work with. */
import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { inject } from 'vitest'
import { openEnds } from './postgres-ends.ts'
import { makeDatabase } from './postgres.ts'
import { realClock } from '../sync/source-context.ts'
import type { ConnectorProperties } from '@tributary/engine/ports/source'
import type { SyncOutcome, SyncRunRequest } from '@tributary/engine/sync/sync-request'
import { sync } from '@tributary/engine/sync/run'

export interface Pair extends AsyncDisposable {
  readonly source: pg.Client
  readonly target: pg.Client
  readonly properties: ConnectorProperties
  readonly logLines: string[]
  run(request?: Partial<SyncRunRequest>): Promise<SyncOutcome>
  /** All rows of a table of the target's schema `shop`, as text. */
  rows(table: string): Promise<string[]>
}

export async function makePair(): Promise<Pair> {
  const [source, target] = await Promise.all([makeDatabase(), makeDatabase()])
  const server = inject('postgres')
  const address = (client: pg.Client): object => ({ ...server, database: client.database, sslmode: 'disable' })
  const properties = {
    'source.connectionString': address(source),
    'target.connectionString': address(target),
    'target.schema': 'shop',
  }
  const logLines: string[] = []
  const connectorId = randomUUID()
  let fence = 0
  return {
    source,
    target,
    properties,
    logLines,
    async run(request = {}) {
      const signal = request.signal ?? new AbortController().signal
      await using ends = await openEnds(properties, signal)
      const writer = { connectorId, runId: randomUUID(), fence: ++fence, ...request.writer }
      return await sync({
        ...ends,
        syncMode: 'incremental',
        report: () => {},
        log: (line) => void logLines.push(line),
        clock: realClock,
        ...request,
        signal,
        writer,
      })
    },
    async rows(table) {
      const found = await target.query<{ row: string }>(`SELECT t::text AS row FROM shop.${table} AS t ORDER BY 1`)
      return found.rows.map(({ row }) => row)
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([source.end(), target.end()])
    },
  }
}
