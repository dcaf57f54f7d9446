/** Connectors as the store has them. */
import { recentRunsMax } from '@tributary/contract/limits'
import type { Run } from '@tributary/contract/runs'
import type { TieOutState } from '@tributary/contract/tie-out-state'
import { type SqlBool, sql } from 'kysely'
import type { ConnectorProperties } from '@tributary/engine/ports/source'
import type { Db } from '../../kernel/store/store.ts'

export interface Filter {
  /** Only those that this member is assigned to; null for all. */
  readonly assignedTo: string | null
  readonly type?: string | undefined
  readonly id?: string
  /** Only these, and only while the organisation is at work: others are shown them. */
  readonly among?: readonly string[]
}

interface RecentRun {
  readonly id: string
  readonly status: Run['Status']
  readonly queuedAtUtc: string
}

/** JSON would spell times in another way than the wire does. */
const isoFormat = 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'

const users =
  sql<string>`coalesce((SELECT string_agg(userId::text, ' ' ORDER BY userId) FROM connectorUser WHERE connectorId = connector.id), '')`.as(
    'users',
  )
const recentRuns = sql<readonly RecentRun[]>`(
  SELECT coalesce(json_agg(json_build_object('id', id, 'status', status, 'queuedAtUtc', to_char(queuedAt, ${isoFormat})) ORDER BY queuedAt DESC), '[]')
  FROM (SELECT id, status, queuedAt FROM run WHERE connectorId = connector.id ORDER BY queuedAt DESC LIMIT ${recentRunsMax}) AS recent)`.as(
  'recentRuns',
)
const granted = sql<readonly string[]>`ARRAY(SELECT licence FROM connectorLicence WHERE connectorId = connector.id)`.as(
  'granted',
)
const pendingChanges =
  sql<number>`(SELECT count(*) FROM schemaChange WHERE connectorId = connector.id AND status = 'PENDING')`.as(
    'pendingChanges',
  )
const tieOut =
  sql<TieOutState | null>`(SELECT state FROM tieOut WHERE connectorId = connector.id ORDER BY checkedAt DESC LIMIT 1)`.as(
    'tieOut',
  )

const latestRunColumns = [
  'run.id as runId',
  'run.trigger',
  'run.status as runStatus',
  'run.queuedAt',
  'run.completedAt',
  'run.faultKind',
  'run.faultCode',
  'run.notice',
] as const

/** Each with its key, its latest runs and who may see it; by name. Deleted ones stay in the list for their history. */
export function selectConnectors(db: Db, organisationId: string, { assignedTo, type, id, among }: Filter) {
  return db
    .selectFrom('connector')
    .innerJoin('organisation', 'organisation.id', 'connector.organisationId')
    .leftJoinLateral(
      (lateral) =>
        lateral
          .selectFrom('run')
          .select(latestRunColumns)
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
      'connector.schemaPolicy',
      'connector.targetDownSince',
      'organisation.key as clientKey',
      'organisation.companyName',
      'latest.runId',
      'latest.trigger',
      'latest.runStatus',
      'latest.queuedAt',
      'latest.completedAt',
      'latest.faultKind',
      'latest.faultCode',
      'latest.notice',
    ])
    .select([users, recentRuns, granted, pendingChanges, tieOut])
    .where('connector.organisationId', '=', organisationId)
    .$if(type !== undefined, (query) => query.where('connector.type', '=', type ?? ''))
    .$if(id !== undefined, (query) => query.where('connector.id', '=', id ?? ''))
    .$if(among !== undefined, (query) =>
      query.where('connector.id', '=', sql<string>`ANY (${among ?? []})`).where('organisation.archivedAt', 'is', null),
    )
    .$if(assignedTo !== null, (query) =>
      query.where(
        sql<SqlBool>`EXISTS (SELECT FROM connectorUser WHERE connectorId = connector.id AND userId = ${assignedTo})`,
      ),
    )
    .orderBy(sql`lower(connector.name) COLLATE "und-x-icu"`)
    .orderBy('connector.id')
}

export type ConnectorRow = Awaited<ReturnType<ReturnType<typeof selectConnectors>['execute']>>[number]

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
export async function membersAmong(
  db: Db,
  organisationId: string,
  userIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (userIds.length === 0) return new Set()
  const rows = await db
    .selectFrom('membership')
    .select('userId')
    .where('organisationId', '=', organisationId)
    .where('userId', 'in', [...userIds])
    .execute()
  return new Set(rows.map(({ userId }) => userId))
}

export async function replaceUsers(
  db: Db,
  organisationId: string,
  connectorId: string,
  userIds: readonly string[],
): Promise<void> {
  await db
    .deleteFrom('connectorUser')
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .execute()
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

/** The ids of those that are connected, held until the transaction ends; in the order that keeps two callers out of each other's way. */
export async function lockAllConnected(
  db: Db,
  organisationId: string,
  type: string | undefined,
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('connector')
    .select('id')
    .where('organisationId', '=', organisationId)
    .where('status', '=', 'CONNECTED')
    .$if(type !== undefined, (query) => query.where('type', '=', type ?? ''))
    .orderBy('id')
    .forUpdate()
    .execute()
  return rows.map(({ id }) => id)
}

/** The types of which there are connectors that are not deleted. */
export async function typesInUse(
  db: Db,
  organisationId: string,
  assignedTo: string | null,
): Promise<ReadonlySet<string>> {
  const rows = await selectConnectors(db, organisationId, { assignedTo })
    .where('connector.status', '<>', 'DELETED')
    .execute()
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
export async function listSettings(
  db: Db,
  organisationId: string,
  type?: string,
): Promise<ReadonlyMap<string, ConnectorProperties>> {
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

/** The organisations that share connectors with this one, each with the ids of those connectors. */
export async function ownersOfShared(db: Db, organisationId: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await db
    .selectFrom('connectorShare')
    .selectAll()
    .where('guestId', '=', organisationId)
    .orderBy('organisationId')
    .execute()
  const owners = Map.groupBy(rows, (row) => row.organisationId)
  return new Map([...owners].map(([ownerId, shares]) => [ownerId, shares.map(({ connectorId }) => connectorId)]))
}

/** Across: those of the ids that are organisations at work. */
export async function guestsAmongEverywhere(db: Db, ids: readonly string[]): Promise<readonly string[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('organisation')
    .select('id')
    .where('id', 'in', [...ids])
    .where('archivedAt', 'is', null)
    .execute()
  return rows.map(({ id }) => id)
}

/** Across: whom the connector is shared with, by name. */
export function listGuests(db: Db, organisationId: string, connectorId: string) {
  return db
    .selectFrom('connectorShare')
    .innerJoin('organisation', 'organisation.id', 'connectorShare.guestId')
    .select(['organisation.id', 'organisation.companyName'])
    .where('connectorShare.organisationId', '=', organisationId)
    .where('connectorShare.connectorId', '=', connectorId)
    .orderBy('organisation.companyName')
    .execute()
}

export async function replaceGuests(
  db: Db,
  organisationId: string,
  connectorId: string,
  guestIds: readonly string[],
): Promise<void> {
  await db
    .deleteFrom('connectorShare')
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .execute()
  if (guestIds.length === 0) return
  const rows = guestIds.map((guestId) => ({ organisationId, connectorId, guestId }))
  await db.insertInto('connectorShare').values(rows).execute()
}

/** What ties a connector to others: the organisations that it is shared with, and its webhook with its secret. */
export async function endTies(db: Db, organisationId: string, connectorId: string): Promise<void> {
  await replaceGuests(db, organisationId, connectorId, [])
  await db
    .updateTable('connector')
    .set({ webhookUrl: null, webhookSecret: null })
    .where('organisationId', '=', organisationId)
    .where('id', '=', connectorId)
    .execute()
}
