/** For how long superseded and deleted row versions of a connector's streams stay. */
import { type HistoryTrim, toMoment } from '@tributary/engine/ports/history'
import type { Db } from '../../kernel/store/store.ts'
import type { ConnectorLocation } from '../connectors/connector-settings.ts'

const dayMs = 86_400_000

/** Days by stream. A stream that is missing keeps its versions for good. */
export async function listRetention(
  db: Db,
  { organisationId, connectorId }: ConnectorLocation,
): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('historyRetention')
    .select(['stream', 'days'])
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .execute()
  return new Map(rows.map(({ stream, days }) => [stream, days]))
}

export async function replaceRetention(
  db: Db,
  { organisationId, connectorId }: ConnectorLocation,
  retention: ReadonlyMap<string, number>,
): Promise<void> {
  await db
    .deleteFrom('historyRetention')
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .execute()
  const rows = [...retention].map(([stream, days]) => ({ organisationId, connectorId, stream, days }))
  if (rows.length > 0) await db.insertInto('historyRetention').values(rows).execute()
}

/**
 * For `SyncRunRequest.trimsHistory`.
 *
 * @param now milliseconds since 1970
 * @param keep moments that are still read, whatever the retention says
 */
export function trimsHistory(
  retention: ReadonlyMap<string, number>,
  now: number,
  keep: readonly string[],
): (stream: string) => HistoryTrim | null {
  return (stream) => {
    const days = retention.get(stream)
    if (days === undefined) return null
    return { before: toMoment(now - days * dayMs), keep }
  }
}
