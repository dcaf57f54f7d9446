/** The job queue. It is in the store's database, so that jobs commit in the same transaction as their rows. */
import { keepAliveOptions } from '../store/keep-alive.ts'
import { fromKysely, PgBoss } from 'pg-boss'
import type { ClientConfig } from 'pg'
import type { Db } from '../store/store.ts'

/**
 * A job is only a wake-up notification: the row it names says whether there is work. Lost jobs are sent again by a periodic
 * sweep of the rows; duplicate jobs find nothing to do.
 */
export interface Queue {
  /** Sends a job in the caller's transaction, optionally delayed. Jobs for the same id that no worker has taken yet are merged. */
  notify(db: Db, channel: string, id: string, afterMs?: number): Promise<void>
  /** The same for many ids in one statement. */
  notifyMany(db: Db, channel: string, ids: readonly string[]): Promise<void>
  /** Handles jobs, at most `slots` at a time. Errors of `handler` are reported, not retried. Returns a function that unsubscribes immediately. */
  subscribe(channel: string, slots: number, handler: (id: string) => Promise<void>): Promise<() => Promise<void>>
  /**
   * Passes the ids of all waiting jobs to `handler`, one batch at a time. No job is taken while it runs. For jobs that only wake a
   * worker, whatever their number. Returns a function that unsubscribes immediately.
   */
  subscribeInBatches(channel: string, handler: (ids: readonly string[]) => Promise<void>): Promise<() => Promise<void>>
  /** Throws if the queue is unreachable. */
  check(): Promise<void>
  /** Unsubscribes and waits for running handlers. */
  close(): Promise<void>
}

export interface QueueOptions {
  readonly connection: ClientConfig
  readonly channels: readonly string[]
  readonly onError: (error: unknown) => void
}

export async function openQueue({ connection, channels, onError }: QueueOptions): Promise<Queue> {
  const boss = new PgBoss({
    ...keepAliveOptions,
    ...(connection as object),
    max: 3,
    schema: 'tributary_queue',
    useListenNotify: true,
    schedule: false,
    application_name: 'tributary queue',
  })
  // pg-boss emits plain objects as errors, too.
  boss.on('error', (error) => onError(error instanceof Error ? error : Object.assign(new Error(), error)))
  await boss.start()
  for (const channel of channels) await boss.createQueue(channel, queueOptions)

  return {
    async notify(db, channel, id, afterMs) {
      // pg-boss's statements are in snake_case already, so the store's plugin must not rename them.
      const options = { db: fromKysely(db.withoutPlugins()), singletonKey: id }
      await boss.send(
        channel,
        { id },
        afterMs === undefined ? options : { ...options, startAfter: Math.ceil(afterMs / 1_000) },
      )
    },
    async notifyMany(db, channel, ids) {
      if (ids.length === 0) return
      const jobs = ids.map((id) => ({ data: { id }, singletonKey: id }))
      await boss.insert(channel, jobs, { db: fromKysely(db.withoutPlugins()) })
    },
    async subscribe(channel, slots, handler) {
      const slot = async () => {
        const id = await boss.work<{ id: string }>(channel, pollingIntervals, async ([job]) => {
          if (job === undefined) return
          await handler(job.data.id)
          // A notification that arrived while all slots were busy was missed: without this the slot would idle until its next poll.
          boss.notifyWorker(id)
        })
        return id
      }
      const ids = await Promise.all(Array.from({ length: slots }, slot))
      return async () => {
        await Promise.all(ids.map((id) => boss.offWork(channel, { id, wait: false })))
      }
    },
    async subscribeInBatches(channel, handler) {
      const options = { ...pollingIntervals, batchSize: batchMax }
      const id = await boss.work<{ id: string }>(channel, options, async (jobs) => {
        await handler(jobs.map(({ data }) => data.id))
        boss.notifyWorker(id)
      })
      return () => boss.offWork(channel, { id, wait: false })
    },
    async check() {
      await boss.schemaVersion()
    },
    async close() {
      await boss.stop({ graceful: true, timeout: 2_000 })
    },
  }
}

const pollingIntervals = { pollingIntervalSeconds: 1, notifyPollingIntervalSeconds: 5 }
const batchMax = 100

/**
 * `short`: one waiting job per id. No retries: the state of the row decides whether another job is sent. pg-boss expires jobs
 * after a day at most; a longer run continues without its job.
 */
const queueOptions = {
  policy: 'short',
  notify: true,
  retryLimit: 0,
  expireInSeconds: 24 * 3_600 - 1,
  deleteAfterSeconds: 3_600,
  retentionSeconds: 14 * 24 * 3_600,
} as const
