/** Queries of closed periods: settings, state and changes. */
import type { closedPeriods, ClosedPeriodChange } from '@tributary/contract/closed-periods'
import type { Camel } from '@tributary/contract/wire'
import { sql } from 'kysely'
import type * as z from 'zod'
import type { ConnectorLocation } from '../../connections/connectors/connector-settings.ts'
import type { Db } from '../../kernel/store/store.ts'

const maxListedChanges = 1_000
const maxDates = 100

/** First days of months; null: without a limit. A change is listed if it is in one of them. */
export interface CoveredMonths {
  readonly from: string | null
  readonly to: string | null
}

export type ChangeFilter = z.output<typeof closedPeriods.changes.query> & CoveredMonths

export function getConnectorType(db: Db, { organisationId, connectorId }: ConnectorLocation) {
  return db
    .selectFrom('connector')
    .select('type')
    .where('organisationId', '=', organisationId)
    .where('id', '=', connectorId)
    .executeTakeFirstOrThrow()
}

/** The last day of the marks "as reported" that are not superseded. */
export async function findReportedDay(db: Db, { organisationId, connectorId }: ConnectorLocation) {
  const { day } = await db
    .selectFrom('reportMark')
    .select((eb) => eb.fn.max('periodEnd').as('day'))
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .where('supersededAt', 'is', null)
    .executeTakeFirstOrThrow()
  return day
}

export function listDates(db: Db, { organisationId, connectorId }: ConnectorLocation) {
  return db
    .selectFrom('closedPeriodDate')
    .select(['dateBefore as from', 'dateAfter as to', 'seenAt as seenAtUtc'])
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .orderBy('seenAt', 'desc')
    .limit(maxDates)
    .execute()
}

export async function countOpen(db: Db, { organisationId, connectorId }: ConnectorLocation): Promise<number> {
  const { open } = await db
    .selectFrom('closedPeriodChange')
    .select((eb) => eb.fn.countAll<number>().as('open'))
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .where('acknowledgedAt', 'is', null)
    .executeTakeFirstOrThrow()
  return open
}

export async function listChanges(db: Db, connector: ConnectorLocation, filter: ChangeFilter) {
  const changes = await selectChanges(db, connector, filter)
    .leftJoin('portalUser', 'portalUser.id', 'closedPeriodChange.acknowledgedBy')
    .select([
      'closedPeriodChange.id',
      'runId',
      'change',
      'kind',
      'documentId',
      'documentNumber as number',
      'before',
      'after',
      'moved',
      'closedThrough',
      'closedPeriodChange.changedAt as changedAtUtc',
      'seenAt as seenAtUtc',
      'address',
      'acknowledgedAt as acknowledgedAtUtc',
      sql<string | null>`portalUser.firstName || ' ' || portalUser.lastName`.as('acknowledgedBy'),
      'reason',
    ])
    .orderBy('seenAt', 'desc')
    .orderBy('periods', 'desc')
    .orderBy('kind')
    .orderBy('documentId')
    .limit(maxListedChanges)
    .execute()
  const { total } = await selectChanges(db, connector, filter)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  // The columns hold what the engine has written.
  return {
    changes: changes as unknown as Camel<ClosedPeriodChange>[],
    total,
    periods: await listPeriods(db, connector, filter),
  }
}

function selectChanges(
  db: Db,
  { organisationId, connectorId }: ConnectorLocation,
  { period, state, document, ...covered }: ChangeFilter,
) {
  const part = document?.trim() ?? ''
  const contains = (column: string) => sql<boolean>`strpos(lower(${sql.ref(column)}), lower(${part})) > 0`
  return db
    .selectFrom('closedPeriodChange')
    .where('closedPeriodChange.organisationId', '=', organisationId)
    .where('closedPeriodChange.connectorId', '=', connectorId)
    .where(
      sql<boolean>`(${covered.from === null && covered.to === null} OR EXISTS (SELECT FROM unnest(periods) AS month WHERE ${isCovered(covered)}))`,
    )
    .$if(period !== undefined, (query) => query.where(sql<boolean>`${period} = ANY (periods)`))
    .$if(state !== undefined, (query) => query.where('acknowledgedAt', state === 'open' ? 'is' : 'is not', null))
    .$if(part !== '', (query) =>
      query.where((where) =>
        where.or([
          contains('closedPeriodChange.documentNumber'),
          contains('closedPeriodChange.kind'),
          contains('closedPeriodChange.documentId'),
        ]),
      ),
    )
}

function isCovered({ from, to }: CoveredMonths) {
  return sql<boolean>`month >= coalesce(${from}::text, month) AND month <= coalesce(${to}::text, month)`
}

async function listPeriods(
  db: Db,
  { organisationId, connectorId }: ConnectorLocation,
  covered: CoveredMonths,
): Promise<string[]> {
  const { rows } = await sql<{ month: string }>`
    SELECT DISTINCT month FROM closedPeriodChange CROSS JOIN unnest(periods) AS month
    WHERE organisationId = ${organisationId} AND connectorId = ${connectorId} AND ${isCovered(covered)}
    ORDER BY month DESC`.execute(db)
  return rows.map(({ month }) => month)
}

/** Returns the number of changes that were not acknowledged before. Leaves out ids of other connectors. */
export async function acknowledgeChanges(
  db: Db,
  { organisationId, connectorId }: ConnectorLocation,
  ids: readonly string[],
  { reason, userId }: { readonly reason: string; readonly userId: string },
): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('closedPeriodChange')
    .set({ acknowledgedAt: sql`now()`, acknowledgedBy: userId, reason })
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .where('id', 'in', [...ids])
    .where('acknowledgedAt', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

export function countChanges(db: Db, { organisationId, connectorId }: ConnectorLocation, ids: readonly string[]) {
  return db
    .selectFrom('closedPeriodChange')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .where('id', 'in', [...ids])
    .executeTakeFirstOrThrow()
}
