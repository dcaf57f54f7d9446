/**
 * Brings the logins and rights of an organisation's warehouse in line with the store. Idempotent: an interrupted attempt is repeated,
 * and each attempt compares with what is there. One at a time for each warehouse, and the store is read only once the others have
 * finished, so that the latest state wins.
 */
import type { Client } from 'pg'
import type { ConnectionServices } from '../../connections/connection-services.ts'
import type { Store } from '../../kernel/store/store.ts'
import { lockForSession } from '../../kernel/store/locks.ts'
import { withMissingRights } from '../warehouse/missing-rights.ts'
import { findWarehouse, type WarehouseRow } from '../warehouse/queries.ts'
import { asAdmin, exists } from '../warehouse/warehouse-database.ts'
import { applyGrants } from './apply-grants.ts'
import { dropRoles, endConnections, ensureRoles, suspendLogins } from './person-roles.ts'
import { applyPasswords } from './apply-passwords.ts'
import { deletePrincipals } from './queries.ts'
import { ownerOf, type TableOwners } from './readable-relations.ts'
import {
  clearRevoked,
  ensureRightsSchema,
  limitRows,
  listRevoked,
  type RowRights,
  storeRowRights,
} from './rights-schema.ts'
import { isLogin, principalIdOf, principalRoles } from './role-names.ts'
import { type Reader, readWantedAccess } from './wanted-access.ts'
import { readCatalogue, type WarehouseCatalogue } from './warehouse-catalogue.ts'

export type AccessServices = Pick<ConnectionServices, 'store' | 'warehouse'>

/**
 * Does nothing if the organisation has no warehouse. Ends the connections of everyone who lost a right. Throws a `settings` Fault if
 * the admin's rights are insufficient.
 */
export async function applyAccess(services: AccessServices, organisationId: string): Promise<void> {
  const { store, warehouse } = services
  const names = await store.within(organisationId, (db) => findWarehouse(db, organisationId))
  if (names === undefined) return
  await withMissingRights(warehouse, names, () =>
    asAdmin(warehouse, undefined, async (admin) => {
      await lockForSession(admin, 'warehouse', { subject: names.databaseName })
      if (!(await exists(admin, 'SELECT FROM pg_database WHERE datname = $1', names.databaseName))) return
      await asAdmin(warehouse, names.databaseName, (client) => reconcile(store, names, client))
    }),
  )
}

async function reconcile(store: Store, names: WarehouseRow, client: Client): Promise<void> {
  const { organisationId } = names
  const { readers, owners, gone } = await readWantedAccess(store, organisationId)
  const catalogue = await readCatalogue(client, names)
  if (readers.length === 0 && catalogue.roles.size === 0) return applyGrants(client, names, { readers, owners })
  await ensureRightsSchema(client, names)
  const kept = new Set(readers.map(({ principal }) => principal.id))
  const lost = [...catalogue.roles.keys()].filter((role) => !kept.has(principalIdOf(role)))
  const lostLogins = lost.filter(isLogin)
  await suspendLogins(client, lostLogins)
  await applyRoles(client, names, { catalogue, readers })
  await applyPasswords(client, names, { catalogue, readers })
  for (const login of lostLogins) await endConnections(client, login, null)
  await dropRoles(client, names, lost)
  await store.within(organisationId, (db) => deletePrincipals(db, organisationId, gone))
  await endRevoked(client)
  await limitVersionTables(client, names, { catalogue, owners })
  await applyGrants(client, names, { readers, owners })
  await endRevoked(client)
}

/** Roles and rows, which no reader of a table can delay. */
async function applyRoles(
  client: Client,
  names: WarehouseRow,
  { catalogue, readers }: { readonly catalogue: WarehouseCatalogue; readonly readers: readonly Reader[] },
): Promise<void> {
  const rights = readers.map(({ principal, readable, sliceIds }): RowRights => {
    const { access, sql, portal } = principalRoles(names.databaseName, principal.id)
    const readsAll = readable.versions === 'all'
    return { role: access, logins: [sql, portal], readsAll, sliceIds: readsAll ? [] : sliceIds }
  })
  const shared: RowRights = { role: names.readerName, logins: [names.readerName], readsAll: true, sliceIds: [] }
  await client.query('BEGIN')
  for (const { principal, readable } of readers)
    await ensureRoles(client, names, catalogue, { principal, mayRead: readable.mayRead })
  await storeRowRights(client, [...rights, shared])
  await client.query('COMMIT')
  for (const { principal, readable } of readers) {
    const { sql, portal } = principalRoles(names.databaseName, principal.id)
    const suspended = [
      ...(readable.mayRead ? [] : [portal]),
      ...(catalogue.roles.has(sql) && (!readable.mayRead || principal.sqlVerifier === null) ? [sql] : []),
    ]
    for (const login of suspended) await endConnections(client, login, null)
    if (principal.sqlVerifier === null && catalogue.roles.has(sql)) await dropRoles(client, names, [sql])
  }
}

async function limitVersionTables(
  client: Client,
  names: WarehouseRow,
  { catalogue, owners }: { readonly catalogue: WarehouseCatalogue; readonly owners: TableOwners },
): Promise<void> {
  for (const relation of catalogue.relations)
    if (ownerOf(relation, owners).kind === 'version' && !relation.isLimitedByRows)
      await limitRows(client, names, relation)
}

async function endRevoked(client: Client): Promise<void> {
  for (const revoked of await listRevoked(client)) {
    const { rows } = await client.query<{ name: string }>(
      'SELECT rolname AS name FROM pg_roles WHERE rolname = ANY ($1)',
      [revoked.logins],
    )
    for (const { name } of rows) await endConnections(client, name, revoked.at)
    await clearRevoked(client, revoked)
  }
}
