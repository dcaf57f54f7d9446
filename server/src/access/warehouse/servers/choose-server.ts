/** Chooses the server for the warehouse of an organisation that has none. */
import { Fault } from '@tributary/engine/ports/faults'
import type { Db } from '../../../kernel/store/store.ts'
import { listServers, type ServerRow } from './server-rows.ts'
import { defaultServerId, type ServerServices } from './server-of.ts'

/**
 * Of the servers that accept new warehouses, have room, answer, and are in the organisation's region: the one with most room. Two calls
 * at the same time may both take the last place of a server.
 *
 * Throws a `settings` Fault if no server qualifies.
 */
export async function chooseServer({ store }: Pick<ServerServices, 'store'>, organisationId: string): Promise<string> {
  // Across: servers belong to no organisation, and their room depends on the warehouses of all.
  const { servers, region } = await store.across(async (db) => ({
    servers: await listServers(db),
    region: await findRegion(db, organisationId),
  }))
  const [best] = servers
    .filter((server) => server.acceptsNew && freeShare(server) > 0 && isIn(server, region))
    .toSorted((a, b) => rank(b) - rank(a) || Number(b.id === defaultServerId) - Number(a.id === defaultServerId))
  if (best !== undefined) return best.id
  const place = region === null ? '' : ` in the region ${region}`
  throw new Fault('settings', {
    code: 'warehouse.no_server',
    notice: `No data server${place} accepts another warehouse. Ask the provider of Tributary to add one, or to make room.`,
  })
}

async function findRegion(db: Db, organisationId: string): Promise<string | null> {
  const { dataRegion } = await db
    .selectFrom('organisation')
    .select('dataRegion')
    .where('id', '=', organisationId)
    .executeTakeFirstOrThrow()
  return dataRegion
}

function isIn(server: ServerRow, region: string | null): boolean {
  return region === null || server.region === region
}

/** Servers that do not answer come last. */
function rank(server: ServerRow): number {
  return freeShare(server) - (server.unreachableSince === null ? 0 : 2)
}

/** Between 0 and 1, by databases and by size. 1 if the provider has set no limit. */
export function freeShare({ databases, databasesMax, sizeBytes, sizeMaxBytes }: ServerRow): number {
  const ofDatabases = databasesMax === null ? 1 : 1 - databases / Math.max(databasesMax, 1)
  const ofSize = sizeMaxBytes === null ? 1 : 1 - (sizeBytes ?? 0) / Math.max(sizeMaxBytes, 1)
  return databasesMax === 0 || sizeMaxBytes === 0 ? 0 : Math.max(0, Math.min(ofDatabases, ofSize))
}
