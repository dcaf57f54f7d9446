import { sql } from 'kysely'
import type { ConnectorLocation } from '../../connections/connectors/connector-settings.ts'
import { currentDay } from '../../connections/rate-budgets/daily-calls.ts'
import type { Db } from '../../kernel/store/store.ts'

const calls = sql<number>`coalesce(sum(calls), 0)::int8`.as('calls')
const bytes = sql<number>`coalesce(sum(bytes), 0)::int8`.as('bytes')

function selectCallsSince(db: Db, { organisationId, connectorId }: ConnectorLocation, first: string) {
  return db
    .selectFrom('dailyCalls')
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .where('day', '>=', first)
}

/** The days with calls. */
export function listCallsByDay(db: Db, connector: ConnectorLocation, first: string) {
  return selectCallsSince(db, connector, first).select(['day', calls, bytes]).groupBy('day').execute()
}

export function listCallsByStream(db: Db, connector: ConnectorLocation, first: string) {
  return selectCallsSince(db, connector, first)
    .select([sql<string | null>`nullif(stream, '')`.as('name'), calls, bytes])
    .groupBy('stream')
    .orderBy('calls', 'desc')
    .orderBy('stream')
    .execute()
}

export async function findFirstDay(db: Db, { organisationId, connectorId }: ConnectorLocation): Promise<string | null> {
  const { day } = await db
    .selectFrom('dailyCalls')
    .select(sql<string | null>`min(day)`.as('day'))
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .executeTakeFirstOrThrow()
  return day
}

/** Many connectors may share the key of an app. */
const connectorsShownMax = 100

/** The connectors that have used any of the keys today: those with the most calls. */
export function listConnectorsOfKeysEverywhere(db: Db, limitKeys: readonly string[]) {
  return (
    db
      .selectFrom('dailyCalls')
      .innerJoin('connector', 'connector.id', 'dailyCalls.connectorId')
      .innerJoin('organisation', 'organisation.id', 'connector.organisationId')
      .select([
        'organisation.companyName',
        'connector.name as connectorName',
        sql<number>`sum(dailyCalls.calls)::int8`.as('calls'),
      ])
      .where('dailyCalls.limitKey', '=', sql<string>`ANY (${limitKeys}::text[])`)
      // As the partial index of keys says.
      .where('dailyCalls.limitKey', '<>', '')
      .where('dailyCalls.day', '=', currentDay)
      .groupBy(['organisation.companyName', 'connector.id'])
      .orderBy('calls', 'desc')
      .orderBy('connector.name')
      .limit(connectorsShownMax)
      .execute()
  )
}
