/** A PostgreSQL source and target with one connector between them, for the tests of the sync loop. */
import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { inject } from 'vitest'
import { openEnds } from './postgres-ends.ts'
import { endAndDrop, makeDatabase } from './postgres.ts'
import { realClock } from '../sync/source-context.ts'
import type { ConnectorProperties } from '@tributary/engine/ports/source'
import type { SyncOutcome, SyncRunRequest } from '@tributary/engine/sync/sync-request'
import { sync } from '@tributary/engine/sync/run'

export interface PostgresPair extends AsyncDisposable {
  readonly source: pg.Client
  readonly target: pg.Client
  readonly properties: ConnectorProperties
  readonly logLines: string[]
  run(request?: Partial<SyncRunRequest>): Promise<SyncOutcome>
  /** Returns all rows of a table in the target's schema `shop` as text. */
  rows(table: string): Promise<string[]>
}

export async function makePostgresPair(): Promise<PostgresPair> {
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
      await Promise.all([source, target].map(endAndDrop))
    },
  }
}
