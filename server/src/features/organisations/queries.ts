import type { Organisation, Role, UserStatus } from '@tributary/contract/organisations'
import type { Camel } from '@tributary/contract/wire'
import { sql } from 'kysely'
import type { Db } from '../../kernel/store/store.ts'

function selectOrganisations(db: Db) {
  return (
    db
      .selectFrom('organisation')
      .select(['organisation.id', 'companyName', 'key', 'timeZone', 'requiresMfa as requireMultiFactorAuthentication'])
      // An organisation has one Excel product, which goes by the organisation's own id.
      .select('organisation.id as budget2SqlProductId')
      .select(sql<boolean>`archivedAt IS NOT NULL`.as('archived'))
      .orderBy('companyName')
  )
}

export function listOrganisations(db: Db): Promise<Camel<Organisation>[]> {
  return selectOrganisations(db).execute()
}

/** Those at work; an archived one is the provider's to see. */
export function listOwnOrganisations(db: Db, userId: string): Promise<Camel<Organisation>[]> {
  return selectOrganisations(db)
    .innerJoin('membership', 'membership.organisationId', 'organisation.id')
    .where('membership.userId', '=', userId)
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

/** The organisation's connectors, held until the transaction ends: runs are started and ended under these locks. */
export function lockConnectors(db: Db, organisationId: string) {
  return db
    .selectFrom('connector')
    .select(['id', 'schedule', 'nextRunAt'])
    .where('organisationId', '=', organisationId)
    .orderBy('id')
    .forUpdate()
    .execute()
}

export async function setNextRun(
  db: Db,
  organisationId: string,
  connectorId: string,
  nextRunAt: Date | null,
): Promise<void> {
  await db
    .updateTable('connector')
    .set({ nextRunAt })
    .where('organisationId', '=', organisationId)
    .where('id', '=', connectorId)
    .execute()
}

/** Runs that nobody has taken end now; one under way is asked to, and its worker sees that within a second. */
export async function endAllRuns(db: Db, organisationId: string, notice: string): Promise<void> {
  await db
    .updateTable('run')
    .set({
      cancelRequestedAt: sql`now()`,
      notice,
      status: sql`CASE status WHEN 'RUNNING' THEN status ELSE 'CANCELLED' END`,
      completedAt: sql`CASE status WHEN 'RUNNING' THEN NULL ELSE now() END`,
    })
    .where('organisationId', '=', organisationId)
    .where('status', 'in', ['QUEUED', 'RUNNING', 'WAITING'])
    .execute()
}
