import type { Organisation, Role, UserStatus } from '@tributary/contract/organisations'
import type { Camel } from '@tributary/contract/wire'
import { sql } from 'kysely'
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
  )
}

export function listOrganisations(db: Db): Promise<Camel<Organisation>[]> {
  return selectOrganisations(db).execute()
}

/** The organisations in which the caller has a role, without archived ones, which only the provider sees. */
export async function listOwnOrganisations(db: Db, ids: readonly string[]): Promise<Camel<Organisation>[]> {
  if (ids.length === 0) return []
  return selectOrganisations(db)
    .where('id', 'in', [...ids])
    .where('archivedAt', 'is', null)
    .execute()
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
