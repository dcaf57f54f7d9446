/**
 * Brings the logins and rights of an organisation's warehouse in line with the store. Idempotent: an interrupted attempt is repeated,
 * and each attempt compares with what is there. One at a time for each warehouse, and the store is read only once the others have
 * finished, so that the latest state wins.
 */
import type { Client } from 'pg'
import type { WarehouseServer } from '../../connections/databases/warehouse-server.ts'
import type { Store } from '../../kernel/store/store.ts'
import { lockForSession } from '../../kernel/store/locks.ts'
import { withMissingRights } from '../warehouse/missing-rights.ts'
import { findWarehouse, type WarehouseRow } from '../warehouse/queries.ts'
import { serverOf, type ServerServices } from '../warehouse/servers/server-of.ts'
import { asAdmin, exists } from '../warehouse/warehouse-database.ts'
import { applyGrants } from './apply-grants.ts'
import { dropRoles, endConnections, ensureRoles, suspendLogins } from './person-roles.ts'
import { applyPasswords } from './apply-passwords.ts'
import { limitViews } from './limit-views.ts'
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
import { readWantedAccess, type WantedAccess } from './wanted-access.ts'
import { readCatalogue, type WarehouseCatalogue } from './warehouse-catalogue.ts'

export type AccessServices = ServerServices

/**
 * Does nothing if the organisation has no warehouse. Ends the connections of everyone who lost a right. Throws a `settings` Fault if
 * the admin's rights are insufficient.
 */
export async function applyAccess(services: AccessServices, organisationId: string): Promise<void> {
  const { store } = services
  const names = await store.within(organisationId, (db) => findWarehouse(db, organisationId))
  if (names === undefined) return
  const isCurrent = await applyAccessAt(services, await serverOf(services, names), names)
  // It has moved to another server meanwhile.
  if (!isCurrent) await applyAccess(services, organisationId)
}

/** Returns false, and does nothing, if the warehouse has moved to another server. */
async function applyAccessAt(
  { store }: AccessServices,
  server: WarehouseServer,
  names: WarehouseRow,
): Promise<boolean> {
  return await withMissingRights(server, names, () =>
    asAdmin(server, undefined, async (admin) => {
      await lockForSession(admin, 'warehouse', { subject: names.databaseName })
      const now = await store.within(names.organisationId, (db) => findWarehouse(db, names.organisationId))
      if (now?.serverId !== names.serverId) return false
      if (!(await exists(admin, 'SELECT FROM pg_database WHERE datname = $1', names.databaseName))) return true
      await asAdmin(server, names.databaseName, (client) => reconcile(store, names, client))
      return true
    }),
  )
}

/** @param client of the admin, in the database of the warehouse */
export async function reconcile(store: Store, names: WarehouseRow, client: Client): Promise<void> {
  const { organisationId } = names
  const { gone, ...wanted } = await readWantedAccess(store, organisationId)
  const { readers, owners } = wanted
  const catalogue = await readCatalogue(client, names)
  if (readers.length === 0 && catalogue.roles.size === 0) return applyGrants(client, names, wanted)
  await ensureRightsSchema(client, names)
  const kept = new Set(readers.map(({ principal }) => principal.id))
  const lost = [...catalogue.roles.keys()].filter((role) => !kept.has(principalIdOf(role)))
  const lostLogins = lost.filter(isLogin)
  await suspendLogins(client, lostLogins)
  await applyRoles(client, names, { ...wanted, catalogue })
  await applyPasswords(client, names, { ...wanted, catalogue })
  for (const login of lostLogins) await endConnections(client, login, null)
  await dropRoles(client, names, lost)
  await store.within(organisationId, (db) => deletePrincipals(db, organisationId, gone))
  await endRevoked(client)
  await limitVersionTables(client, names, { catalogue, owners })
  await limitViews(client, names, catalogue.relations, owners)
  await applyGrants(client, names, wanted)
  await endRevoked(client)
}

interface WantedRoles extends Pick<WantedAccess, 'readers' | 'assistants'> {
  readonly catalogue: WarehouseCatalogue
}

/** Roles and rows, which no reader of a table can delay. */
async function applyRoles(
  client: Client,
  names: WarehouseRow,
  { catalogue, readers, assistants }: WantedRoles,
): Promise<void> {
  const rights = readers.flatMap(({ principal, readable, sliceIds }): RowRights[] => {
    const { access, sql, portal, assistant } = principalRoles(names.databaseName, principal.id)
    const readsAll = readable.versions === 'all'
    const rows = { readsAll, sliceIds: readsAll ? [] : sliceIds }
    return [
      { role: access, logins: [sql, portal], ...rows },
      ...(assistants === null ? [] : [{ role: assistant, logins: [assistant], ...rows }]),
    ]
  })
  const shared: RowRights = { role: names.readerName, logins: [names.readerName], readsAll: true, sliceIds: [] }
  await client.query('BEGIN')
  for (const { principal, readable } of readers)
    await ensureRoles(client, names, catalogue, {
      principal,
      mayRead: readable.mayRead,
      mayAssist: readable.mayRead && assistants !== null,
    })
  await storeRowRights(client, [...rights, shared])
  await client.query('COMMIT')
  for (const reader of readers) {
    const { principal } = reader
    const { sql } = principalRoles(names.databaseName, principal.id)
    for (const login of suspendedLogins(names, { catalogue, assistants }, reader))
      await endConnections(client, login, null)
    if (principal.sqlVerifier === null && catalogue.roles.has(sql)) await dropRoles(client, names, [sql])
  }
}

/** The existing logins of a person that may not sign in now. */
function suspendedLogins(
  { databaseName }: WarehouseRow,
  { catalogue, assistants }: Pick<WantedRoles, 'catalogue' | 'assistants'>,
  { principal, readable }: WantedAccess['readers'][number],
): readonly string[] {
  const { sql, portal, assistant } = principalRoles(databaseName, principal.id)
  return [
    ...(readable.mayRead ? [] : [portal]),
    ...(catalogue.roles.has(assistant) && (!readable.mayRead || assistants === null) ? [assistant] : []),
    ...(catalogue.roles.has(sql) && (!readable.mayRead || principal.sqlVerifier === null) ? [sql] : []),
  ]
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
