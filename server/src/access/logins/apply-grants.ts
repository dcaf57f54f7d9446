/** Grants tables and views to the access roles of persons and to the shared reader, and revokes them. */
import { type Client, escapeIdentifier as q } from 'pg'
import type { WarehouseRow } from '../warehouse/queries.ts'
import type { ReadableTables } from '../query/readable-tables.ts'
import { limitToAssistants, readableRelations } from './readable-relations.ts'
import { markRevoked } from './rights-schema.ts'
import { principalRoles } from './role-names.ts'
import type { WantedAccess } from './wanted-access.ts'
import { readCatalogue, type WarehouseCatalogue, type WarehouseRelation } from './warehouse-catalogue.ts'

/** A refresh got in between: read the catalogue again. */
const attemptsMax = 10

/** All grants of an organisation change in one transaction. */
export async function applyGrants(client: Client, names: WarehouseRow, wanted: WantedAccess): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const changes = compareGrants(names, wanted, await readCatalogue(client, names))
    if (changes.relations.length === 0 && changes.schemas.length === 0) return
    if (await tryChanges(client, names, changes)) return
    if (attempt === attemptsMax) throw new Error('Tables of a warehouse were replaced while access was being granted.')
  }
}

interface GrantChange<Of> {
  readonly of: Of
  readonly granted: readonly string[]
  readonly revoked: readonly string[]
}

interface GrantChanges {
  readonly relations: readonly GrantChange<WarehouseRelation>[]
  readonly schemas: readonly GrantChange<string>[]
}

function compareGrants(
  { databaseName, readerName }: WarehouseRow,
  { readers, owners, assistants }: WantedAccess,
  { relations, schemas }: WarehouseCatalogue,
): GrantChanges {
  const rolesOf = new Map<number, Set<string>>()
  const rolesIn = new Map<string, Set<string>>()
  // The shared reader gets new tables by default privileges, but not those of a restored database.
  for (const { oid, schema } of relations) {
    add(rolesOf, oid, readerName)
    add(rolesIn, schema, readerName)
  }
  for (const { principal, readable } of readers) {
    const { access, assistant } = principalRoles(databaseName, principal.id)
    const grant = (role: string, to: ReadableTables) => {
      const oids = readableRelations(relations, to, owners)
      for (const { oid, schema } of relations.filter((relation) => oids.has(relation.oid))) {
        add(rolesOf, oid, role)
        add(rolesIn, schema, role)
      }
    }
    grant(access, readable)
    if (assistants !== null && principal.assistantVerifier !== null)
      grant(assistant, limitToAssistants(readable, assistants.connectors))
  }
  const byRelation = relations.map((of) => compare(of, of.grantees, rolesOf.get(of.oid)))
  const bySchema = schemas.map(({ name, grantees }) =>
    compare(name, grantees, rolesIn.get(name) ?? new Set([readerName])),
  )
  return { relations: byRelation.filter(changesSomething), schemas: bySchema.filter(changesSomething) }
}

function add<Key>(sets: Map<Key, Set<string>>, key: Key, value: string): void {
  sets.set(key, (sets.get(key) ?? new Set()).add(value))
}

function compare<Of>(of: Of, existing: readonly string[], wanted: ReadonlySet<string> = new Set()): GrantChange<Of> {
  const granted = [...wanted].filter((role) => !existing.includes(role))
  return { of, granted, revoked: existing.filter((role) => !wanted.has(role)) }
}

function changesSomething({ granted, revoked }: GrantChange<unknown>): boolean {
  return granted.length > 0 || revoked.length > 0
}

/**
 * Returns false if a table is no longer the one that was read, or a refresh was given precedence. The lock keeps a refresh from swapping a table between reading its
 * grants and giving them to its replacement; it waits for readers of no table. It waits for less than `deadlock_timeout`, so that of a deadlock between both this
 * transaction is the one that fails, not the refresh.
 */
async function tryChanges(client: Client, names: WarehouseRow, { relations, schemas }: GrantChanges): Promise<boolean> {
  await client.query('BEGIN')
  try {
    await client.query(`SET LOCAL lock_timeout = '500ms'; SET LOCAL ROLE ${q(names.writerName)}`)
    const tables = relations.filter(({ of }) => of.kind === 'table').map(({ of }) => nameOf(of))
    if (tables.length > 0) await client.query(`LOCK TABLE ${tables.join(', ')} IN ACCESS SHARE MODE`)
    if (!(await areUnchanged(client, relations))) {
      await client.query('ROLLBACK')
      return false
    }
    for (const { of, granted, revoked } of schemas)
      await change(client, `USAGE ON SCHEMA ${q(of)}`, { granted, revoked })
    for (const { of, granted, revoked } of relations)
      await change(client, `SELECT ON ${nameOf(of)}`, { granted, revoked })
    await client.query('RESET ROLE')
    await markRevoked(client, [...new Set(relations.flatMap(({ revoked }) => revoked))])
    await client.query('COMMIT')
    return true
  } catch (error) {
    await client.query('ROLLBACK')
    if (passingCodes.has((error as { readonly code?: string }).code ?? '')) return false
    throw error
  }
}

/** SQLSTATE of a table that a refresh has replaced or locked, and of a deadlock with one that is replacing several. */
const passingCodes: ReadonlySet<string> = new Set(['42P01', '40P01', '55P03'])

async function areUnchanged(client: Client, relations: GrantChanges['relations']): Promise<boolean> {
  const { rowCount } = await client.query(
    `SELECT FROM jsonb_to_recordset($1::jsonb) AS known (name text, oid bigint) WHERE to_regclass(name)::oid::int8 IS DISTINCT FROM oid`,
    [JSON.stringify(relations.map(({ of }) => ({ name: nameOf(of), oid: of.oid })))],
  )
  return rowCount === 0
}

async function change(
  client: Client,
  what: string,
  { granted, revoked }: Pick<GrantChange<unknown>, 'granted' | 'revoked'>,
): Promise<void> {
  const list = (roles: readonly string[]) => roles.map((role) => q(role)).join(', ')
  if (granted.length > 0) await client.query(`GRANT ${what} TO ${list(granted)}`)
  if (revoked.length > 0) await client.query(`REVOKE ${what} FROM ${list(revoked)}`)
}

function nameOf({ schema, name }: WarehouseRelation): string {
  return `${q(schema)}.${q(name)}`
}
