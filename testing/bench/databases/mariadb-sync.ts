/** The process that `mariadb-copy.ts` and `history.ts` measure: one sync between MariaDB and PostgreSQL in either direction. */
import { randomUUID } from 'node:crypto'
import type { OpenSource } from '@tributary/engine/ports/source'
import { mysqlSource } from '@tributary/engine/databases/mysql/source/source'
import { postgresSource } from '@tributary/engine/databases/postgres/source/source'
import { sync } from '@tributary/engine/sync/run'
import type { OpenTarget } from '@tributary/engine/ports/target'
import { mysqlTarget } from '@tributary/engine/databases/mysql/target'
import { postgresTarget } from '@tributary/engine/databases/postgres/target'
import { realClock, connectionContext } from '../../engine/sync/source-context.ts'
import { reportMeasured } from '../measure.ts'

export interface MariadbSyncJob {
  readonly from: 'mariadb' | 'postgres'
  readonly mariadb: Readonly<Record<string, unknown>>
  readonly postgres: Readonly<Record<string, unknown>>
  readonly fence: number
  /** `full` by default. */
  readonly mode?: 'full' | 'incremental'
  readonly keepsHistory?: boolean
}

const job = JSON.parse(process.argv[2] ?? '') as MariadbSyncJob
const around = connectionContext()
const since = performance.now()
await using source = await openSource()
await using target = await openTarget()
const writer = { connectorId: `bench from ${job.from}`, runId: randomUUID(), fence: job.fence }
const outcome = await sync({
  source,
  target,
  writer,
  syncMode: job.mode ?? 'full',
  ...(job.keepsHistory === true && { keepsHistory: () => true }),
  report: () => {},
  log: () => {},
  clock: realClock,
  signal: around.signal,
})
if (outcome.status !== 'completed') throw outcome.fault
reportMeasured((performance.now() - since) / 1000)

function openSource(): Promise<OpenSource> {
  if (job.from === 'mariadb')
    return mysqlSource.open(
      mysqlSource.parse({ 'source.connectionString': { ...job.mariadb, tables: ['invoice'] } }),
      around,
    )
  return postgresSource.open(
    postgresSource.parse({ 'source.connectionString': { ...job.postgres, database: 'source', tables: ['invoice'] } }),
    around,
  )
}

function openTarget(): Promise<OpenTarget> {
  if (job.from === 'mariadb')
    return postgresTarget.open(
      postgresTarget.parse({
        'target.connectionString': { ...job.postgres, database: 'target' },
        'target.schema': 'shop',
      }),
      around,
    )
  return mysqlTarget.open(
    mysqlTarget.parse({ 'target.connectionString': job.mariadb, 'target.schema': 'shop' }),
    around,
  )
}
