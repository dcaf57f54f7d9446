/** Names of the roles that a person has in the warehouse's PostgreSQL server. */

export interface PrincipalRoles {
  /** Holds the grants. Cannot sign in. */
  readonly access: string
  /** For the person's programs. */
  readonly sql: string
  /** For queries that the server makes for the person. */
  readonly portal: string
}

/** @param databaseName the warehouse's database @param id of the principal */
export function principalRoles(databaseName: string, id: string): PrincipalRoles {
  return { access: `${databaseName}_a_${id}`, sql: `${databaseName}_p_${id}`, portal: `${databaseName}_s_${id}` }
}

/** The principal's id in the name of one of its roles. */
export function principalIdOf(roleName: string): string {
  return roleName.slice(-12)
}

/** A POSIX regular expression for the names of all roles of principals in one database. */
export function principalRolePattern(databaseName: string): string {
  return `^${databaseName}_[aps]_[0-9a-f]{12}$`
}

/** A POSIX regular expression for the roles that are granted tables: access roles, and the shared reader. */
export function granteePattern(databaseName: string): string {
  return `^${databaseName}_(a_[0-9a-f]{12}|reader)$`
}

/** The same for logins of persons, in the databases of all installations on the server. */
export const principalLoginPattern = '^w_[0-9a-f]{16}_[ps]_[0-9a-f]{12}$'

/** Whether a role of a principal is one of its logins. */
export function isLogin(roleName: string): boolean {
  return !roleName.includes('_a_')
}
