/** Which streams of a connector keep history, and why. Everything that needs history of a table adds its reason here. */
import type { HistoryReason } from '@tributary/contract/history'
import { sql } from 'kysely'
import type { Db } from '../../kernel/store/store.ts'
import type { ConnectorLocation } from '../connectors/connector-settings.ts'

/** Names of streams, or all of the connector, also those that are added. */
export type HistoryStreams = 'all' | readonly string[]

export interface StreamHistoryReason {
  readonly reason: HistoryReason
  readonly streams: HistoryStreams
}

export async function listHistoryReasons(
  db: Db,
  { organisationId, connectorId }: ConnectorLocation,
): Promise<readonly StreamHistoryReason[]> {
  const rows = await db
    .selectFrom('historyReason')
    .select(['reason', 'streams'])
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .orderBy('reason')
    .execute()
  return rows.map(({ reason, streams }) => ({ reason, streams: streams ?? 'all' }))
}

/** For `SyncRunRequest.keepsHistory`. */
export function keepsHistory(reasons: readonly StreamHistoryReason[]): (stream: string) => boolean {
  return (stream) => reasons.some(({ streams }) => streams === 'all' || streams.includes(stream))
}

/**
 * Replaces the reason. Without streams it ends. Takes effect with the next run.
 *
 * @param userId null: the product itself
 */
export async function setHistoryReason(
  db: Db,
  { organisationId, connectorId }: ConnectorLocation,
  { reason, streams }: StreamHistoryReason,
  userId: string | null,
): Promise<void> {
  if (streams !== 'all' && streams.length === 0) {
    await db
      .deleteFrom('historyReason')
      .where('organisationId', '=', organisationId)
      .where('connectorId', '=', connectorId)
      .where('reason', '=', reason)
      .execute()
    return
  }
  const values = {
    streams: streams === 'all' ? null : [...new Set(streams)].toSorted(),
    changedBy: userId,
    changedAt: sql<string>`now()`,
  }
  await db
    .insertInto('historyReason')
    .values({ organisationId, connectorId, reason, ...values })
    .onConflict((conflict) => conflict.columns(['connectorId', 'reason']).doUpdateSet(values))
    .execute()
}
