/** What verification says about connectors and their tables, for the screens of several features. */
import { verificationLimits } from '@tributary/contract/limits'
import type { SourceVerification, TableVerification } from '@tributary/contract/verification-state'
import type { Camel } from '@tributary/contract/wire'
import { type Selectable, sql } from 'kysely'
import { isoFormat } from '../../kernel/store/iso-format.ts'
import type { StoreSchema } from '../../kernel/store/schema/schema.ts'
import type { Db } from '../../kernel/store/store.ts'
import { isTablesOnly } from '../connectors/tables-only.ts'

/**
 * The verification of the connector of the query, over the tables that hold rows of the source; over none if its target has no
 * SQL, which verification needs. The verdict is as strong as the weakest table: one that was sampled makes the source `sampled`.
 */
export const sourceVerification = sql<Camel<SourceVerification>>`(
  SELECT json_build_object(
    'verdict', CASE WHEN count(*) = 0 OR bool_or(verified.checkedAt IS NULL OR verified.openDifferences > 0 OR verified.outcome IN ('failed', 'pending')) THEN NULL
                    WHEN bool_and(verified.outcome = 'notProvable') THEN 'notProvable'
                    WHEN bool_or(verified.outcome = 'notProvable' OR verified.method = 'sample') THEN 'sampled'
                    ELSE 'proven' END,
    'tables', count(*),
    'verified', count(verified.checkedAt),
    'overdue', count(*) FILTER (WHERE coalesce(CASE WHEN verified.outcome = 'pending' THEN verified.provenAt ELSE verified.checkedAt END, connector.verifySince) < now() - ${verificationLimits.provenWithinDays} * interval '1 day'),
    'failed', count(*) FILTER (WHERE verified.outcome = 'failed'),
    'differing', count(*) FILTER (WHERE verified.openDifferences > 0),
    'differences', coalesce(sum(verified.openDifferences), 0),
    'rows', coalesce(sum(verified.rows), 0),
    'newerRows', coalesce(sum(verified.newerRows), 0),
    'checkedAtUtc', to_char(min(verified.checkedAt) AT TIME ZONE 'UTC', ${isoFormat}))
  FROM connectorStream AS moved
  LEFT JOIN streamVerification AS verified ON verified.connectorId = moved.connectorId AND verified.stream = moved.name
  WHERE moved.connectorId = connector.id AND moved.freshAt IS NOT NULL AND NOT ${isTablesOnly})`

/** Whether verification has found rows of the connector of the query that differ from the source. */
export const hasDifferences = sql<boolean>`EXISTS (SELECT FROM streamVerification
  WHERE streamVerification.connectorId = connector.id AND openDifferences > 0)`

export type StreamVerificationRow = Selectable<StoreSchema['streamVerification']>

/** The latest verification of each stream of one connector, or of all connectors of the organisation. */
export function listStreamVerifications(
  db: Db,
  organisationId: string,
  connectorId?: string,
): Promise<StreamVerificationRow[]> {
  return db
    .selectFrom('streamVerification')
    .selectAll()
    .where('organisationId', '=', organisationId)
    .$if(connectorId !== undefined, (query) => query.where('connectorId', '=', connectorId ?? ''))
    .execute()
}

export function toTableVerification(row: StreamVerificationRow): Camel<TableVerification> {
  const { outcome, method, checkedAt, rows, newerRows, openDifferences, streamedColumns, provenAt, notice } = row
  return {
    state: openDifferences > 0 ? 'different' : (outcome ?? 'none'),
    method,
    checkedAtUtc: checkedAt,
    rows,
    newerRows,
    differences: openDifferences,
    columnsRowByRow: streamedColumns.length,
    provenAtUtc: provenAt,
    notice,
  }
}
