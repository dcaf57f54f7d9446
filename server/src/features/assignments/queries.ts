import type { Assignee } from '@tributary/contract/assignments'
import type { Camel } from '@tributary/contract/wire'
import { type RawBuilder, sql } from 'kysely'
import { assignedEntities, assignedGroups, assignedHelperTables } from '../../planning/entitlement/assigned-records.ts'
import type { Db } from '../../kernel/store/store.ts'
import type { LinkView, LinkViewSide } from './link-views.ts'
import { lockForTransaction } from '../../kernel/store/locks.ts'
import { selectNamedMembers } from '../../identity/people/members.ts'

/**
 * Locks the record, and all links of the organisation, until the transaction ends. This serialises saves of the same links from their
 * two sides. Returns undefined if the record does not exist.
 */
export async function lockRecord(
  db: Db,
  organisationId: string,
  { one }: LinkView,
  id: string,
): Promise<{ hasAll: boolean } | undefined> {
  await lockForTransaction(db, 'links', organisationId)
  const { rows } = await sql<{ hasAll: boolean }>`
    SELECT ${allFlagOf(one)} AS hasAll FROM ${sql.table(one.table)} AS record
    WHERE record.organisationId = ${organisationId} AND ${idColumnOf(one)} = ${id} FOR NO KEY UPDATE`.execute(db)
  return rows[0]
}

/** A record of the other side, linked or not. */
export interface LinkCandidate {
  readonly id: string
  readonly name: string
  readonly isArchived: boolean
  /** The record is linked to all current and future ones of the first side. */
  readonly hasAll: boolean
  readonly isLinked: boolean
}

export async function listCandidates(
  db: Db,
  organisationId: string,
  { table, one, other }: LinkView,
  id: string,
): Promise<readonly LinkCandidate[]> {
  const linked = sql`SELECT ${sql.ref(other.idColumn)} FROM ${sql.table(table)} WHERE organisationId = ${organisationId} AND ${sql.ref(one.idColumn)} = ${id}`
  const { rows } = await sql<LinkCandidate>`
    SELECT ${idColumnOf(other)} AS id, named.name, named.isArchived, ${allFlagOf(other)} AS hasAll, ${idColumnOf(other)} IN (${linked}) AS isLinked
    FROM ${sql.table(other.table)} AS record JOIN LATERAL (${selectName(other)}) AS named ON true
    WHERE record.organisationId = ${organisationId} ORDER BY named.name COLLATE naturalOrder, 1`.execute(db)
  return rows
}

/** Members never count as archived: locked and archived users keep their assignments. */
function selectName({ table }: LinkViewSide): RawBuilder<unknown> {
  return table === 'membership'
    ? sql`SELECT firstName || ' ' || lastName AS name, false AS isArchived FROM portalUser WHERE portalUser.id = record.userId`
    : sql`SELECT record.name, status.name = 'archived' AS isArchived FROM status WHERE status.id = record.statusId`
}

export async function setAllFlag(
  db: Db,
  organisationId: string,
  { one }: LinkView,
  { id, hasAll }: { readonly id: string; readonly hasAll: boolean },
): Promise<void> {
  if (one.allColumn === null) return
  await sql`
    UPDATE ${sql.table(one.table)} AS record SET ${sql.id(one.allColumn)} = ${hasAll}
    WHERE record.organisationId = ${organisationId} AND ${idColumnOf(one)} = ${id}`.execute(db)
}

interface LinkIds {
  readonly id: string
  /** Ids of records of the other side. */
  readonly ids: readonly string[]
}

export async function deleteLinks(
  db: Db,
  organisationId: string,
  { table, one, other }: LinkView,
  { id, ids }: LinkIds,
): Promise<void> {
  await sql`
    DELETE FROM ${sql.table(table)}
    WHERE organisationId = ${organisationId} AND ${sql.ref(one.idColumn)} = ${id} AND ${sql.ref(other.idColumn)} = ANY(${ids}::uuid[])`.execute(
    db,
  )
}

/** Skips records that another transaction has just deleted. */
export async function insertLinks(
  db: Db,
  organisationId: string,
  { table, one, other }: LinkView,
  { id, ids }: LinkIds,
): Promise<void> {
  await sql`
    INSERT INTO ${sql.table(table)} (organisationId, ${sql.id(one.idColumn)}, ${sql.id(other.idColumn)})
    SELECT ${organisationId}, ${id}, ${idColumnOf(other)} FROM ${sql.table(other.table)} AS record
    WHERE record.organisationId = ${organisationId} AND ${idColumnOf(other)} = ANY(${ids}::uuid[]) ORDER BY 3 FOR KEY SHARE`.execute(
    db,
  )
}

function idColumnOf({ table }: LinkViewSide): RawBuilder<string> {
  return sql.ref(table === 'membership' ? 'record.userId' : 'record.id')
}

function allFlagOf({ allColumn }: LinkViewSide): RawBuilder<boolean> {
  return allColumn === null ? sql<boolean>`false` : sql<boolean>`record.${sql.id(allColumn)}`
}

/** Members by first name, with their assignments. */
export function listAssignees(db: Db, organisationId: string): Promise<Camel<Assignee>[]> {
  return selectNamedMembers(db, organisationId)
    .select(['allHelperTables', 'allEntities'])
    .select([assignedGroups.as('groups'), assignedHelperTables.as('helperTables'), assignedEntities.as('entities')])
    .execute()
}
