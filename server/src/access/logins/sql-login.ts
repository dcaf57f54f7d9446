/** The SQL login of a person: created with a generated password, rotated and revoked. */
import type { ConnectionServices } from '../../connections/connection-services.ts'
import { isoTime } from '../../kernel/clock.ts'
import type { Db } from '../../kernel/store/store.ts'
import { findWarehouse, type WarehouseRow } from '../warehouse/queries.ts'
import { generatePassword, scramVerifier } from '../warehouse/scram.ts'
import { ensureWarehouse } from '../warehouse/warehouse.ts'
import { applyAccess } from './apply-access.ts'
import { ensurePrincipal } from './principals.ts'
import { storeSqlLogin } from './queries.ts'
import { principalRoles } from './role-names.ts'

type SqlLoginServices = Pick<ConnectionServices, 'clock' | 'log' | 'secrets' | 'store' | 'warehouse'>

export interface SqlLoginOwner {
  readonly organisationId: string
  readonly userId: string
}

export interface SqlLogin {
  readonly names: WarehouseRow
  readonly user: string
  readonly password: string
}

/**
 * Creates the login, or gives it a new password and ends its connections. The password is returned once and stored nowhere.
 * @param record writes the audit event, in the transaction that stores the login
 */
export async function createSqlLogin(
  services: SqlLoginServices,
  { organisationId, userId }: SqlLoginOwner,
  record: (db: Db, login: string) => Promise<void>,
): Promise<SqlLogin> {
  const { clock, log, store } = services
  const { row: names } = await ensureWarehouse(services, organisationId)
  const password = generatePassword()
  log.redactSecret(password)
  const verifier = scramVerifier(password)
  const user = await store.within(organisationId, async (db) => {
    const { principal } = await ensurePrincipal(services, db, organisationId, userId)
    const { sql } = principalRoles(names.databaseName, principal.id)
    await storeSqlLogin(db, organisationId, userId, { verifier, createdAt: isoTime(clock.now()) })
    await record(db, sql)
    return sql
  })
  await applyAccess(services, organisationId)
  return { names, user, password }
}

/** Drops the login and ends its connections. @param record as in `createSqlLogin` */
export async function revokeSqlLogin(
  services: Pick<SqlLoginServices, 'secrets' | 'store' | 'warehouse'>,
  { organisationId, userId }: SqlLoginOwner,
  record: (db: Db, databaseName: string) => Promise<void>,
): Promise<void> {
  const hasWarehouse = await services.store.within(organisationId, async (db) => {
    const warehouse = await findWarehouse(db, organisationId)
    if (warehouse === undefined) return false
    await storeSqlLogin(db, organisationId, userId, null)
    await record(db, warehouse.databaseName)
    return true
  })
  if (hasWarehouse) await applyAccess(services, organisationId)
}
