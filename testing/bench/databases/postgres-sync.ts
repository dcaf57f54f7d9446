/** The process that `postgres-copy.ts` and `postgres-upsert.ts` measure: one sync, or one merge of all rows. */
import { randomUUID } from 'node:crypto'
import { postgresSource } from '@tributary/engine/databases/postgres/source/source'
import type { OpenSource, Stream } from '@tributary/engine/ports/source'
import { readAhead } from '@tributary/engine/sync/read-ahead'
import { sync } from '@tributary/engine/sync/run'
import type { OpenTarget } from '@tributary/engine/ports/target'
import { postgresTarget } from '@tributary/engine/databases/postgres/target'
import { realClock, connectionContext } from '../../engine/sync/source-context.ts'
import { reportMeasured } from '../measure.ts'

export interface PostgresSyncJob {
  readonly reach: { readonly host: string; readonly port: number; readonly user: string; readonly password: string }
  readonly mode: 'full' | 'incremental' | 'merge everything'
  /** Uses the text format even if binary is possible. */
  readonly forceText: boolean
  readonly fence: number
  /** Schema of the target; `shop` by default. */
  readonly schema?: string
  readonly keepsHistory?: boolean
}

const job = JSON.parse(process.argv[2] ?? '') as PostgresSyncJob
const signal = new AbortController().signal
const address = (database: string): Record<string, unknown> => ({ ...job.reach, database, sslmode: 'disable' })

const since = performance.now()
await using source = await postgresSource.open(
  postgresSource.parse({ 'source.connectionString': { ...address('source'), tables: ['invoice'] } }),
  connectionContext(signal),
)
await using target = await postgresTarget.open(
  postgresTarget.parse({ 'target.connectionString': address('target'), 'target.schema': job.schema ?? 'shop' }),
  connectionContext(signal),
)
const writer = { connectorId: job.schema ?? 'bench', runId: randomUUID(), fence: job.fence }
if (job.mode === 'merge everything') await mergeAll(source, target)
else await syncAll(job.mode)
reportMeasured((performance.now() - since) / 1000)

async function syncAll(mode: 'full' | 'incremental'): Promise<void> {
  const outcome = await sync({
    source: job.forceText ? textOnly(source) : source,
    target,
    writer,
    syncMode: mode,
    ...(job.keepsHistory === true && { keepsHistory: () => true }),
    report: () => {},
    log: () => {},
    clock: realClock,
    signal,
  })
  if (outcome.status !== 'completed') throw outcome.fault
}

async function mergeAll(from: OpenSource, to: OpenTarget): Promise<void> {
  await to.begin(writer)
  for (const stream of await (job.forceText ? textOnly(from) : from).streams()) {
    await to.prepare(stream)
    await using load = await to.load(stream, { kind: 'merge' })
    for await (const batch of readAhead(
      from.read(stream, { since: null, encoding: load.encoding, log: () => {} }),
      signal,
    ))
      await load.write(batch)
    await load.finish(null)
  }
}

function textOnly(open: OpenSource): OpenSource {
  return {
    check: () => open.check(),
    streams: async () => (await open.streams()).map((stream): Stream => ({ ...stream, binaryFingerprint: 'none' })),
    read: (stream, request) => open.read(stream, request),
    keys: (stream) => open.keys?.(stream) ?? nothing(),
    [Symbol.asyncDispose]: () => open[Symbol.asyncDispose](),
  }
}

async function* nothing(): AsyncGenerator<never> {}
