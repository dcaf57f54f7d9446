import type { Organisation, OrganisationQuery, Role, UserStatus } from '@tributary/contract/organisations'
import type { Camel } from '@tributary/contract/wire'
import { sql } from 'kysely'
import { isPaged, onePage } from '../../kernel/http/paging.ts'
import { matchesSearch } from '../../kernel/store/search.ts'
import type { Db } from '../../kernel/store/store.ts'

function selectOrganisations(db: Db) {
  return (
    db
      .selectFrom('organisation')
      .select(['organisation.id', 'companyName', 'key', 'timeZone', 'requiresMfa as requireMultiFactorAuthentication'])
      // An organisation has one Excel product, whose id is the organisation's.
      .select('organisation.id as budget2SqlProductId')
      .select(sql<boolean>`archivedAt IS NOT NULL`.as('archived'))
      .orderBy('companyName')
      .orderBy('organisation.id')
  )
}

export function listOrganisations(db: Db): Promise<Camel<Organisation>[]> {
  return selectOrganisations(db).execute()
}

interface FoundOrganisations {
  readonly organisations: Camel<Organisation>[]
  /** Counted only for a page. */
  readonly total: number | null
}

/**
 * @param ids those in which the caller has a role, without archived ones, which only the provider sees; null for the provider's people,
 * who see all
 */
export async function findOrganisations(
  db: Db,
  ids: readonly string[] | null,
  { id, search, ...page }: OrganisationQuery,
): Promise<FoundOrganisations> {
  const isFound =
    ids === null ? sql<boolean>`true` : sql<boolean>`(organisation.id = ANY (${ids}::uuid[]) AND archivedAt IS NULL)`
  const found = selectOrganisations(db)
    .where(isFound)
    .where(matchesSearch(sql.ref('companyName'), search))
    .$if(id !== undefined, (query) => query.where('organisation.id', '=', id ?? ''))
  const organisations = await onePage(found, page).execute()
  if (!isPaged(page)) return { organisations, total: null }
  const { total } = await db
    .selectFrom(found.clearOrderBy().as('found'))
    .select((count) => count.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return { organisations, total }
}

export function getOrganisation(db: Db, organisationId: string): Promise<Camel<Organisation>> {
  return selectOrganisations(db).where('organisation.id', '=', organisationId).executeTakeFirstOrThrow()
}

export function listRoles(db: Db): Promise<Camel<Role>[]> {
  return db.selectFrom('role').select(['id', 'displayName', 'name', 'roleLevel']).orderBy('roleLevel').execute()
}

export function listStatuses(db: Db): Promise<Camel<UserStatus>[]> {
  return db.selectFrom('status').select(['id', 'name']).orderBy('id').execute()
}

/** Locks the organisation's connectors until the transaction ends. Runs start and end under these locks. */
export function lockConnectors(db: Db, organisationId: string) {
  return db
    .selectFrom('connector')
    .select(['id', 'schedule', 'nextRunAt'])
    .where('organisationId', '=', organisationId)
    .orderBy('id')
    .forUpdate()
    .execute()
}
