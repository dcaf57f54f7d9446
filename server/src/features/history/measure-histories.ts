/** Measures tables of a connector and their histories in the warehouse. */
import type { ConnectorLocation } from '../../connections/connectors/connector-settings.ts'
import { readCatalogue } from '../../access/logins/warehouse-catalogue.ts'
import { findWarehouse } from '../../access/warehouse/queries.ts'
import { asAdmin } from '../../access/warehouse/warehouse-database.ts'
import type { AppServices } from '../../app-services.ts'

export interface MeasuredTable {
  readonly rows: number
  readonly bytes: number
}

/** By name: those that belong to the connector. Empty if it loads another database, or the warehouse cannot be reached. */
export async function measureTables(
  { log, store, warehouse }: AppServices,
  { organisationId, connectorId }: ConnectorLocation,
): Promise<ReadonlyMap<string, MeasuredTable>> {
  const names = await store.within(organisationId, (db) => findWarehouse(db, organisationId))
  if (names === undefined) return new Map()
  try {
    return await asAdmin(warehouse, names.databaseName, async (client) => {
      const { relations } = await readCatalogue(client, names)
      const own = relations.filter(({ claim, kind }) => claim?.connector === connectorId && kind === 'table')
      const { rows } = await client.query<MeasuredTable & { readonly name: string }>(
        `SELECT relname AS name, greatest(reltuples, pg_stat_get_live_tuples(oid), 0)::float8 AS rows,
           pg_total_relation_size(oid)::float8 AS bytes FROM pg_class WHERE oid::int8 = ANY ($1)`,
        [own.map(({ oid }) => oid)],
      )
      return new Map(rows.map(({ name, ...measured }) => [name, measured]))
    })
  } catch (error) {
    log.info('the tables of a connector could not be measured', { error })
    return new Map()
  }
}
