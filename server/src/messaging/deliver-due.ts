/**
 * Delivers the messages of a queue. Each is retried for a day until the receiver accepts it. A sender claims a message by
 * postponing its next attempt: concurrent senders do not find it due, and if the sender dies, another one claims it after
 * the wait.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Db, Store } from '../kernel/store/store.ts'
import { attemptsMax } from './next-attempt.ts'
import type { DeliveryFailure } from './post-message.ts'

/** @template Result what an attempt came to; of messages, null if the receiver accepted it */
export interface DeliveryQueue<Message, Result = DeliveryFailure | null> {
  /** Claims the message that has been due longest, if any. `db` sees all organisations, here and below. */
  claimNext(db: Db): Promise<Message | undefined>
  send(message: Message): Promise<Result>
  record(db: Db, message: Message, result: Result): Promise<void>
}

/** The number of messages that are sent concurrently, so that a slow receiver does not block all others. */
const concurrency = 4

/** Tries all due messages once. */
export async function deliverAll<Message, Result>(store: Store, queue: DeliveryQueue<Message, Result>): Promise<void> {
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (await deliverNext(store, queue));
    }),
  )
}

async function deliverNext<Message, Result>(store: Store, queue: DeliveryQueue<Message, Result>): Promise<boolean> {
  // Across, here and below: a worker serves every organisation.
  const message = await store.across((db) => queue.claimNext(db))
  if (message === undefined) return false
  const result = await queue.send(message)
  await store.across((db) => queue.record(db, message, result))
  return true
}

type QueueTable = 'alertDelivery' | 'publicationActionRun' | 'webhookDelivery'

/** The id of the message that has been due longest, locked. Messages that another sender is claiming are skipped. */
export function nextDue(table: QueueTable, isReady: RawBuilder<boolean> = sql`true`): RawBuilder<string> {
  return sql`(SELECT id FROM ${sql.table(table)} WHERE dueAt <= now() AND ${isReady}
    ORDER BY dueAt LIMIT 1 FOR UPDATE SKIP LOCKED)`
}

/** A claimed message: its attempts include the current one. */
export interface DeliveryAttempt {
  readonly attempts: number
  /** It was written more than a day ago. */
  readonly isOld: boolean
}

/** The column `isOld` of a claim. */
export function isOld(table: 'alertDelivery' | 'webhookDelivery'): RawBuilder<boolean> {
  return sql`${sql.ref(`${table}.createdAt`)} < now() - interval '1 day'`
}

interface DeliveryChange {
  readonly deliveredAt?: RawBuilder<string>
  readonly failedAt?: RawBuilder<string>
  readonly dueAt?: RawBuilder<string> | null
  readonly attempts?: number
  readonly notice: string | null
}

/** What an attempt changes in the row of the message. Attempts that a rate limit refused do not count. */
export function recordedAttempt(
  { attempts, isOld: hasExpired }: DeliveryAttempt,
  failure: DeliveryFailure | null,
): DeliveryChange {
  if (failure === null) return { deliveredAt: now, dueAt: null, notice: null }
  const { notice, isFinal, retryAfterMs } = failure
  const isOver = isFinal || (retryAfterMs === null ? attempts >= attemptsMax : hasExpired)
  if (isOver) return { failedAt: now, dueAt: null, notice }
  if (retryAfterMs === null) return { notice }
  return { attempts: attempts - 1, dueAt: sql<string>`now() + ${retryAfterMs} * interval '1 millisecond'`, notice }
}

const now = sql<string>`now()`
