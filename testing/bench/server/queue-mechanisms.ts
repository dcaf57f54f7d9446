/** The mechanisms that `queue.ts` compares. Each notifies workers of runs and assigns every run to one worker. */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { type Job, PgBoss } from 'pg-boss'
import { defaultRunShare } from '../../../server/src/connections/connectors/run-share.ts'
import { runChannel, startScheduledRuns } from '../../../server/src/connections/connectors/start-run.ts'
import {
  claimNextRun,
  claimRun,
  releaseRun,
  type RunClaim,
} from '../../../server/src/features/runs/claiming/claim-run.ts'
import { openQueue, type Queue } from '../../../server/src/kernel/queue/queue.ts'
import type { Store } from '../../../server/src/kernel/store/store.ts'

export type TakeRun = (id: string) => Promise<void>

export interface BenchWorker {
  close(): Promise<void>
}

export interface Mechanism {
  readonly name: string
  start(connectorIds: readonly string[]): Promise<void>
  open(taken: TakeRun): Promise<BenchWorker>
  close(): Promise<void>
}

export interface BenchStore {
  readonly connection: pg.ClientConfig
  readonly store: Store
}

export const workerSlots = 4
/** What the store expects of the first run of a PostgreSQL source. */
const runMb = 128
let workers = 0
const onError = (error: unknown): void => console.error(error)

/** Completes a claimed run immediately, like a run without rows. */
async function runClaim({ store }: BenchStore, claim: RunClaim | undefined, taken: TakeRun): Promise<void> {
  if (claim === undefined) return
  await taken(claim.connectorId)
  await store.within(claim.organisationId, (db) => releaseRun(db, claim, { status: 'COMPLETED' }, {}))
}

/** The product: pg-boss wakes a worker, which claims the row of the run. */
export async function openWakeUpAndRow(place: BenchStore): Promise<Mechanism> {
  const { connection, store } = place
  const openBenchQueue = (): Promise<Queue> => openQueue({ connection, channels: [runChannel], onError })
  const sender = await openBenchQueue()
  return {
    name: 'pg-boss wakes, the row holds the state',
    start: (ids) => store.across((db) => startScheduledRuns(db, sender, ids)),
    async open(taken) {
      const queue = await openBenchQueue()
      const worker = `bench ${(workers += 1)}`
      let held = 0
      let claiming: Promise<void> | null = null
      const claimAll = async (): Promise<void> => {
        while (held < workerSlots) {
          const memory = { freeMb: (workerSlots - held) * runMb, isIdle: held === 0 }
          const { claim } = await store.across((db) => claimNextRun(db, worker, memory))
          if (claim === undefined) return
          held += 1
          void runClaim(place, claim, taken).finally(() => {
            held -= 1
            void wake()
          })
        }
      }
      const wake = (): Promise<void> => (claiming ??= claimAll().finally(() => (claiming = null)))
      await queue.subscribeInBatches(runChannel, wake)
      return queue
    },
    close: () => sender.close(),
  }
}

/** LISTEN and SKIP LOCKED on the rows, without a queue engine. Claims like the product. */
export async function openRowsAlone(place: BenchStore): Promise<Mechanism> {
  const { connection, store } = place
  const sender = { notify: () => undefined, notifyMany: () => undefined } as unknown as Queue
  const claimNext = () =>
    store.across(async (db) => {
      const ready = db.selectFrom('run').select('id').where('status', '=', 'QUEUED').orderBy('queuedAt')
      const found = await ready.limit(1).forUpdate().skipLocked().executeTakeFirst()
      return found === undefined ? undefined : claimRun(db, found.id, 'bench')
    })
  return {
    name: 'Rows alone, LISTEN and SKIP LOCKED',
    start: (ids) =>
      store.across(async (db) => {
        await startScheduledRuns(db, sender, ids)
        await sql`NOTIFY bench_runs`.execute(db)
      }),
    async open(taken) {
      const listener = new pg.Client(connection)
      await listener.connect()
      const closing = new AbortController()
      let wake = new AbortController()
      listener.on('notification', () => wake.abort())
      await listener.query('LISTEN bench_runs')
      const slot = async () => {
        while (!closing.signal.aborted) {
          const { signal } = wake
          const claim = await claimNext()
          if (claim !== undefined) await runClaim(place, claim, taken)
          else {
            const either = AbortSignal.any([signal, closing.signal])
            await sleep(5_000, undefined, { signal: either }).catch(() => undefined)
            if (signal === wake.signal) wake = new AbortController()
          }
        }
      }
      const slots = Array.from({ length: workerSlots }, slot)
      return {
        async close() {
          closing.abort()
          await Promise.all(slots)
          await listener.end()
        },
      }
    },
    close: async () => undefined,
  }
}

/**
 * With heartbeats, retries and group limits, but without the row and the fencing token that a run needs: an upper
 * bound.
 */
export async function openBossAlone({ connection }: BenchStore, queue = 'run'): Promise<Mechanism> {
  const open = async () => {
    const options = { max: 3, schema: 'bench_queue', schedule: false, useListenNotify: true }
    const boss = new PgBoss({ ...(connection as object), ...options })
    boss.on('error', onError)
    await boss.start()
    return boss
  }
  const sender = await open()
  await sender.createQueue(queue, { notify: true, policy: 'short', retryLimit: 6, heartbeatSeconds: 20 })
  const polling = {
    pollingIntervalSeconds: 1,
    notifyPollingIntervalSeconds: 5,
    groupConcurrency: defaultRunShare.runsMax,
  }
  return {
    name: 'pg-boss alone, without row and fence',
    async start(ids) {
      const jobs = ids.map((id, at) => ({ data: { id }, singletonKey: String(at), group: { id } }))
      await sender.insert(queue, jobs)
    },
    async open(taken) {
      const boss = await open()
      for (let slot = 0; slot < workerSlots; slot += 1) {
        const id = await boss.work(queue, polling, async ([job]: Job<{ id: string }>[]) => {
          if (job !== undefined) await taken(job.data.id)
          boss.notifyWorker(id)
        })
      }
      return { close: () => boss.stop({ graceful: false }) }
    },
    close: () => sender.stop({ graceful: false }),
  }
}
