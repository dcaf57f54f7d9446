/** Which tables a run verifies, and where it continues. */
import { sql } from 'kysely'
import type { Db } from '../../../kernel/store/store.ts'
import type { RunClaim } from '../claiming/claim-run.ts'

/** A table is verified again after this time, so that runs have days left before it is overdue. */
const dueAfterDays = 5
/** A table that differs is verified again sooner, because the source or a person may have corrected it. */
const differsDueAfterHours = 24

export interface PlannedStream {
  readonly stream: string
  readonly table: string
  readonly cursor: string | null
  /** It was never verified. */
  readonly isFirst: boolean
  /** The latest verification could not decide whether it differs. */
  readonly isUndecided: boolean
}

/** The tables of the connector that hold rows of the source, the one that was verified longest ago first. */
export function listPlannedStreams(db: Db, { organisationId, connectorId }: RunClaim): Promise<PlannedStream[]> {
  return selectStreams(db, organisationId, connectorId)
    .orderBy(sql`verified.checkedAt`, (by) => by.asc().nullsFirst())
    .orderBy('connectorStream.name')
    .execute()
}

/**
 * The tables that the slice after a run verifies, the most urgent first: never verified, then cut by the budget, then those that the
 * last run could not decide, then the longest ago.
 */
export function listDueStreams(db: Db, { organisationId, connectorId }: RunClaim): Promise<PlannedStream[]> {
  return (
    selectStreams(db, organisationId, connectorId)
      .where(
        sql<boolean>`(verified.checkedAt IS NULL OR verified.cursor IS NOT NULL OR verified.outcome = 'pending'
        OR verified.checkedAt < now() - ${dueAfterDays} * interval '1 day'
        OR (verified.openDifferences > 0 AND verified.changedAt < now() - ${differsDueAfterHours} * interval '1 hour'))`,
      )
      // One that failed for internal reasons must not use up the budget of every run.
      .where(
        sql<boolean>`NOT (coalesce(verified.outcome = 'failed', false) AND verified.changedAt > now() - ${differsDueAfterHours} * interval '1 hour')`,
      )
      .orderBy(isFirst, 'desc')
      .orderBy(sql`verified.cursor IS NOT NULL`, 'desc')
      .orderBy(isUndecided, 'desc')
      .orderBy(sql`verified.checkedAt`, (by) => by.asc().nullsFirst())
      .orderBy('connectorStream.name')
      .execute()
  )
}

const isFirst = sql<boolean>`(verified.checkedAt IS NULL AND verified.cursor IS NULL)`
const isUndecided = sql<boolean>`coalesce(verified.outcome = 'pending', false)`

function selectStreams(db: Db, organisationId: string, connectorId: string) {
  return db
    .selectFrom('connectorStream')
    .leftJoin('streamVerification as verified', (join) =>
      join
        .onRef('verified.connectorId', '=', 'connectorStream.connectorId')
        .onRef('verified.stream', '=', 'connectorStream.name'),
    )
    .select([
      'connectorStream.name as stream',
      'connectorStream.tableName as table',
      'verified.cursor',
      isFirst.as('isFirst'),
      isUndecided.as('isUndecided'),
    ])
    .where('connectorStream.organisationId', '=', organisationId)
    .where('connectorStream.connectorId', '=', connectorId)
    .where('connectorStream.freshAt', 'is not', null)
}
