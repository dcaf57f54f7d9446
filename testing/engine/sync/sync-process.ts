/** A sync in a separate process, so that a test can kill it. Its only argument is a `SyncChildJob` as JSON. */
import { randomUUID } from 'node:crypto'
import type { ConnectorProperties } from '@tributary/engine/ports/source'
import { sync } from '@tributary/engine/sync/run'
import { openBoth } from '../databases/both-ends.ts'
import { realClock } from './source-context.ts'

export interface SyncChildJob {
  /** Type of the source and kind of the target; PostgreSQL by default. */
  readonly from?: string
  readonly to?: string
  readonly properties: ConnectorProperties
  readonly connectorId: string
  readonly fence: number
  readonly syncMode: 'incremental' | 'full'
  /** Absent: as before. */
  readonly keepsHistory?: boolean
}

const {
  from = 'postgres',
  to = 'postgres',
  properties,
  connectorId,
  fence,
  syncMode,
  keepsHistory,
} = JSON.parse(process.argv[2] ?? '') as SyncChildJob
const { signal } = new AbortController()
await using ends = await openBoth({ from, to, properties }, signal)
// The parent measures the time until the kill from here, not from the start of the process.
process.stdout.write('begun\n')
const outcome = await sync({
  ...ends,
  writer: { connectorId, runId: randomUUID(), fence },
  syncMode,
  ...(keepsHistory !== undefined && { keepsHistory: () => keepsHistory }),
  report: () => {},
  log: () => {},
  clock: realClock,
  signal,
})
process.stdout.write(`${outcome.status}\n`)
