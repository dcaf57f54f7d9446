/** Queries of actions after a publication, and of their runs. */
import { publicationActionLimits } from '@tributary/contract/limits'
import type { PublicationAction, PublicationActionRun } from '@tributary/contract/publication-actions'
import type { Camel } from '@tributary/contract/wire'
import { sql } from 'kysely'
import { badField, notFound } from '../../kernel/http/api-fault.ts'
import type { Db } from '../../kernel/store/store.ts'
import { maskAddress } from '../../messaging/alert-channels/alert-channel.ts'
import type { ActionLocation, ActionSettings } from './stored-action.ts'

export async function listActions(db: Db, organisationId: string): Promise<Camel<PublicationAction>[]> {
  const rows = await selectActions(db, organisationId).execute()
  return rows.map(toAction)
}

/** Throws `notFound`. */
export async function getAction(
  db: Db,
  { organisationId, actionId }: ActionLocation,
): Promise<Camel<PublicationAction>> {
  const row = await selectActions(db, organisationId)
    .where('publicationAction.id', '=', actionId)
    .executeTakeFirstOrThrow(notFound)
  return toAction(row)
}

/** With the encrypted secrets. Throws `notFound`. */
export async function getStoredAction(db: Db, { organisationId, actionId }: ActionLocation) {
  const row = await db
    .selectFrom('publicationAction')
    .select(['id', 'kind', 'name', 'isOn', 'settings', 'secret', 'signingSecret'])
    .where('organisationId', '=', organisationId)
    .where('id', '=', actionId)
    .executeTakeFirstOrThrow(notFound)
  return { ...row, ...(row as ActionSettings) }
}

function selectActions(db: Db, organisationId: string) {
  return db
    .selectFrom('publicationAction')
    .leftJoinLateral(
      (lateral) =>
        lateral
          .selectFrom('publicationActionRun')
          .select(runColumns)
          .whereRef('publicationActionRun.actionId', '=', 'publicationAction.id')
          .orderBy('publicationActionRun.createdAt', 'desc')
          .limit(1)
          .as('last'),
      (join) => join.onTrue(),
    )
    .select(['publicationAction.id', 'kind', 'publicationAction.name', 'isOn', 'setId', 'settings', 'failingSince'])
    .select(['last.id as runId', 'last.trigger', 'last.status', 'last.attempts', 'last.notice'])
    .select(['last.createdAtUtc', 'last.startedAtUtc', 'last.endedAtUtc', 'last.dueAtUtc'])
    .where('publicationAction.organisationId', '=', organisationId)
    .orderBy('publicationAction.createdAt')
    .orderBy('publicationAction.id')
}

type ActionRow = Awaited<ReturnType<ReturnType<typeof selectActions>['execute']>>[number]
function toAction(row: ActionRow): Camel<PublicationAction> {
  const { id, name, isOn, setId, failingSince } = row
  const action = row as ActionSettings
  return {
    id,
    kind: action.kind,
    name,
    isOn,
    setId,
    webhook: action.kind === 'webhook' ? { address: maskAddress(action.settings.origin) } : null,
    powerBi: action.kind === 'powerBi' ? action.settings : null,
    dbt: action.kind === 'dbt' ? action.settings : null,
    failingSinceUtc: failingSince,
    lastRun: toLastRun(row),
    signingSecret: null,
  }
}

function toLastRun(row: ActionRow): Camel<PublicationAction>['lastRun'] {
  const { runId: id, trigger, status, attempts, notice, createdAtUtc, startedAtUtc, endedAtUtc, dueAtUtc } = row
  if (id === null || trigger === null || status === null || createdAtUtc === null) return null
  return { id, trigger, status, attempts: attempts ?? 0, notice, createdAtUtc, startedAtUtc, endedAtUtc, dueAtUtc }
}

/** Throws `badInput` if the organisation has as many actions as allowed. */
export async function requireRoom(db: Db, organisationId: string): Promise<void> {
  const { count } = await db
    .selectFrom('publicationAction')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('organisationId', '=', organisationId)
    .executeTakeFirstOrThrow()
  const { actionsMax } = publicationActionLimits
  if (count >= actionsMax) throw badField('name', `cannot be added: there are already ${actionsMax} actions`)
}

export interface ActionColumns {
  readonly kind: ActionSettings['kind']
  readonly name: string
  readonly isOn: boolean
  readonly setId: string | null
  /** JSON. */
  readonly settings: string
  readonly secret: string
  readonly signingSecret: string | null
}

export async function insertAction(
  db: Db,
  { organisationId, actionId }: ActionLocation,
  columns: ActionColumns,
): Promise<void> {
  await db
    .insertInto('publicationAction')
    .values({ id: actionId, organisationId, ...columns })
    .execute()
}

export async function updateAction(
  db: Db,
  { organisationId, actionId }: ActionLocation,
  change: ActionColumns,
): Promise<void> {
  await db
    .updateTable('publicationAction')
    .set(change)
    .where('organisationId', '=', organisationId)
    .where('id', '=', actionId)
    .execute()
}

/** Throws `notFound`. */
export async function deleteAction(db: Db, { organisationId, actionId }: ActionLocation): Promise<string> {
  const { name } = await db
    .deleteFrom('publicationAction')
    .where('organisationId', '=', organisationId)
    .where('id', '=', actionId)
    .returning('name')
    .executeTakeFirstOrThrow(notFound)
  return name
}

/** Queues a run that a person started. */
export async function insertRun(
  db: Db,
  { organisationId, actionId }: ActionLocation,
): Promise<Camel<PublicationActionRun>> {
  const { id } = await db
    .insertInto('publicationActionRun')
    .values({ organisationId, actionId, trigger: 'person', dueAt: sql`now()` })
    .returning('id')
    .executeTakeFirstOrThrow()
  const [run] = await listRuns(db, { organisationId, actionId }, id)
  if (run === undefined) throw notFound()
  return run
}

const runColumns = [
  'publicationActionRun.id',
  'trigger',
  'status',
  'publicationActionRun.createdAt as createdAtUtc',
  'startedAt as startedAtUtc',
  'endedAt as endedAtUtc',
  'dueAt as dueAtUtc',
  'attempts',
  'notice',
] as const

const runsMax = 100

/** Latest first. @param runId only this one */
export async function listRuns(
  db: Db,
  { organisationId, actionId }: ActionLocation,
  runId?: string,
): Promise<Camel<PublicationActionRun>[]> {
  const rows = await db
    .selectFrom('publicationActionRun')
    .select(runColumns)
    .select('log')
    .where('organisationId', '=', organisationId)
    .where('actionId', '=', actionId)
    .$if(runId !== undefined, (query) => query.where('id', '=', runId ?? ''))
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .limit(runsMax)
    .execute()
  return rows.map(({ log, ...run }) => ({ ...run, log: log as Camel<PublicationActionRun>['log'] }))
}
