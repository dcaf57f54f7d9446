/** The process that `verification.ts` measures: one verification of a table that is identical. */
import { randomUUID } from 'node:crypto'
import type { StreamVerification } from '@tributary/engine/ports/verification'
import { verify } from '@tributary/engine/verify/verify'
import { openBoth } from '../../engine/databases/both-ends.ts'
import { realClock } from '../../engine/sync/source-context.ts'
import { reportMeasured } from '../measure.ts'
import { connectorOf, type VerifiedPair } from './verified-orders.ts'

export interface VerificationJob extends VerifiedPair {
  readonly fence: number
  readonly rows: number
}

const job = JSON.parse(process.argv[2] ?? '') as VerificationJob
const { signal } = new AbortController()
const since = performance.now()
await using ends = await openBoth(job, signal)
const found: StreamVerification[] = []
await verify({
  ...ends,
  writer: { connectorId: connectorOf(job), runId: randomUUID(), fence: job.fence },
  repair: false,
  report: (one) => void found.push(one),
  log: () => {},
  clock: realClock,
  signal,
})
const [{ outcome, rows, streamedColumns } = { outcome: 'failed', rows: 0, streamedColumns: [] }] = found
if (outcome !== 'identical' || rows !== job.rows || streamedColumns.length > 0)
  throw new Error(`The verification was not what is measured: ${JSON.stringify(found)}`)
reportMeasured((performance.now() - since) / 1000)
