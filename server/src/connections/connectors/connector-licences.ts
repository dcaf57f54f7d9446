/** The bundles of streams that a connector type sells, and those that a connector is licensed for. */
import type { ConnectorLocation } from './connector-settings.ts'
import { baseBundle, type StreamBundle } from '@tributary/engine/ports/source'
import { findSource } from './connector-types.ts'
import type { Db } from '../../kernel/store/store.ts'

/** The only bundle of a source that sells its streams as a whole. */
const defaultBundle: StreamBundle = {
  id: baseBundle,
  base: true,
  title: 'Everything',
  description: 'All that the source offers.',
  streams: [],
}

/** In the order of the source. Never empty, even for a type that no longer exists. */
export function listBundles(type: string): readonly StreamBundle[] {
  const bundles = findSource(type)?.bundles ?? []
  return bundles.length === 0 ? [defaultBundle] : bundles
}

/** The Base bundles and those in `granted`. An id that no bundle has is ignored. */
export function filterLicensedBundles(
  bundles: readonly StreamBundle[],
  granted: readonly string[],
): readonly StreamBundle[] {
  return bundles.filter(({ id, base }) => base || granted.includes(id))
}

/** The ids of the bundles that were granted to the connector in addition to the Base ones. */
export async function listGrantedLicences(
  db: Db,
  { organisationId, connectorId }: ConnectorLocation,
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('connectorLicence')
    .select('licence')
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .execute()
  return rows.map(({ licence }) => licence)
}
