/** One run of the product that copies the invoices of `json-server.ts` to a database. Started by `json-api.ts`. */
import { randomUUID } from 'node:crypto'
import { sync } from '@tributary/engine/sync/run'
import { postgresTarget } from '@tributary/engine/databases/postgres/target'
import { realClock, connectionContext } from '../../engine/sync/source-context.ts'
import { openInvoices } from './json-source.ts'
import { reportMeasured } from '../measure.ts'
import type { BenchServer } from '../databases/postgres-server.ts'

export interface JsonJob {
  readonly reach: BenchServer['reach']
  readonly base: string
  readonly schema: string
  readonly connectorId: string
  /** Only creates the tables. */
  readonly empty: boolean
}

const { reach, base, schema, connectorId, empty } = JSON.parse(process.argv[2] ?? '') as JsonJob

async function run(path: 'invoices' | 'nothing', fence: number): Promise<void> {
  await using source = openInvoices(new URL(base), path, connectionContext())
  await using target = await postgresTarget.open(
    { address: { ...reach, database: 'target', sslmode: 'disable' }, schema },
    connectionContext(),
  )
  const writer = { connectorId, runId: randomUUID(), fence }
  const { signal } = new AbortController()
  const outcome = await sync({
    source,
    target,
    writer,
    syncMode: 'incremental',
    report: () => {},
    log: () => {},
    clock: realClock,
    signal,
  })
  if (outcome.status !== 'completed') throw outcome.fault ?? new Error(outcome.status)
}

/** An empty run commits a checkpoint, so that the measured run is an upsert. */
await run('nothing', 1)
const since = performance.now()
if (!empty) await run('invoices', 2)
reportMeasured((performance.now() - since) / 1_000)
