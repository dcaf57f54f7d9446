/** Names of the roles that a person has in the warehouse's PostgreSQL server. */

export interface PrincipalRoles {
  /** Holds the grants. Cannot sign in. */
  readonly access: string
  /** For the person's programs. */
  readonly sql: string
  /** For queries that the server makes for the person. */
  readonly portal: string
  /** For queries of the person's assistants. Holds its grants itself: it is a member of no role that it could switch to. */
  readonly assistant: string
}

/** @param databaseName the warehouse's database @param id of the principal */
export function principalRoles(databaseName: string, id: string): PrincipalRoles {
  const named = (kind: string) => `${databaseName}_${kind}_${id}`
  return { access: named('a'), sql: named('p'), portal: named('s'), assistant: named('m') }
}

/** The principal's id in the name of one of its roles. */
export function principalIdOf(roleName: string): string {
  return roleName.slice(-12)
}

/** A POSIX regular expression for the names of all roles of principals in one database. */
export function principalRolePattern(databaseName: string): string {
  return `^${databaseName}_[apsm]_[0-9a-f]{12}$`
}

/** A POSIX regular expression for the roles that are granted tables: access roles, logins of assistants, and the shared reader. */
export function granteePattern(databaseName: string): string {
  return `^${databaseName}_([am]_[0-9a-f]{12}|reader)$`
}

/** The same for logins of persons, in the databases of all installations on the server. */
export const principalLoginPattern = '^w_[0-9a-f]{16}_[psm]_[0-9a-f]{12}$'

/** Whether a role of a principal is one of its logins. */
export function isLogin(roleName: string): boolean {
  return !roleName.includes('_a_')
}
