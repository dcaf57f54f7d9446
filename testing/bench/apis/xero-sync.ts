/** The process that `xero.ts` measures: the first run of a Xero company into an empty schema. */
import { randomUUID } from 'node:crypto'
import { xeroSource } from '@tributary/engine/apis/xero/source'
import { sync } from '@tributary/engine/sync/run'
import { postgresTarget } from '@tributary/engine/databases/postgres/target'
import { realClock, connectionContext } from '../../engine/sync/source-context.ts'
import { reportMeasured } from '../measure.ts'
import type { BenchServer } from '../databases/postgres-server.ts'
import type { BenchCompany } from './xero-server.ts'

export interface XeroSyncJob {
  readonly reach: BenchServer['reach']
  readonly company: BenchCompany
}

const { reach, company } = JSON.parse(process.argv[2] ?? '') as XeroSyncJob
const properties = { 'xero.tenantId': company.tenantId, 'xero.address': company.api, 'xero.callsPerMinute': 6_000 }
const authorisation = { token: async () => company.accessToken }
const since = performance.now()
await using source = await xeroSource.open(xeroSource.parse(properties), {
  ...connectionContext(),
  accessTokens: authorisation,
})
await using target = await postgresTarget.open(
  { address: { ...reach, database: 'target', sslmode: 'disable' }, schema: 'books' },
  connectionContext(),
)
const writer = { connectorId: randomUUID(), runId: randomUUID(), fence: 1 }
const { signal } = new AbortController()
const outcome = await sync({
  source,
  target,
  writer,
  syncMode: 'full',
  report: () => {},
  log: () => {},
  clock: realClock,
  signal,
})
if (outcome.status !== 'completed') throw outcome.fault ?? new Error(outcome.status)
if (outcome.tieOut?.state !== 'green') throw new Error(`The books do not tie out: ${outcome.tieOut?.notice}`)
reportMeasured((performance.now() - since) / 1_000)
