import type { Assignee } from '@tributary/contract/assignments'
import type { Camel } from '@tributary/contract/wire'
import { type RawBuilder, sql } from 'kysely'
import { assignedEntities, assignedGroups, assignedHelperTables } from '../../planning/entitlement/assigned-records.ts'
import type { Db } from '../../kernel/store/store.ts'
import type { LinkView, Side } from './link-views.ts'
import { lockForTransaction } from '../../kernel/store/locks.ts'

/**
 * Held until the transaction ends, and with it all links of the organisation: two who save the same links from its two sides
 * come one after the other. Undefined where there is none.
 */
export async function lockOne(
  db: Db,
  organisationId: string,
  { one }: LinkView,
  id: string,
): Promise<{ hasAll: boolean } | undefined> {
  await lockForTransaction(db, 'links', organisationId)
  const { rows } = await sql<{ hasAll: boolean }>`
    SELECT ${allOf(one)} AS hasAll FROM ${sql.table(one.table)} AS record
    WHERE record.organisationId = ${organisationId} AND ${idOf(one)} = ${id} FOR NO KEY UPDATE`.execute(db)
  return rows[0]
}

/** What there is on the other side, by name, whether linked to that one or not. */
export interface Other {
  readonly id: string
  readonly name: string
  readonly isArchived: boolean
  /** It has all of that one's side, hence that one, too. */
  readonly hasAll: boolean
  readonly isLinked: boolean
}

export async function listOthers(
  db: Db,
  organisationId: string,
  { table, one, other }: LinkView,
  id: string,
): Promise<readonly Other[]> {
  const linked = sql`SELECT ${sql.ref(other.idColumn)} FROM ${sql.table(table)} WHERE organisationId = ${organisationId} AND ${sql.ref(one.idColumn)} = ${id}`
  const { rows } = await sql<Other>`
    SELECT ${idOf(other)} AS id, named.name, named.isArchived, ${allOf(other)} AS hasAll, ${idOf(other)} IN (${linked}) AS isLinked
    FROM ${sql.table(other.table)} AS record JOIN LATERAL (${nameOf(other)}) AS named ON true
    WHERE record.organisationId = ${organisationId} ORDER BY named.name COLLATE naturalOrder, 1`.execute(db)
  return rows
}

/** A member is not archived as a record is: who may not sign in keeps what is assigned. */
function nameOf({ table }: Side): RawBuilder<unknown> {
  return table === 'membership'
    ? sql`SELECT firstName || ' ' || lastName AS name, false AS isArchived FROM portalUser WHERE portalUser.id = record.userId`
    : sql`SELECT record.name, status.name = 'archived' AS isArchived FROM status WHERE status.id = record.statusId`
}

export async function setAll(
  db: Db,
  organisationId: string,
  { one }: LinkView,
  { id, hasAll }: { readonly id: string; readonly hasAll: boolean },
): Promise<void> {
  if (one.allColumn === null) return
  await sql`
    UPDATE ${sql.table(one.table)} AS record SET ${sql.id(one.allColumn)} = ${hasAll}
    WHERE record.organisationId = ${organisationId} AND ${idOf(one)} = ${id}`.execute(db)
}

interface Links {
  readonly id: string
  /** Of the other side. */
  readonly ids: readonly string[]
}

export async function deleteLinks(
  db: Db,
  organisationId: string,
  { table, one, other }: LinkView,
  { id, ids }: Links,
): Promise<void> {
  await sql`
    DELETE FROM ${sql.table(table)}
    WHERE organisationId = ${organisationId} AND ${sql.ref(one.idColumn)} = ${id} AND ${sql.ref(other.idColumn)} = ANY(${ids}::uuid[])`.execute(
    db,
  )
}

/** One that is deleted at the same moment is left out. */
export async function insertLinks(
  db: Db,
  organisationId: string,
  { table, one, other }: LinkView,
  { id, ids }: Links,
): Promise<void> {
  await sql`
    INSERT INTO ${sql.table(table)} (organisationId, ${sql.id(one.idColumn)}, ${sql.id(other.idColumn)})
    SELECT ${organisationId}, ${id}, ${idOf(other)} FROM ${sql.table(other.table)} AS record
    WHERE record.organisationId = ${organisationId} AND ${idOf(other)} = ANY(${ids}::uuid[]) ORDER BY 3 FOR KEY SHARE`.execute(
    db,
  )
}

function idOf({ table }: Side): RawBuilder<string> {
  return sql.ref(table === 'membership' ? 'record.userId' : 'record.id')
}

function allOf({ allColumn }: Side): RawBuilder<boolean> {
  return allColumn === null ? sql<boolean>`false` : sql<boolean>`record.${sql.id(allColumn)}`
}

/** By first name. */
export function listAssignees(db: Db, organisationId: string): Promise<Camel<Assignee>[]> {
  return db
    .selectFrom('membership')
    .innerJoin('portalUser', 'portalUser.id', 'membership.userId')
    .innerJoin('status', 'status.id', 'portalUser.statusId')
    .select(['portalUser.id', 'firstName', 'lastName', 'emailAddress', 'allHelperTables', 'allEntities'])
    .select(sql<{ name: string }>`json_build_object('name', status.name)`.as('status'))
    .select([assignedGroups.as('groups'), assignedHelperTables.as('helperTables'), assignedEntities.as('entities')])
    .where('membership.organisationId', '=', organisationId)
    .orderBy('firstName')
    .orderBy('lastName')
    .orderBy('portalUser.id')
    .execute()
}
