import { sql } from 'kysely'
import { findPrincipal } from '../../access/logins/queries.ts'
import { principalRoles } from '../../access/logins/role-names.ts'
import { getWarehouse } from '../../access/warehouse/queries.ts'
import type { Db } from '../../kernel/store/store.ts'

/** The names of the organisation and of its database in the warehouse, which must exist. */
export function findReportSource(db: Db, organisationId: string) {
  return db
    .selectFrom('organisation')
    .innerJoin('warehouse', 'warehouse.organisationId', 'organisation.id')
    .select(['organisation.companyName', 'warehouse.databaseName'])
    .where('organisation.id', '=', organisationId)
    .executeTakeFirstOrThrow()
}

export interface OwnLogin {
  readonly database: string
  /** Null: the person has created no database login. */
  readonly user: string | null
  readonly seen: { readonly at: string; readonly program: string | null } | null
}

/** The person's database login. The warehouse must exist. */
export async function findOwnLogin(db: Db, organisationId: string, userId: string): Promise<OwnLogin> {
  const { databaseName: database } = await getWarehouse(db, organisationId)
  const principal = await findPrincipal(db, organisationId, userId)
  if (principal === undefined || principal.sqlVerifier === null) return { database, user: null, seen: null }
  const { seenAt: at, seenProgram: program } = principal
  const user = principalRoles(database, principal.id).sql
  return { database, user, seen: at === null ? null : { at, program } }
}

/** The access tokens of the person that read the feed now, the latest used first. */
export function listReadingTokens(db: Db, organisationId: string, userId: string, now: string) {
  return db
    .selectFrom('apiToken')
    .innerJoin('organisation', 'organisation.id', 'apiToken.organisationId')
    .select(['apiToken.name', 'apiToken.lastUsedAt', 'apiToken.expiresAt'])
    .where('apiToken.organisationId', '=', organisationId)
    .where('apiToken.userId', '=', userId)
    .where('apiToken.revokedAt', 'is', null)
    .where('apiToken.expiresAt', '>', now)
    .where(sql<boolean>`'data.read' = ANY (apiToken.scopes)`)
    .where('organisation.allowsTokens', '=', true)
    .orderBy('apiToken.lastUsedAt', (order) => order.desc().nullsLast())
    .orderBy('apiToken.id')
    .execute()
}
