/** Searches everything that a caller may see, by the rules of the lists that show it. */
import { may } from '@tributary/contract/capabilities'
import { organisations } from '@tributary/contract/organisations'
import { planningStructure } from '@tributary/contract/planning-structure'
import { type SearchHit, searchHitsPerKind, searchKinds } from '@tributary/contract/search'
import type { Camel } from '@tributary/contract/wire'
import {
  assignmentFilter,
  type ConnectorVisibility,
  listSharedIds,
} from '../../connections/connectors/connector-access.ts'
import { seenMemberFields } from '../../identity/people/members.ts'
import type { Actor } from '../../kernel/http/actor.ts'
import type { Db, Store } from '../../kernel/store/store.ts'
import {
  findConnectors,
  findPeople,
  findRecords,
  findRunById,
  findRuns,
  findTables,
  type RankedHit,
} from './queries.ts'
import { parseSearchTerm, type SearchTerm } from './search-term.ts'

/** The best matches of each kind, best first. */
export async function findHits(
  store: Store,
  organisationId: string,
  actor: Actor,
  search: string,
): Promise<Camel<SearchHit>[]> {
  const term = parseSearchTerm(search)
  if (term === null) return []
  const hits = await store.within(organisationId, async (db) => [
    ...(await findInConnectors(db, organisationId, { assignedTo: assignmentFilter(actor) }, term)),
    ...(may(actor.roleLevel, planningStructure.areas.allow) ? await findRecords(db, organisationId, term) : []),
    ...(may(actor.roleLevel, organisations.users.allow)
      ? await findPeople(db, organisationId, seenMemberFields(actor), term)
      : []),
  ])
  for (const [ownerId, among] of await listSharedIds(store, organisationId, actor))
    hits.push(
      ...(await store.within(ownerId, (db) => findInConnectors(db, ownerId, { assignedTo: null, among }, term))),
    )
  return pickBest(hits)
}

async function findInConnectors(
  db: Db,
  organisationId: string,
  visibility: ConnectorVisibility,
  term: SearchTerm,
): Promise<RankedHit[]> {
  return [
    ...(await findConnectors(db, organisationId, visibility, term)),
    ...(await findTables(db, organisationId, visibility, term)),
    ...(await findRunById(db, organisationId, visibility, term)),
    ...(await findRuns(db, organisationId, visibility, term)),
  ]
}

function pickBest(hits: readonly RankedHit[]): Camel<SearchHit>[] {
  return searchKinds
    .flatMap((kind) =>
      hits
        .filter((hit) => hit.kind === kind)
        .toSorted((one, other) => one.rank - other.rank)
        .slice(0, searchHitsPerKind),
    )
    .toSorted((one, other) => one.rank - other.rank)
    .map(withoutRank)
}

function withoutRank(hit: RankedHit): Camel<SearchHit> {
  const { rank: _, ...found } = hit
  return found
}
