/**
 * Cleans up after a restore: ends old sessions and codes, discards mails and webhooks that may have been sent, fails runs without
 * a worker, skips past fire times and renews OAuth tokens.
 */
import type { SecurityServices } from '../security-services.ts'
import { sql, type UpdateResult } from 'kysely'
import { systemAuditContext } from '../../kernel/audit-context.ts'
import { isoTime } from '../../kernel/clock.ts'
import { nextFire } from '../../kernel/cron-schedule.ts'
import type { Db, Store } from '../../kernel/store/store.ts'
import { ephemeralTables } from './tables.ts'

type AfterRestoreServices = Pick<SecurityServices, 'audit' | 'clock' | 'store'>

export interface RestoreCleanup {
  readonly mailsNotSent: number
  readonly messagesNotSent: number
  readonly runsEnded: number
  readonly schedulesMovedOn: number
  readonly grantsToRenew: number
}

/** Runs once after each restore, before the store is used; otherwise returns null. Idempotent and safe to run concurrently. */
export function finaliseRestore({ audit, clock, store }: AfterRestoreServices): Promise<RestoreCleanup | null> {
  // Across: a restore affects all organisations.
  return store.across(async (db) => {
    const restore = await db
      .selectFrom('restore')
      .selectAll()
      .where('settledAt', 'is', null)
      .orderBy('restoredAt')
      .forUpdate()
      .executeTakeFirst()
    if (restore === undefined) return null
    const settled = await endRestoredWork(db, clock.now())
    await audit.record(db, systemAuditContext, {
      organisationId: null,
      action: 'store.restored',
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

/** Marks a store that was restored by other means than `tributary restore`. @param madeAt time of the backup, ISO 8601, if known */
export async function markRestored({ store }: { readonly store: Store }, madeAt: string | null): Promise<void> {
  // Across: a restore affects all organisations.
  await store.across((db) => db.insertInto('restore').values({ madeAt }).execute())
}

async function endRestoredWork(db: Db, now: number): Promise<RestoreCleanup> {
  for (const table of ephemeralTables) await sql`DELETE FROM ${sql.table(table)}`.execute(db)
  // What was promised before the backup is not: the next promises are planned.
  await sql`SELECT planReadyBy(organisationId, NULL) FROM readyByWish`.execute(db)
  await db.updateTable('tableSync').set({ busyUntil: null }).where('busyUntil', 'is not', null).execute()
  return {
    mailsNotSent: await discardMails(db),
    messagesNotSent: await discardWebhooks(db),
    runsEnded: await failRuns(db),
    schedulesMovedOn: await advanceSchedules(db, now),
    grantsToRenew: await renewGrants(db, now),
  }
}

/** The mails may have been sent after the backup, and their codes are invalid. */
function discardMails(db: Db): Promise<number> {
  return countUpdated(
    db
      .updateTable('mail')
      .set({ gaveUpAt: sql`now()`, body: null, lastError: 'restored from a backup' })
      .where('sentAt', 'is', null)
      .where('gaveUpAt', 'is', null),
  )
}

async function discardWebhooks(db: Db): Promise<number> {
  const discarded = {
    dueAt: null,
    failedAt: sql<string>`now()`,
    notice: 'The portal was restored from a backup; the message may have been sent before.',
  }
  const webhooks = db.updateTable('webhookDelivery').set(discarded).where('dueAt', 'is not', null)
  const alerts = db.updateTable('alertDelivery').set(discarded).where('dueAt', 'is not', null)
  const digests = db
    .updateTable('alert')
    .set({ sentAt: sql<string>`now()` })
    .where('sentAt', 'is', null)
  return (await countUpdated(webhooks)) + (await countUpdated(alerts)) + (await countUpdated(digests))
}

const runNotice =
  'The portal was restored from a backup that was made before this run ended. Rows that it had loaded are in the tables. The next run continues from there.'

function failRuns(db: Db): Promise<number> {
  return countUpdated(
    db
      .updateTable('run')
      .set({ status: 'CANCELLED', completedAt: sql`now()`, worker: null, retryAt: null, notice: runNotice })
      .where('status', 'in', ['QUEUED', 'RUNNING', 'WAITING']),
  )
}

/** Skips fire times that have passed; otherwise all connectors would start at the same moment. */
async function advanceSchedules(db: Db, now: number): Promise<number> {
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
 * Refresh tokens that were renewed since the backup are invalid. Makes every grant due for renewal at once, so that invalid ones
 * are detected and their administrators are asked to connect again.
 */
function renewGrants(db: Db, now: number): Promise<number> {
  return countUpdated(
    db
      .updateTable('oauthGrant')
      .set({
        intentVersion: sql`greatest(version, coalesce(intentVersion, 0)) + 1`,
        intentAt: isoTime(now - longAgoMs),
      })
      .where('deadAt', 'is', null)
      .where('refreshToken', 'is not', null),
  )
}

async function countUpdated(update: { executeTakeFirst(): Promise<UpdateResult> }): Promise<number> {
  const { numUpdatedRows } = await update.executeTakeFirst()
  return Number(numUpdatedRows)
}
