/** How large the tables of a connector and their histories are. */
import type { ConnectorLocation } from '../../connections/connectors/connector-settings.ts'
import type { TableSize } from '@tributary/engine/ports/history'
import { readCatalogue } from '../../access/logins/warehouse-catalogue.ts'
import { findWarehouse } from '../../access/warehouse/queries.ts'
import { asAdminOf } from '../../access/warehouse/servers/server-of.ts'
import type { AppServices } from '../../app-services.ts'

export interface MeasuredTable {
  readonly rows: number
  readonly bytes: number
}

/**
 * By name. The warehouse is read now; of another database, or if the warehouse cannot be reached, the sizes are those after the last run of
 * each stream.
 */
export async function measureTables(
  services: AppServices,
  connector: ConnectorLocation,
  streams: readonly { readonly sizes: readonly TableSize[] }[],
): Promise<ReadonlyMap<string, MeasuredTable>> {
  const stored = streams.flatMap(({ sizes }) => sizes.map(({ name, ...size }) => [name, size] as const))
  return new Map([...stored, ...(await measureWarehouse(services, connector))])
}

async function measureWarehouse(
  services: AppServices,
  { organisationId, connectorId }: ConnectorLocation,
): Promise<ReadonlyMap<string, MeasuredTable>> {
  const names = await services.store.within(organisationId, (db) => findWarehouse(db, organisationId))
  if (names === undefined) return new Map()
  try {
    return await asAdminOf(services, names, async (client) => {
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
    services.log.info('the tables of a connector could not be measured', { error })
    return new Map()
  }
}
