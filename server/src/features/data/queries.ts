/** What the store knows about the tables of a warehouse: their connectors, streams, versions and helper tables. */
import { sql } from 'kysely'
import { selectVisibleConnectors } from '../../connections/connectors/connector-access.ts'
import { listScheduledFires, withHealth } from '../../connections/connectors/connector-health.ts'
import type { ConnectorLocation } from '../../connections/connectors/connector-settings.ts'
import type { Db } from '../../kernel/store/store.ts'

/** Also deleted connectors, whose tables remain in the warehouse. */
export async function listConnectors(db: Db, organisationId: string, now: Date) {
  const fires = await listScheduledFires(db, [organisationId], now)
  const all = selectVisibleConnectors(db, organisationId, { assignedTo: null })
  const healthy = await withHealth(all, fires, now).select('connector.id').execute()
  const stateOf = new Map(healthy.map(({ id, state }) => [id, state]))
  const rows = await all
    .select(['connector.id', 'connector.name', 'connector.type'])
    .orderBy(sql`lower(connector.name) COLLATE "und-x-icu"`)
    .orderBy('connector.id')
    .execute()
  return rows.map((row) => ({ ...row, state: stateOf.get(row.id) ?? ('disconnected' as const) }))
}

export type ConnectorRow = Awaited<ReturnType<typeof listConnectors>>[number]

export function listStreams(db: Db, organisationId: string) {
  return db
    .selectFrom('connectorStream')
    .select(['connectorId', 'name', 'tableName', 'rows', 'freshAt', 'fault'])
    .where('organisationId', '=', organisationId)
    .execute()
}

export type StreamRow = Awaited<ReturnType<typeof listStreams>>[number]

/** When each version and helper table was last loaded, by its id. */
export async function listLastLoads(db: Db, organisationId: string): Promise<ReadonlyMap<string, string>> {
  const rows = await db
    .selectFrom('load')
    .select(sql<string>`coalesce(versionId, helperTableId)`.as('recordId'))
    .select(({ fn }) => fn.max('committedAt').as('at'))
    .where('organisationId', '=', organisationId)
    .where('committedAt', 'is not', null)
    .groupBy('recordId')
    .execute()
  return new Map(rows.flatMap(({ recordId, at }) => (at === null ? [] : [[recordId, at]])))
}

/** The status of each run that is still known, by its id. */
export async function listRunStates(
  db: Db,
  { organisationId, connectorId }: ConnectorLocation,
  runs: readonly { readonly runId: string }[],
): Promise<ReadonlyMap<string, string>> {
  if (runs.length === 0) return new Map()
  const rows = await db
    .selectFrom('run')
    .select(['id', 'status'])
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .where(
      sql<string>`id::text`,
      'in',
      runs.map(({ runId }) => runId),
    )
    .execute()
  return new Map(rows.map(({ id, status }) => [id, status]))
}
