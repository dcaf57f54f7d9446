/** Jobs that any worker may take, kept in the store's own database so that they commit with the rows they are about. */
import { fromKysely, PgBoss } from 'pg-boss'
import type { ClientConfig } from 'pg'
import type { Db } from '../store/store.ts'

/**
 * A job is only a doorbell: it names a row that says by itself whether there is work to do. One that is lost is rung again
 * by whoever looks after the rows, and one too many finds nothing to do.
 */
export interface Queue {
  /** Rings inside the caller's transaction, or so long afterwards by the store's clock. A ring for the same id that nobody has answered yet stands for both. */
  ring(db: Db, bell: string, id: string, afterMs?: number): Promise<void>
  /** The same for many ids in one statement. */
  ringAll(db: Db, bell: string, ids: readonly string[]): Promise<void>
  /** Answers, at most `slots` at once; what `answer` throws is reported, not repeated. The function returned ends the listening at once. */
  listen(bell: string, slots: number, answer: (id: string) => Promise<void>): Promise<() => Promise<void>>
  /** Throws where the queue cannot be reached. */
  check(): Promise<void>
  /** Listens no more and waits for the answers under way. */
  close(): Promise<void>
}

export interface QueueOptions {
  readonly connection: ClientConfig
  readonly bells: readonly string[]
  readonly onError: (error: unknown) => void
}

export async function openQueue({ connection, bells, onError }: QueueOptions): Promise<Queue> {
  const boss = new PgBoss({
    ...(connection as object),
    max: 3,
    schema: 'tributary_queue',
    useListenNotify: true,
    schedule: false,
    application_name: 'tributary queue',
  })
  // Its errors come as plain objects, too.
  boss.on('error', (error) => onError(error instanceof Error ? error : Object.assign(new Error(), error)))
  await boss.start()
  for (const bell of bells) await boss.createQueue(bell, queueOptions)

  return {
    async ring(db, bell, id, afterMs) {
      // Its statements name their columns themselves, so the store's renaming must not touch them.
      const options = { db: fromKysely(db.withoutPlugins()), singletonKey: id }
      await boss.send(
        bell,
        { id },
        afterMs === undefined ? options : { ...options, startAfter: Math.ceil(afterMs / 1_000) },
      )
    },
    async ringAll(db, bell, ids) {
      if (ids.length === 0) return
      const jobs = ids.map((id) => ({ data: { id }, singletonKey: id }))
      await boss.insert(bell, jobs, { db: fromKysely(db.withoutPlugins()) })
    },
    async listen(bell, slots, answer) {
      const options = { pollingIntervalSeconds: 1, notifyPollingIntervalSeconds: 5 }
      const slot = async () => {
        const id = await boss.work<{ id: string }>(bell, options, async ([job]) => {
          if (job === undefined) return
          await answer(job.data.id)
          // Who rang while every slot was busy was not heard: without this the slot would rest until its next look.
          boss.notifyWorker(id)
        })
        return id
      }
      const ids = await Promise.all(Array.from({ length: slots }, slot))
      return async () => {
        await Promise.all(ids.map((id) => boss.offWork(bell, { id, wait: false })))
      }
    },
    async check() {
      await boss.schemaVersion()
    },
    async close() {
      await boss.stop({ graceful: true, timeout: 2_000 })
    },
  }
}

/**
 * `short`: one unanswered ring for each id. No repeats: the row's own state decides whether it is rung again. A day is the
 * longest that the library lets a job run; a run that lasts longer goes on without its job.
 */
const queueOptions = {
  policy: 'short',
  notify: true,
  retryLimit: 0,
  expireInSeconds: 24 * 3_600 - 1,
  deleteAfterSeconds: 3_600,
  retentionSeconds: 14 * 24 * 3_600,
} as const
