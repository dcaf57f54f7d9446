/** Connectors as the store has them. */
import { type SqlBool, sql } from 'kysely'
import type { Properties } from '@tributary/engine/source'
import type { Db } from '../../platform/store.ts'

export interface Filter {
  /** Only those that this member is assigned to; null for all. */
  readonly assignedTo: string | null
  readonly type?: string | undefined
  readonly id?: string
}

/** Each with its key, its latest run and who may see it; by name. Deleted ones stay in the list for their history. */
export function selectConnectors(db: Db, organisationId: string, { assignedTo, type, id }: Filter) {
  return db
    .selectFrom('connector')
    .innerJoin('organisation', 'organisation.id', 'connector.organisationId')
    .leftJoinLateral(
      (lateral) =>
        lateral
          .selectFrom('run')
          .select([
            'run.id as runId',
            'run.trigger',
            'run.status as runStatus',
            'run.queuedAt',
            'run.completedAt',
            'run.faultKind',
            'run.notice',
          ])
          .whereRef('run.connectorId', '=', 'connector.id')
          .orderBy('run.queuedAt', 'desc')
          .limit(1)
          .as('latest'),
      (join) => join.onTrue(),
    )
    .select([
      'connector.id',
      'connector.key',
      'connector.name',
      'connector.originalName',
      'connector.type',
      'connector.status',
      'connector.schedule',
      'connector.nextRunAt',
      'organisation.key as clientKey',
      'latest.runId',
      'latest.trigger',
      'latest.runStatus',
      'latest.queuedAt',
      'latest.completedAt',
      'latest.faultKind',
      'latest.notice',
      sql<string>`coalesce((SELECT string_agg(user_id::text, ' ' ORDER BY user_id) FROM connector_user WHERE connector_id = connector.id), '')`.as(
        'users',
      ),
    ])
    .where('connector.organisationId', '=', organisationId)
    .$if(type !== undefined, (query) => query.where('connector.type', '=', type ?? ''))
    .$if(id !== undefined, (query) => query.where('connector.id', '=', id ?? ''))
    .$if(assignedTo !== null, (query) =>
      query.where(sql<SqlBool>`EXISTS (SELECT FROM connector_user WHERE connector_id = connector.id AND user_id = ${assignedTo})`),
    )
    .orderBy(sql`lower(connector.name) COLLATE "und-x-icu"`)
    .orderBy('connector.id')
}

export type ConnectorRow = Awaited<ReturnType<ReturnType<typeof selectConnectors>['execute']>>[number]

export async function findTimeZone(db: Db, organisationId: string): Promise<string> {
  const { timeZone } = await db.selectFrom('organisation').select('timeZone').where('id', '=', organisationId).executeTakeFirstOrThrow()
  return timeZone
}

/** Keys of the organisation that begin alike. */
export async function keysLike(db: Db, organisationId: string, slug: string): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('connector')
    .select('key')
    .where('organisationId', '=', organisationId)
    .where('key', 'like', `${slug}%`)
    .execute()
  return new Set(rows.map(({ key }) => key))
}

/** Those of the ids that are members of the organisation. */
export async function membersAmong(db: Db, organisationId: string, userIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (userIds.length === 0) return new Set()
  const rows = await db
    .selectFrom('membership')
    .select('userId')
    .where('organisationId', '=', organisationId)
    .where('userId', 'in', [...userIds])
    .execute()
  return new Set(rows.map(({ userId }) => userId))
}

export async function replaceUsers(db: Db, organisationId: string, connectorId: string, userIds: readonly string[]): Promise<void> {
  await db.deleteFrom('connectorUser').where('organisationId', '=', organisationId).where('connectorId', '=', connectorId).execute()
  if (userIds.length === 0) return
  const rows = userIds.map((userId) => ({ organisationId, connectorId, userId }))
  await db.insertInto('connectorUser').values(rows).execute()
}

/** Runs that nobody has taken end now; one under way is asked to, and its worker sees that within a second. */
export async function endRuns(db: Db, organisationId: string, connectorId: string, notice: string): Promise<void> {
  await db
    .updateTable('run')
    .set({
      cancelRequestedAt: sql`now()`,
      notice,
      status: sql`CASE status WHEN 'RUNNING' THEN status ELSE 'CANCELLED' END`,
      completedAt: sql`CASE status WHEN 'RUNNING' THEN NULL ELSE now() END`,
    })
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .where('status', 'in', ['QUEUED', 'RUNNING', 'WAITING'])
    .execute()
}

/** The types of which there are connectors that are not deleted. */
export async function typesInUse(db: Db, organisationId: string, assignedTo: string | null): Promise<ReadonlySet<string>> {
  const rows = await selectConnectors(db, organisationId, { assignedTo }).where('connector.status', '<>', 'DELETED').execute()
  return new Set(rows.map(({ type }) => type))
}

export async function connectorIdOf(db: Db, organisationId: string, key: string): Promise<string | undefined> {
  const found = await db
    .selectFrom('connector')
    .select('id')
    .where('organisationId', '=', organisationId)
    .where('key', '=', key)
    .executeTakeFirst()
  return found?.id
}

/** The settings of all connectors at once, secrets sealed. */
export async function listSettings(db: Db, organisationId: string, type?: string): Promise<ReadonlyMap<string, Properties>> {
  const rows = await db
    .selectFrom('connectorProperty')
    .innerJoin('connector', 'connector.id', 'connectorProperty.connectorId')
    .select(['connectorProperty.connectorId', 'connectorProperty.name', 'connectorProperty.value'])
    .where('connectorProperty.organisationId', '=', organisationId)
    .$if(type !== undefined, (query) => query.where('connector.type', '=', type ?? ''))
    .orderBy('connectorProperty.name')
    .execute()
  const settings = new Map<string, Record<string, unknown>>()
  for (const { connectorId, name, value } of rows) {
    const own = settings.get(connectorId) ?? {}
    own[name] = value
    settings.set(connectorId, own)
  }
  return settings
}
