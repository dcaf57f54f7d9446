/** One run of the product that copies the documents of the API to PostgreSQL in a separate process. Started by `differential-run.ts`. */
import { randomUUID } from 'node:crypto'
import { describedSource } from '@tributary/engine/apis/described/source'
import { postgresTarget } from '@tributary/engine/databases/postgres/target'
import { sync } from '@tributary/engine/sync/run'
import { connectionContext, realClock } from '../../engine/sync/source-context.ts'
import { reportMeasured } from '../measure.ts'
import type { BenchServer } from '../databases/postgres-server.ts'
import { documentDescription, type Paging } from './description.ts'

export interface OurLoad {
  readonly reach: BenchServer['reach']
  readonly url: string
  readonly schema: string
  readonly connectorId: string
  readonly paging: Paging
  /** From 1. */
  readonly run: number
}

const { reach, url, schema, connectorId, paging, run } = JSON.parse(process.argv[2] ?? '') as OurLoad
const { signal } = new AbortController()
const since = performance.now()
// Two days between runs, so that keys are compared.
const clock = { ...realClock, now: () => Date.now() + (run - 1) * 2 * 86_400_000 }
const around = { ...connectionContext(signal), clock }
const source = describedSource(documentDescription(paging))
await using opened = await source.open(source.parse({ 'documents.token': 'token', 'documents.address': url }), around)
await using target = await postgresTarget.open(
  { address: { ...reach, database: 'target', sslmode: 'disable' }, schema },
  connectionContext(signal),
)
const outcome = await sync({
  source: opened,
  target,
  writer: { connectorId, runId: randomUUID(), fence: run },
  syncMode: 'incremental',
  report: () => {},
  log: (line) => process.stderr.write(`${line}\n`),
  clock,
  signal,
})
if (outcome.status !== 'completed') throw outcome.fault ?? new Error(outcome.status)
reportMeasured((performance.now() - since) / 1_000)
