/** Counts the calls that runs make to the APIs of sources, by day. */
import { sql } from 'kysely'
import type { Db } from '../../kernel/store/store.ts'
import type { ConnectorLocation } from '../connectors/connector-settings.ts'

/** The present day in UTC, by the store's clock. */
export const currentDay = sql<string>`(now() AT TIME ZONE 'UTC')::date`

/** Of the present day. */
export async function readDailyCalls(db: Db, { organisationId, connectorId }: ConnectorLocation): Promise<number> {
  const found = await db
    .selectFrom('dailyCalls')
    .select('calls')
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .where('day', '=', currentDay)
    .executeTakeFirst()
  return found?.calls ?? 0
}

export async function addDailyCalls(
  db: Db,
  { organisationId, connectorId }: ConnectorLocation,
  calls: number,
): Promise<void> {
  await db
    .insertInto('dailyCalls')
    .values({ organisationId, connectorId, day: currentDay, calls })
    .onConflict((conflict) =>
      conflict.columns(['day', 'connectorId']).doUpdateSet({ calls: sql`dailyCalls.calls + excluded.calls` }),
    )
    .execute()
}
