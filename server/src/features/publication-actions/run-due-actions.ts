/**
 * Takes the steps of runs that are due: starts them, and reads their results until they are over. A worker claims a run by
 * postponing its next step: others do not find it due, and if the worker dies, another one claims it after the wait.
 */
import type { PublicationActionRun } from '@tributary/contract/publication-actions'
import type { Camel } from '@tributary/contract/wire'
import { sql } from 'kysely'
import type { Db } from '../../kernel/store/store.ts'
import { deliverAll, nextDue } from '../../messaging/deliver-due.ts'
import { attemptsMax, nextAttemptAt } from '../../messaging/next-attempt.ts'
import type { StepResult } from './services/service-call.ts'
import { type ActionSettings, unreadableSecret } from './stored-action.ts'
import { openAction, type StepServices, takeStep } from './take-step.ts'

/** Takes one step of each run that is due. */
export function runDueActions(services: StepServices): Promise<void> {
  return deliverAll(services.store, {
    claimNext: claimNextEverywhere,
    send: (run) => takeClaimedStep(services, run),
    record: recordStep,
  })
}

async function takeClaimedStep(services: StepServices, run: ClaimedRun): Promise<RecordedStep> {
  const { store, clock } = services
  const action = { ...run, ...(run as ActionSettings) }
  // Across organisations: a worker serves every one.
  const opened = await store.across((db) => openAction(db, services, action))
  const beganAt = clock.now()
  const result: StepResult =
    opened === null
      ? { outcome: 'failed', status: null, notice: unreadableSecret }
      : await takeStep(services, { run, location: run, action: opened })
  return { ...result, durationMs: clock.now() - beganAt }
}

type ClaimedRun = NonNullable<Awaited<ReturnType<typeof claimNextEverywhere>>>

/** The runs of an action begin in their order, each after the end of the one before. */
const followsAnother = sql<boolean>`EXISTS (SELECT FROM publicationActionRun AS earlier
  WHERE earlier.actionId = publicationActionRun.actionId AND earlier.dueAt IS NOT NULL
    AND (earlier.createdAt, earlier.id) < (publicationActionRun.createdAt, publicationActionRun.id))`

/** Results are read often in the beginning, and every five minutes later. */
const nextReadingAt = sql<string>`now() + least(greatest((now() - startedAt) / 4, interval '15 seconds'), interval '5 minutes')`

function claimNextEverywhere(db: Db) {
  return db
    .updateTable('publicationActionRun')
    .from('publicationAction')
    .set({
      attempts: sql`CASE WHEN remoteId IS NULL THEN attempts + 1 ELSE attempts END`,
      dueAt: sql<string>`CASE WHEN remoteId IS NULL THEN ${nextAttemptAt} ELSE ${nextReadingAt} END`,
    })
    .whereRef('publicationAction.id', '=', 'publicationActionRun.actionId')
    .where('publicationActionRun.id', '=', nextDue('publicationActionRun', sql`NOT ${followsAnother}`))
    .returning(['publicationActionRun.id', 'publicationActionRun.organisationId', 'publicationActionRun.actionId'])
    .returning(['publication', 'remoteId', 'attempts', 'log', 'kind', 'settings', 'secret', 'signingSecret'])
    .returning([
      sql<string>`now()`.as('now'),
      // A rate limit, or a run at the service, that lasts longer than this is no longer waited for.
      sql<boolean>`coalesce(startedAt, publicationActionRun.createdAt) < now() - interval '2 days'`.as('isOld'),
    ])
    .executeTakeFirst()
}

type RecordedStep = StepResult & { readonly durationMs: number }

const logMax = 50

async function recordStep(db: Db, run: ClaimedRun, step: RecordedStep): Promise<void> {
  const { organisationId, id } = run
  const { change, isOver } = changeOf(run, step)
  const recorded = await db
    .updateTable('publicationActionRun')
    .set({ ...change, notice: step.notice, log: JSON.stringify(extendLog(run, step)) })
    .where('organisationId', '=', organisationId)
    .where('id', '=', id)
    // A run that was dropped meanwhile stays so, unless the service has accepted it.
    .$if(step.outcome !== 'started', (query) => query.where('dueAt', 'is not', null))
    .returning('status')
    .executeTakeFirst()
  if (isOver && recorded !== undefined) await recordHealth(db, run, recorded.status === 'COMPLETED')
}

function changeOf({ attempts, isOld }: ClaimedRun, step: RecordedStep) {
  const now = sql<string>`now()`
  const ended = (status: 'COMPLETED' | 'FAILED') => ({
    change: { status, dueAt: null, endedAt: now },
    isOver: true,
  })
  const going = (change: object) => ({ change, isOver: false })
  switch (step.outcome) {
    case 'completed':
      return ended('COMPLETED')
    case 'failed':
      return ended('FAILED')
    case 'started': {
      const dueAt = sql<string>`now() + interval '15 seconds'`
      return going({ status: 'RUNNING', remoteId: step.remoteId, startedAt: now, dueAt, endedAt: null })
    }
    case 'running':
      return isOld ? ended('FAILED') : going({})
    case 'postponed': {
      const dueAt = sql<string>`now() + ${step.waitMs} * interval '1 millisecond'`
      return isOld ? ended('FAILED') : going({ attempts: Math.max(attempts - 1, 0), dueAt })
    }
    case 'refused':
      return isOld || attempts >= attemptsMax ? ended('FAILED') : going({})
  }
}

/** Readings that bring nothing new are left out. */
function extendLog({ log, now }: ClaimedRun, { outcome, status, notice, durationMs }: RecordedStep): readonly object[] {
  const entries = log as Camel<PublicationActionRun>['log']
  if (outcome === 'running' && entries.at(-1)?.notice === notice) return entries
  return [...entries, { atUtc: now, durationMs: Math.round(durationMs), status, notice }].slice(-logMax)
}

async function recordHealth(db: Db, { organisationId, actionId }: ClaimedRun, isWorking: boolean): Promise<void> {
  await db
    .updateTable('publicationAction')
    .set({ failingSince: isWorking ? null : sql<string>`coalesce(failingSince, now())` })
    .where('organisationId', '=', organisationId)
    .where('id', '=', actionId)
    .execute()
}
