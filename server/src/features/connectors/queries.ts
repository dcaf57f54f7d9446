/** Queries about connectors. */
import { recentRunsMax } from '@tributary/contract/limits'
import type { TieOutState } from '@tributary/contract/tie-out-state'
import { sql } from 'kysely'
import type { ConnectorProperties } from '@tributary/engine/ports/source'
import type { Connector } from '@tributary/contract/connectors'
import type { Camel } from '@tributary/contract/wire'
import { isoFormat } from '../../kernel/store/iso-format.ts'
import type { Db } from '../../kernel/store/store.ts'
import { type ConnectorVisibility, selectVisibleConnectors } from '../../connections/connectors/connector-access.ts'
import { listScheduledFires, withFreshness } from '../../connections/connectors/connector-health.ts'
import type { ConnectorLocation } from '../../connections/connectors/connector-settings.ts'
import { storesTablesOnly } from '../../connections/connectors/tables-only.ts'
import { sourceVerification } from '../../connections/verifications/source-verification.ts'
import { isSyncRun } from '../../connections/verifications/verification-runs.ts'

export interface ConnectorFilter extends ConnectorVisibility {
  readonly type?: string | undefined
  readonly id?: string
  /** Decides which connectors are late. */
  readonly now: Date
}

const users =
  sql<string>`coalesce((SELECT string_agg(userId::text, ' ' ORDER BY userId) FROM connectorUser WHERE connectorId = connector.id), '')`.as(
    'users',
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
  'run.mode',
  'run.onlyStreams',
  'run.queuedAt',
  'run.startedAt',
  'run.completedAt',
  'run.faultKind',
  'run.faultCode',
  'run.notice',
  'run.rowsWritten',
  'run.rowsDeleted',
] as const

const latestDurationMs = sql<
  number | null
>`(extract(epoch FROM latest.completedAt - coalesce(latest.startedAt, latest.queuedAt)) * 1000)::int8`.as('durationMs')

/** With fewer earlier runs of the same kind, nothing is usual. */
const usualRunsMin = 3

interface RecentRuns {
  readonly recentRuns: Camel<Connector>['recentRuns']
  readonly usualDurationMs: number | null
}

/** The latest runs, and how long those usually take that are of the same kind as the latest one. */
const recent = sql<RecentRuns>`(
  SELECT coalesce(json_agg(json_build_object('id', id, 'status', status, 'queuedAtUtc', to_char(queuedAt, ${isoFormat})) ORDER BY queuedAt DESC), '[]') AS recentRuns,
         CASE WHEN count(*) FILTER (WHERE isSimilar) >= ${usualRunsMin}::int
              THEN (percentile_cont(0.5) WITHIN GROUP (ORDER BY seconds) FILTER (WHERE isSimilar) * 1000)::int8 END AS usualDurationMs
  FROM (SELECT id, status, queuedAt, extract(epoch FROM completedAt - coalesce(startedAt, queuedAt)) AS seconds,
               id <> latest.runId AND status = 'COMPLETED' AND mode = latest.mode
                 AND onlyStreams IS NULL AND latest.onlyStreams IS NULL AS isSimilar
        FROM run WHERE connectorId = connector.id AND ${isSyncRun} ORDER BY queuedAt DESC LIMIT ${recentRunsMax}) AS run)`.as<'recent'>(
  sql`recent`,
)

/** Connectors by name, with their latest runs and assigned users. Includes deleted ones for their history. */
export async function listConnectors(
  db: Db,
  organisationId: string,
  { type, id, now, ...visibility }: ConnectorFilter,
) {
  const fires = await listScheduledFires(db, [organisationId], now)
  return selectConnectors(selectVisibleConnectors(db, organisationId, visibility), fires)
    .$if(type !== undefined, (query) => query.where('connector.type', '=', type ?? ''))
    .$if(id !== undefined, (query) => query.where('connector.id', '=', id ?? ''))
    .orderBy(sql`lower(connector.name) COLLATE "und-x-icu"`)
    .orderBy('connector.id')
    .execute()
}

export type ConnectorRow = Awaited<ReturnType<typeof listConnectors>>[number]

function selectConnectors(...visible: Parameters<typeof withFreshness>) {
  return withFreshness(...visible)
    .leftJoinLateral(
      (lateral) =>
        lateral
          .selectFrom('run')
          .select(latestRunColumns)
          .whereRef('run.connectorId', '=', 'connector.id')
          .where(isSyncRun)
          .orderBy('run.queuedAt', 'desc')
          .limit(1)
          .as('latest'),
      (join) => join.onTrue(),
    )
    .innerJoinLateral(recent, (join) => join.onTrue())
    .leftJoin('hostApproval', 'hostApproval.connectorId', 'connector.id')
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
      'organisation.timeZone',
      'latest.runId',
      'latest.trigger',
      'latest.runStatus',
      'latest.queuedAt',
      'latest.completedAt',
      'latest.faultKind',
      'latest.faultCode',
      'latest.notice',
      'latest.startedAt',
      'latest.rowsWritten',
      'latest.rowsDeleted',
      'recent.recentRuns',
      'recent.usualDurationMs',
      'hostApproval.status as approvalStatus',
      'hostApproval.hosts as approvalHosts',
      'hostApproval.reason as approvalReason',
    ])
    .select([
      users,
      granted,
      pendingChanges,
      tieOut,
      sourceVerification.as('verification'),
      latestDurationMs,
      storesTablesOnly,
    ])
}

/** Connector keys of the organisation with this prefix. */
export async function listKeysWithPrefix(db: Db, organisationId: string, slug: string): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('connector')
    .select('key')
    .where('organisationId', '=', organisationId)
    .where('key', 'like', `${slug}%`)
    .execute()
  return new Set(rows.map(({ key }) => key))
}

export async function replaceUsers(
  db: Db,
  { organisationId, connectorId }: ConnectorLocation,
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

/**
 * Locks the connected connectors until the end of the transaction, in id order to prevent deadlocks. Returns their
 * ids.
 */
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

/** Types of connectors that are not deleted. */
export async function listTypesInUse(
  db: Db,
  organisationId: string,
  assignedTo: string | null,
): Promise<ReadonlySet<string>> {
  const rows = await selectVisibleConnectors(db, organisationId, { assignedTo })
    .select('connector.type')
    .distinct()
    .where('connector.status', '<>', 'DELETED')
    .execute()
  return new Set(rows.map(({ type }) => type))
}

/** The settings of all connectors, with encrypted secrets, by connector id. */
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
