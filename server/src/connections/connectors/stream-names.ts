/** Which streams of a connector earlier runs found. */
import type { Db } from '../../kernel/store/store.ts'
import type { ConnectorLocation } from './connector-settings.ts'

/** Empty before the first run. @param which `moved`: only those that hold rows of the source */
export async function listStreamNames(
  db: Db,
  { organisationId, connectorId }: ConnectorLocation,
  which: 'known' | 'moved',
): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('connectorStream')
    .select('name')
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .$if(which === 'moved', (known) => known.where('freshAt', 'is not', null))
    .execute()
  return new Set(rows.map(({ name }) => name))
}
