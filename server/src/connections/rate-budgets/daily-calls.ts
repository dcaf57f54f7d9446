/** Counts the calls that runs make to the APIs of sources, by day, stream and key of the rate limit. */
import type { SourceCall } from '@tributary/engine/ports/call-meter'
import { sql } from 'kysely'
import type { Db } from '../../kernel/store/store.ts'
import type { ConnectorLocation } from '../connectors/connector-settings.ts'

/** The present day in UTC, by the store's clock. */
export const currentDay = sql<string>`(now() AT TIME ZONE 'UTC')::date`

export async function readToday(db: Db): Promise<string> {
  const { day } = await db.selectNoFrom(currentDay.as('day')).executeTakeFirstOrThrow()
  return day
}

/** Of the present day. */
export async function readDailyCalls(db: Db, { organisationId, connectorId }: ConnectorLocation): Promise<number> {
  const { calls } = await db
    .selectFrom('dailyCalls')
    .select(sql<number>`coalesce(sum(calls), 0)::int8`.as('calls'))
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .where('day', '=', currentDay)
    .executeTakeFirstOrThrow()
  return calls
}

export interface CallCount extends SourceCall {
  readonly calls: number
  /** Of the bodies of their replies, as transferred. */
  readonly bytes: number
}

export async function addDailyCalls(
  db: Db,
  { organisationId, connectorId }: ConnectorLocation,
  counts: readonly CallCount[],
): Promise<void> {
  if (counts.length === 0) return
  await db
    .insertInto('dailyCalls')
    .values(
      counts.map(({ stream, ...count }) => ({
        ...count,
        organisationId,
        connectorId,
        day: currentDay,
        stream: stream ?? '',
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['day', 'connectorId', 'limitKey', 'stream']).doUpdateSet({
        calls: sql`dailyCalls.calls + excluded.calls`,
        bytes: sql`dailyCalls.bytes + excluded.bytes`,
      }),
    )
    .execute()
}

/** Adds up calls until they are stored. */
export class PendingCalls {
  #counts = new Map<string, CallCount>()

  get isEmpty(): boolean {
    return this.#counts.size === 0
  }

  add({ limitKey, stream, calls, bytes }: CallCount): void {
    const name = JSON.stringify([limitKey, stream])
    const before = this.#counts.get(name) ?? { calls: 0, bytes: 0 }
    this.#counts.set(name, { limitKey, stream, calls: before.calls + calls, bytes: before.bytes + bytes })
  }

  /** Removes and returns all. */
  take(): CallCount[] {
    const taken = [...this.#counts.values()]
    this.#counts = new Map()
    return taken
  }
}
