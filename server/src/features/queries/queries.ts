/** Queries of the store about queries that people write. */
import { may } from '@tributary/contract/capabilities'
import { queryLimits } from '@tributary/contract/limits'
import type { QueryChart, QueryRun, SavedQuery } from '@tributary/contract/queries'
import type { Camel } from '@tributary/contract/wire'
import { sql } from 'kysely'
import type { Actor } from '../../kernel/http/actor.ts'
import { badField, notFound } from '../../kernel/http/api-fault.ts'
import type { Db } from '../../kernel/store/store.ts'
import { warehouseId } from './database-ids.ts'

export interface NewQueryRun {
  readonly userId: string
  readonly connectorId: string | null
  readonly statement: string
  readonly startedAt: string
  readonly durationMs: number
  readonly rows: number
  readonly outcome: QueryRun['Outcome']
}

/** Keeps the latest of the person. */
export async function addToHistory(db: Db, organisationId: string, run: NewQueryRun): Promise<void> {
  await db
    .insertInto('queryRun')
    .values({ ...run, organisationId })
    .execute()
  await sql`DELETE FROM queryRun WHERE id IN (SELECT id FROM queryRun
    WHERE organisationId = ${organisationId} AND userId = ${run.userId}
    ORDER BY startedAt DESC, id OFFSET ${queryLimits.historyMax})`.execute(db)
}

export async function listHistory(db: Db, organisationId: string, userId: string): Promise<Camel<QueryRun>[]> {
  const rows = await db
    .selectFrom('queryRun')
    .select(['id', 'connectorId', 'statement', 'startedAt', 'durationMs', 'rows', 'outcome'])
    .where('organisationId', '=', organisationId)
    .where('userId', '=', userId)
    .orderBy('startedAt', 'desc')
    .orderBy('id')
    .execute()
  return rows.map(({ connectorId, startedAt, ...run }) => ({
    ...run,
    database: connectorId ?? warehouseId,
    startedAtUtc: startedAt,
  }))
}

export async function deleteHistory(db: Db, organisationId: string, userId: string): Promise<void> {
  await db.deleteFrom('queryRun').where('organisationId', '=', organisationId).where('userId', '=', userId).execute()
}

/** The caller's own, and the shared ones. */
function selectSavedQueries(db: Db, organisationId: string, { userId }: Pick<Actor, 'userId'>) {
  return db
    .selectFrom('savedQuery')
    .innerJoin('portalUser', 'portalUser.id', 'savedQuery.userId')
    .select([
      'savedQuery.id',
      'savedQuery.name',
      'connectorId',
      'statement',
      'chart',
      'isShared',
      'updatedAt',
      'userId',
    ])
    .select(sql<string>`firstName || ' ' || lastName`.as('owner'))
    .where('savedQuery.organisationId', '=', organisationId)
    .where((on) => on.or([on('userId', '=', userId), on('isShared', '=', true)]))
}

export async function listSavedQueries(db: Db, organisationId: string, actor: Actor): Promise<Camel<SavedQuery>[]> {
  const rows = await selectSavedQueries(db, organisationId, actor)
    .orderBy(sql`lower(savedQuery.name)`)
    .orderBy('savedQuery.id')
    .execute()
  return rows.map((row) => toSavedQuery(row, actor))
}

/** Throws `notFound`. */
export async function getSavedQuery(
  db: Db,
  organisationId: string,
  actor: Actor,
  queryId: string,
): Promise<Camel<SavedQuery>> {
  const row = await selectSavedQueries(db, organisationId, actor)
    .where('savedQuery.id', '=', queryId)
    .executeTakeFirstOrThrow(notFound)
  return toSavedQuery(row, actor)
}

type SavedQueryRow = Awaited<ReturnType<ReturnType<typeof selectSavedQueries>['execute']>>[number]

function toSavedQuery(row: SavedQueryRow, { userId, roleLevel }: Actor): Camel<SavedQuery> {
  const { connectorId, chart, updatedAt, userId: ownerId, ...query } = row
  const isOwn = ownerId === userId
  return {
    ...query,
    database: connectorId ?? warehouseId,
    chart: chart as QueryChart | null,
    isOwn,
    mayDelete: isOwn || may(roleLevel, 'seeWarehouse'),
    updatedAtUtc: updatedAt,
  }
}

/** Throws `badInput` if the person has as many as allowed. */
export async function requireRoomForQuery(db: Db, organisationId: string, userId: string): Promise<void> {
  const { count } = await db
    .selectFrom('savedQuery')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('organisationId', '=', organisationId)
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow()
  const { savedMax } = queryLimits
  if (count >= savedMax)
    throw badField('name', `cannot be saved: there are already ${savedMax} of yours. Delete one first`)
}

export interface SavedQueryColumns {
  readonly name: string
  readonly connectorId: string | null
  readonly statement: string
  readonly chart: string | null
  readonly isShared: boolean
}

export async function insertSavedQuery(
  db: Db,
  organisationId: string,
  query: SavedQueryColumns & { readonly userId: string },
): Promise<string> {
  const { id } = await db
    .insertInto('savedQuery')
    .values({ ...query, organisationId })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function updateSavedQuery(
  db: Db,
  organisationId: string,
  queryId: string,
  change: SavedQueryColumns,
): Promise<void> {
  await db
    .updateTable('savedQuery')
    .set({ ...change, updatedAt: sql<string>`now()` })
    .where('organisationId', '=', organisationId)
    .where('id', '=', queryId)
    .execute()
}

export async function deleteSavedQuery(db: Db, organisationId: string, queryId: string): Promise<void> {
  await db.deleteFrom('savedQuery').where('organisationId', '=', organisationId).where('id', '=', queryId).execute()
}

export interface OwnConnector {
  readonly id: string
  readonly key: string
  readonly name: string
}

/** By name. */
export async function listOwnConnectors(db: Db, organisationId: string): Promise<readonly OwnConnector[]> {
  return db
    .selectFrom('connector')
    .select(['id', 'key', 'name'])
    .where('organisationId', '=', organisationId)
    .where('status', '<>', 'DELETED')
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .execute()
}

/** By connector, without passwords. */
export async function listReadingLogins(db: Db, organisationId: string) {
  const rows = await db
    .selectFrom('readingLogin')
    .select(['connectorId', 'userName', 'address', 'savedAt'])
    .where('organisationId', '=', organisationId)
    .execute()
  return new Map(rows.map((row) => [row.connectorId, row]))
}
