/** Queries for accounting products: connectors that read companies of an accounting source. */
import { accountingSyncEveryMs } from '@tributary/contract/limits'
import type { AccountingProduct, ProductUser } from '@tributary/contract/accounting'
import type { TieOutState } from '@tributary/contract/tie-out-state'
import type { Camel } from '@tributary/contract/wire'
import { type SqlBool, sql } from 'kysely'
import { companyNames } from '../../connections/oauth/connector-companies.ts'
import { assignedProducts } from '../../planning/entitlement/assigned-records.ts'
import { isSyncRun } from '../../connections/verifications/verification-runs.ts'
import type { Db } from '../../kernel/store/store.ts'
import type { ConnectorLocation } from '../../connections/connectors/connector-settings.ts'
import { selectNamedMembers } from '../../identity/people/members.ts'
import { notFound } from '../../kernel/http/api-fault.ts'

export interface ProductFilter {
  /** Only the products that this member is assigned to; null for all. */
  readonly assignedTo: string | null
  readonly id?: string
}

const lastTrigger = sql`(SELECT max(queuedAt) FROM run WHERE run.connectorId = connector.id AND run.trigger = 'person' AND ${isSyncRun})`
const triggerInterval = sql`${accountingSyncEveryMs} * interval '1 millisecond'`
const tieOut = sql<TieOutState | null>`(SELECT state FROM tieOut WHERE tieOut.connectorId = connector.id ORDER BY checkedAt DESC LIMIT 1)`

/** Sorted by company name. */
export async function listProducts(
  db: Db,
  organisationId: string,
  { assignedTo, id }: ProductFilter,
): Promise<Camel<AccountingProduct>[]> {
  const rows = await selectProducts(db, organisationId)
    .leftJoinLateral(
      (lateral) =>
        lateral
          .selectFrom('run')
          .select(['run.id as runId', 'run.status as runStatus', 'run.completedAt', 'run.faultKind'])
          .whereRef('run.connectorId', '=', 'connector.id')
          .where(isSyncRun)
          .orderBy('run.queuedAt', 'desc')
          .limit(1)
          .as('latest'),
      (join) => join.onTrue(),
    )
    .select(['connector.id', 'connector.type', 'connector.name', 'connector.status', 'companies.names as companyName'])
    .select(['latest.runId', 'latest.runStatus', 'latest.completedAt', 'latest.faultKind', tieOut.as('tieOut')])
    .select([
      sql<string | null>`${lastTrigger}`.as('lastIncrementalTriggerDate'),
      sql<
        string | null
      >`CASE WHEN ${lastTrigger} > now() - ${triggerInterval} THEN ${lastTrigger} + ${triggerInterval} END`.as(
        'nextTriggerAtUtc',
      ),
    ])
    .$if(id !== undefined, (query) => query.where('connector.id', '=', id ?? ''))
    .$if(assignedTo !== null, (query) =>
      query.where(
        sql<SqlBool>`EXISTS (SELECT FROM connectorUser WHERE connectorId = connector.id AND userId = ${assignedTo})`,
      ),
    )
    .orderBy('companies.names', (by) => by.collate('naturalOrder'))
    .orderBy('connector.id')
    .execute()
  return rows.map(({ runId, runStatus, completedAt, faultKind, ...product }) => {
    const hasError = runStatus === 'FAILED'
    const log =
      runId === null
        ? null
        : { completedAtUtc: completedAt, hasError, forbidden: hasError && faultKind === 'signIn', runId }
    return { ...product, log }
  })
}

export function getProduct(db: Db, { organisationId, connectorId }: ConnectorLocation) {
  return selectProducts(db, organisationId)
    .select(['connector.key', 'connector.status', 'companies.names as companyName', 'companies.tenantIds'])
    .where('connector.id', '=', connectorId)
    .executeTakeFirstOrThrow(notFound)
}

/**
 * Whole minutes since a user last started a run, by the store's clock; null if the interval has passed. The caller
 * holds the connector's lock.
 */
export async function minutesSinceTrigger(
  db: Db,
  { organisationId, connectorId }: ConnectorLocation,
): Promise<number | null> {
  const { minutes } = await db
    .selectFrom('run')
    // A transaction that waited for the lock began before the run was queued, so the difference may be negative.
    .select(
      sql<
        number | null
      >`CASE WHEN count(*) > 0 THEN greatest(floor(extract(epoch FROM now() - max(queuedAt)) / 60), 0)::int END`.as(
        'minutes',
      ),
    )
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .where('trigger', '=', 'person')
    .where(isSyncRun)
    .where('queuedAt', '>', sql<string>`now() - ${triggerInterval}`)
    .executeTakeFirstOrThrow()
  return minutes
}

export function listUsers(db: Db, organisationId: string): Promise<Camel<ProductUser>[]> {
  return selectNamedMembers(db, organisationId).select(assignedProducts.as('xero2SqlProducts')).execute()
}

/**
 * Locks the products until the transaction ends, which serialises concurrent assignments. Includes whether the user is
 * assigned.
 */
export function lockAssignments(db: Db, organisationId: string, userId: string) {
  return selectProducts(db, organisationId)
    .select(['connector.id', 'companies.names as name'])
    .select(
      sql<boolean>`EXISTS (SELECT FROM connectorUser WHERE connectorId = connector.id AND userId = ${userId})`.as(
        'isAssigned',
      ),
    )
    .orderBy('connector.id')
    .forUpdate('connector')
    .execute()
}

interface ProductAssignments {
  readonly userId: string
  readonly connectorIds: readonly string[]
}

export async function insertAssignments(
  db: Db,
  organisationId: string,
  { userId, connectorIds }: ProductAssignments,
): Promise<void> {
  if (connectorIds.length === 0) return
  const rows = connectorIds.map((connectorId) => ({ organisationId, connectorId, userId }))
  await db
    .insertInto('connectorUser')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function deleteAssignments(
  db: Db,
  organisationId: string,
  { userId, connectorIds }: ProductAssignments,
): Promise<void> {
  if (connectorIds.length === 0) return
  await db
    .deleteFrom('connectorUser')
    .where('organisationId', '=', organisationId)
    .where('userId', '=', userId)
    .where('connectorId', 'in', [...connectorIds])
    .execute()
}

function selectProducts(db: Db, organisationId: string) {
  return db
    .selectFrom('connector')
    .innerJoinLateral(
      ({ selectFrom }) =>
        selectFrom('connectorCompany')
          .select(sql<string>`${companyNames}`.as('names'))
          .select(sql<string[]>`array_agg(tenantId ORDER BY name, tenantId)`.as('tenantIds'))
          .whereRef('connectorCompany.connectorId', '=', 'connector.id')
          .where('state', '<>', 'kept')
          .groupBy('connectorCompany.connectorId')
          .as('companies'),
      (join) => join.onTrue(),
    )
    .where('connector.organisationId', '=', organisationId)
    .where('connector.status', '<>', 'DELETED')
}

/** Makes the probe of an unreachable target due immediately, because new credentials may name another target. */
export async function probeTargetNow(db: Db, { organisationId, connectorId }: ConnectorLocation): Promise<void> {
  await db
    .updateTable('connector')
    .set({ targetProbeAt: sql<string>`now()` })
    .where('organisationId', '=', organisationId)
    .where('id', '=', connectorId)
    .where('targetProbeAt', 'is not', null)
    .execute()
}

/**
 * The next fencing token of the connector, for a writer other than a run. Undefined while a run is queued or under way.
 */
export async function takeFence(
  db: Db,
  { organisationId, connectorId }: ConnectorLocation,
): Promise<number | undefined> {
  const { rows } = await sql<{ fence: number }>`
    UPDATE connector SET fence = fence + 1
    WHERE organisationId = ${organisationId} AND id = ${connectorId} AND status = 'CONNECTED'
      AND NOT EXISTS (SELECT FROM run WHERE run.connectorId = connector.id AND run.status IN ('QUEUED', 'RUNNING', 'WAITING'))
    RETURNING fence`.execute(db)
  return rows[0]?.fence
}

/** Compare-and-set: raises the connector's fencing token from `from` to `to`. Undefined if it has changed since. */
export async function raiseFence(
  db: Db,
  { organisationId, connectorId }: ConnectorLocation,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<number | undefined> {
  const raised = await db
    .updateTable('connector')
    .set({ fence: to })
    .where('organisationId', '=', organisationId)
    .where('id', '=', connectorId)
    .where('fence', '=', from)
    .returning('fence')
    .executeTakeFirst()
  return raised?.fence
}

/** Whether schema changes of the source are applied without a decision. */
export async function appliesSchemaChanges(
  db: Db,
  { organisationId, connectorId }: ConnectorLocation,
): Promise<boolean> {
  const found = await db
    .selectFrom('connector')
    .select('id')
    .where('organisationId', '=', organisationId)
    .where('id', '=', connectorId)
    .where('schemaPolicy', '=', 'take')
    .where(sql<SqlBool>`NOT EXISTS (SELECT FROM schemaChange WHERE connectorId = connector.id AND status = 'REJECTED')`)
    .executeTakeFirst()
  return found !== undefined
}

/** The connector of a company; if several were disconnected, the latest. */
export function findConnectorOfCompany(
  db: Db,
  organisationId: string,
  { type, tenantId }: { readonly type: string; readonly tenantId: string },
) {
  return db
    .selectFrom('connectorCompany')
    .innerJoin('connector', 'connector.id', 'connectorCompany.connectorId')
    .select(['connectorId', sql<boolean>`releasedAt IS NOT NULL`.as('isReleased')])
    .where('connectorCompany.organisationId', '=', organisationId)
    .where('connectorCompany.type', '=', type)
    .where('tenantId', '=', tenantId)
    .where('state', '<>', 'kept')
    .where('connector.status', '<>', 'DELETED')
    .orderBy('releasedAt', (by) => by.desc().nullsFirst())
    .limit(1)
    .executeTakeFirst()
}

/** The grant by which the connector reads this company. */
export async function setGrant(
  db: Db,
  { organisationId, connectorId }: ConnectorLocation,
  { tenantId, grantId }: { readonly tenantId: string; readonly grantId: string },
): Promise<void> {
  await db
    .updateTable('connectorCompany')
    .set({ grantId })
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .where('tenantId', '=', tenantId)
    .execute()
}
