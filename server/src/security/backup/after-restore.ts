/**
 * What a restored store may not go on with as it was: sessions and codes of then, mail and messages that may long be out, runs
 * whose workers are gone, fires that are past, tokens that may have been renewed since.
 */
import { type Kysely, sql } from 'kysely'
import type { Audit } from '../audit/audit.ts'
import { systemAuditContext } from '../../kernel/audit-context.ts'
import { isoTime, type Clock } from '../../kernel/clock.ts'
import { nextFire } from '../../kernel/cron-schedule.ts'
import type { Db, Store } from '../../kernel/store/store.ts'
import { passing } from './tables.ts'

interface AfterRestoreServices {
  readonly audit: Audit
  readonly clock: Clock
  readonly store: Store
}

export interface Settled {
  readonly mailsNotSent: number
  readonly messagesNotSent: number
  readonly runsEnded: number
  readonly schedulesMovedOn: number
  readonly grantsToRenew: number
}

/** Once after each restore, before anything works with the store; else null. Safe to repeat, and by several processes at once. */
export function settleRestore({ audit, clock, store }: AfterRestoreServices): Promise<Settled | null> {
  // Across: a restore concerns everybody.
  return store.across(async (db) => {
    const restore = await db
      .selectFrom('restore')
      .selectAll()
      .where('settledAt', 'is', null)
      .orderBy('restoredAt')
      .forUpdate()
      .executeTakeFirst()
    if (restore === undefined) return null
    const settled = await settle(db, clock.now())
    await audit.record(db, systemAuditContext, {
      organisationId: null,
      action: 'store.restored',
      outcome: 'success',
      object: { type: 'restore', id: restore.id },
      detail: { madeAt: restore.madeAt, ...settled },
    })
    await db
      .updateTable('restore')
      .set({ settledAt: isoTime(clock.now()) })
      .where('settledAt', 'is', null)
      .execute()
    return settled
  })
}

/** For a store that was brought back by other means than our own archive. @param madeAt when it was as it is, ISO 8601, where known. */
export async function markRestored({ store }: { readonly store: Store }, madeAt: string | null): Promise<void> {
  // Across: a restore concerns everybody.
  await store.across((db) => db.insertInto('restore').values({ madeAt }).execute())
}

async function settle(db: Db, now: number): Promise<Settled> {
  for (const table of passing) await sql`DELETE FROM ${sql.table(table)}`.execute(untyped(db))
  await db.updateTable('tableSync').set({ busyUntil: null }).where('busyUntil', 'is not', null).execute()
  return {
    mailsNotSent: await endMail(db),
    messagesNotSent: await endMessages(db),
    runsEnded: await endRuns(db),
    schedulesMovedOn: await moveSchedulesOn(db, now),
    grantsToRenew: await renewGrants(db, now),
  }
}

/** The names of these tables are SQL's. */
function untyped(db: Db): Kysely<unknown> {
  return db as unknown as Kysely<unknown>
}

/** It may have gone out after the backup was made, and the codes in it are worth nothing any more. */
async function endMail(db: Db): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('mail')
    .set({ gaveUpAt: sql`now()`, body: null, lastError: 'restored from a backup' })
    .where('sentAt', 'is', null)
    .where('gaveUpAt', 'is', null)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

async function endMessages(db: Db): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('webhookDelivery')
    .set({
      dueAt: null,
      failedAt: sql`now()`,
      notice: 'The portal was restored from a backup; the message may have been sent before.',
    })
    .where('dueAt', 'is not', null)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

const runNotice =
  'The portal was restored from a backup that was made before this run had ended. What it had moved is in the tables; the next run goes on from there.'

async function endRuns(db: Db): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('run')
    .set({ status: 'CANCELLED', completedAt: sql`now()`, worker: null, retryAt: null, notice: runNotice })
    .where('status', 'in', ['QUEUED', 'RUNNING', 'WAITING'])
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** A fire that is past was the former store's; else every connector would start at the same moment. */
async function moveSchedulesOn(db: Db, now: number): Promise<number> {
  const due = await db
    .selectFrom('connector')
    .innerJoin('organisation', 'organisation.id', 'connector.organisationId')
    .select(['connector.id', 'connector.organisationId', 'connector.schedule', 'organisation.timeZone'])
    .where('connector.nextRunAt', '<=', isoTime(now))
    .forUpdate('connector')
    .execute()
  for (const { id, organisationId, schedule, timeZone } of due) {
    const nextRunAt = schedule === null ? null : nextFire(schedule, timeZone, new Date(now))
    await db
      .updateTable('connector')
      .set({ nextRunAt })
      .where('organisationId', '=', organisationId)
      .where('id', '=', id)
      .execute()
  }
  return due.length
}

const longAgoMs = 3_600_000

/**
 * A refresh token that was renewed since the backup is dead. As if an answer had been lost, each is tried at once: what the source
 * takes no more is marked, and the administrators are asked to connect again.
 */
async function renewGrants(db: Db, now: number): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('oauthGrant')
    .set({ intentVersion: sql`greatest(version, coalesce(intentVersion, 0)) + 1`, intentAt: isoTime(now - longAgoMs) })
    .where('deadAt', 'is', null)
    .where('refreshToken', 'is not', null)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}
