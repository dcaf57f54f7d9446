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
