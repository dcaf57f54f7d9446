/** Which bundles of streams there are for a type of connector, and which of them a connector holds. */
import type { ConnectorLocation } from './connector-settings.ts'
import { baseBundle, type StreamBundle } from '@tributary/engine/ports/source'
import { findSource } from './connector-types.ts'
import type { Db } from '../../kernel/store/store.ts'

/** What a source that sells nothing apart comes in. */
const wholeSource: StreamBundle = {
  id: baseBundle,
  base: true,
  title: 'Everything',
  description: 'All that the source offers.',
  streams: [],
}

/** In the order in which the source names them; never empty, even for a type that is gone. */
export function bundlesOf(type: string): readonly StreamBundle[] {
  const bundles = findSource(type)?.bundles ?? []
  return bundles.length === 0 ? [wholeSource] : bundles
}

/** Of the bundles, those that a connector holds to which `granted` were given: the Base ones always, no others than there are. */
export function heldBundles(bundles: readonly StreamBundle[], granted: readonly string[]): readonly StreamBundle[] {
  return bundles.filter(({ id, base }) => base || granted.includes(id))
}

/** The ids of the bundles that were given to the connector beside the Base ones. */
export async function grantedLicences(
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
