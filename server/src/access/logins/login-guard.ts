/**
 * Finds logins of persons that have changed their own password or settings, which PostgreSQL allows to every login. Sets them
 * back and records an audit event.
 */
import type { ConnectionServices } from '../../connections/connection-services.ts'
import type { WarehouseServer } from '../../connections/databases/warehouse-server.ts'
import { systemAuditContext } from '../../kernel/audit-context.ts'
import type { Db } from '../../kernel/store/store.ts'
import { forEachServer, type PlacedServer } from '../warehouse/servers/each-server.ts'
import { asAdmin, isSuperuser } from '../warehouse/warehouse-database.ts'
import { type LoginKind, loginSettings, resetLogin } from './person-roles.ts'
import { principalIdOf, principalLoginPattern, principalRoles } from './role-names.ts'

type LoginGuardServices = Pick<ConnectionServices, 'audit' | 'secrets' | 'store' | 'warehouse'>

interface LoginState {
  readonly name: string
  readonly settings: readonly string[]
  readonly hasDatabaseSettings: boolean
  /** Null if the login has no password, or the admin cannot see it. */
  readonly verifier: string | null
}

export function guardLogins(services: LoginGuardServices): Promise<void> {
  return forEachServer(services, (server) => guardLoginsOf(services, server))
}

async function guardLoginsOf(services: LoginGuardServices, { id, server }: PlacedServer): Promise<void> {
  const { states, isAdminSuperuser } = await asAdmin(server, undefined, async (admin) => {
    const superuser = await isSuperuser(admin)
    const { rows } = await admin.query<LoginState>(
      `SELECT role.rolname AS name, coalesce(rolconfig, '{}') AS settings, ${superuser ? 'secret.rolpassword' : 'NULL::text'} AS verifier,
         EXISTS (SELECT FROM pg_db_role_setting WHERE setrole = role.oid AND setdatabase <> 0) AS "hasDatabaseSettings"
       FROM pg_roles AS role ${superuser ? 'JOIN pg_authid AS secret ON secret.oid = role.oid' : ''} WHERE role.rolname ~ $1`,
      [principalLoginPattern],
    )
    return { states: rows, isAdminSuperuser: superuser }
  })
  if (states.length === 0) return
  // Across: the logins belong to all organisations.
  const principals = await services.store.across((db) => listPrincipalsEverywhere(db, id, states))
  for (const principal of principals) {
    const roles = principalRoles(principal.databaseName, principal.id)
    const logins = [
      { name: roles.portal, kind: 'portal', verifier: principal.portalVerifier },
      { name: roles.sql, kind: 'sql', verifier: principal.sqlVerifier },
      { name: roles.assistant, kind: 'assistant', verifier: principal.assistantVerifier },
    ] as const
    for (const { name, kind, verifier } of logins) {
      const state = states.find((one) => one.name === name)
      const changed =
        state === undefined || verifier === null ? [] : changesOf(state, { kind, verifier, isAdminSuperuser })
      if (verifier !== null && changed.length > 0)
        await resetAndAudit(services, server, principal, { login: { name, kind, verifier }, changed })
    }
  }
}

interface ExpectedLogin {
  readonly kind: LoginKind
  readonly verifier: string
  readonly isAdminSuperuser: boolean
}

function changesOf(state: LoginState, { kind, verifier, isAdminSuperuser }: ExpectedLogin): readonly string[] {
  const expected = new Set(loginSettings(kind, isAdminSuperuser))
  // An admin without superuser rights cannot limit temporary files, but the operator may have done so.
  const checked = state.settings.filter((setting) => expected.has(setting) || !setting.startsWith('temp_file_limit='))
  const hasOtherSettings =
    state.hasDatabaseSettings || checked.length !== expected.size || checked.some((setting) => !expected.has(setting))
  const hasOtherPassword = state.verifier !== null && state.verifier !== verifier
  return [...(hasOtherSettings ? ['settings'] : []), ...(hasOtherPassword ? ['password'] : [])]
}

type GuardedPrincipal = Awaited<ReturnType<typeof listPrincipalsEverywhere>>[number]

function listPrincipalsEverywhere(db: Db, serverId: string, states: readonly LoginState[]) {
  return db
    .selectFrom('warehousePrincipal')
    .innerJoin('warehouse', 'warehouse.organisationId', 'warehousePrincipal.organisationId')
    .select([
      'warehousePrincipal.id',
      'warehousePrincipal.organisationId',
      'userId',
      'portalVerifier',
      'sqlVerifier',
      'assistantVerifier',
      'databaseName',
    ])
    .where('warehouse.serverId', '=', serverId)
    .where('warehousePrincipal.id', 'in', [...new Set(states.map(({ name }) => principalIdOf(name)))])
    .execute()
}

interface Tampering {
  readonly login: { readonly name: string; readonly kind: LoginKind; readonly verifier: string }
  readonly changed: readonly string[]
}

async function resetAndAudit(
  { audit, store }: LoginGuardServices,
  server: WarehouseServer,
  { organisationId, userId, databaseName }: GuardedPrincipal,
  { login, changed }: Tampering,
): Promise<void> {
  await asAdmin(server, undefined, (admin) => resetLogin(admin, { databaseName }, login))
  await store.within(organisationId, (db) =>
    audit.record(db, systemAuditContext, {
      organisationId,
      action: 'warehouse.login_set_back',
      object: { type: 'user', id: userId },
      detail: { changed: changed.join(' and ') },
    }),
  )
}
