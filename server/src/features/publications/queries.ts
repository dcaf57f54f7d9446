/** Queries of publication sets and their publications. */
import { sql, type UpdateObject } from 'kysely'
import type { StoreSchema } from '../../kernel/store/schema/schema.ts'
import type { Db } from '../../kernel/store/store.ts'
import type { MemberState } from './publication-rule.ts'

/** Due decisions are also found without a notification. */
const decideAgainSeconds = 60
/** The worker that makes it may have been killed, or its target does not answer. */
const finishAfterSeconds = 15

export interface SetLocation {
  readonly organisationId: string
  readonly setId: string
}

/** Sets whose decision is due, or whose publication is not finished. */
export async function listDueSetsEverywhere(db: Db): Promise<readonly SetLocation[]> {
  return await db
    .selectFrom('publicationSet')
    .innerJoin('organisation', 'organisation.id', 'publicationSet.organisationId')
    .select(['organisationId', 'publicationSet.id as setId'])
    .where('organisation.archivedAt', 'is', null)
    .where(
      sql<boolean>`(publicationSet.decidedAt IS NULL
        OR (isOn AND publicationSet.decidedAt < now() - ${decideAgainSeconds} * interval '1 second')
        OR (publicationSet.decidedAt < now() - ${finishAfterSeconds} * interval '1 second'
          AND EXISTS (SELECT FROM publication WHERE publication.setId = publicationSet.id AND publication.publishedAt IS NULL)))`,
    )
    .execute()
}

export async function findSetEverywhere(db: Db, setId: string): Promise<SetLocation | undefined> {
  return await db
    .selectFrom('publicationSet')
    .select(['organisationId', 'id as setId'])
    .where('id', '=', setId)
    .executeTakeFirst()
}

/** Locked until the transaction ends, so that one decision is made at a time. */
export function lockSet(db: Db, organisationId: string, setId: string) {
  return db
    .selectFrom('publicationSet')
    .selectAll()
    .where('organisationId', '=', organisationId)
    .where('id', '=', setId)
    .forUpdate()
    .executeTakeFirst()
}

export type StoredSet = NonNullable<Awaited<ReturnType<typeof lockSet>>>

export async function updateSet(
  db: Db,
  organisationId: string,
  setId: string,
  values: UpdateObject<StoreSchema, 'publicationSet'>,
): Promise<void> {
  await db
    .updateTable('publicationSet')
    .set(values)
    .where('organisationId', '=', organisationId)
    .where('id', '=', setId)
    .execute()
}

/** The latest publication that the target shows, or the one that it does not show yet. */
export async function findPublication(
  db: Db,
  organisationId: string,
  setId: string,
  which: 'shown' | 'pending',
): Promise<ShownPublication | undefined> {
  const found = await db
    .selectFrom('publication')
    .select(['number', 'publishedAt'])
    .where('organisationId', '=', organisationId)
    .where('setId', '=', setId)
    .where('publishedAt', which === 'shown' ? 'is not' : 'is', null)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (found === undefined) return undefined
  return { ...found, runs: await listPublishedRuns(db, organisationId, setId, [found.number]) }
}

export interface ShownPublication {
  readonly number: number
  readonly publishedAt: string | null
  readonly runs: Awaited<ReturnType<typeof listPublishedRuns>>
}

export function listPublishedRuns(db: Db, organisationId: string, setId: string, numbers: readonly number[]) {
  return db
    .selectFrom('publicationRun')
    .innerJoin('connector', 'connector.id', 'publicationRun.connectorId')
    .select(['number', 'connectorId', 'connector.name', 'runId', 'moment'])
    .select(['tieOut', 'tables', 'verifiedTables', 'verifiedSince as verifiedSinceUtc'])
    .where('publicationRun.organisationId', '=', organisationId)
    .where('setId', '=', setId)
    .where('number', '=', sql<number>`ANY (${numbers}::int8[])`)
    .orderBy(sql`lower(connector.name) COLLATE "und-x-icu"`)
    .orderBy('connectorId')
    .execute()
}

/** Of the connectors of the set that are not deleted: everything that the rule is about. */
export async function listMemberStates(
  db: Db,
  organisationId: string,
  { setId, days }: { readonly setId: string; readonly days: number },
): Promise<readonly MemberState[]> {
  const { rows } = await sql<MemberState>`
    SELECT connector.id AS connectorId, member.heldBecause, ended.id AS runId, ended.status AS runStatus, ended.notice AS runNotice,
      offer.moment, offer.notice AS offerNotice, compared.state AS tieOut,
      EXISTS (SELECT FROM tieOut WHERE tieOut.connectorId = connector.id) AS tiesOut,
      (SELECT count(*) FROM schemaChange WHERE schemaChange.connectorId = connector.id AND status = 'PENDING')::int AS undecided,
      verified.*
    FROM publicationMember AS member JOIN connector ON connector.id = member.connectorId AND connector.status <> 'DELETED'
    LEFT JOIN LATERAL (SELECT id, status, notice FROM run WHERE run.connectorId = connector.id AND run.status IN ('COMPLETED', 'FAILED')
      AND run.mode IN ('incremental', 'full') AND run.onlyStreams IS NULL ORDER BY run.queuedAt DESC LIMIT 1) AS ended ON true
    LEFT JOIN publicationOffer AS offer ON offer.runId = ended.id AND offer.setId = member.setId
    LEFT JOIN tieOut AS compared ON compared.runId = ended.id
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS tables, count(*) FILTER (WHERE verified.openDifferences > 0)::int AS differing,
        count(*) FILTER (WHERE verified.openDifferences = 0 AND verified.provenAt IS NOT NULL)::int AS verifiedTables,
        count(*) FILTER (WHERE verified.openDifferences = 0 AND verified.provenAt >= now() - ${days} * interval '1 day')::int AS provenInTime,
        min(verified.provenAt) FILTER (WHERE verified.openDifferences = 0) AS verifiedSince
      FROM connectorStream AS moved LEFT JOIN streamVerification AS verified
        ON verified.connectorId = moved.connectorId AND verified.stream = moved.name
      WHERE moved.connectorId = connector.id AND moved.freshAt IS NOT NULL) AS verified
    WHERE member.organisationId = ${organisationId} AND member.setId = ${setId}
    ORDER BY connector.id`.execute(db)
  return rows
}

export async function updateHeld(
  db: Db,
  organisationId: string,
  connectorId: string,
  heldBecause: string | null,
): Promise<void> {
  const heldSince = heldBecause === null ? null : sql<string>`coalesce(heldSince, now())`
  await db
    .updateTable('publicationMember')
    .set({ heldBecause, heldSince })
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .execute()
}

export interface NewPublication {
  readonly setId: string
  readonly number: number
  readonly members: readonly (MemberState & { readonly runId: string; readonly moment: string })[]
}

export async function insertPublication(
  db: Db,
  organisationId: string,
  { setId, number, members }: NewPublication,
): Promise<void> {
  await db.insertInto('publication').values({ organisationId, setId, number }).execute()
  const runs = members.map(({ connectorId, runId, moment, tieOut, tables, verifiedTables, verifiedSince }) => ({
    organisationId,
    setId,
    number,
    connectorId,
    runId,
    moment,
    tieOut,
    tables,
    verifiedTables,
    verifiedSince,
  }))
  if (runs.length > 0) await db.insertInto('publicationRun').values(runs).execute()
}

/** Returns false if another worker has recorded it, or discarded it. */
export async function markPublished(
  db: Db,
  organisationId: string,
  { setId, number, notice }: { readonly setId: string; readonly number: number; readonly notice: string | null },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('publication')
    .set({ publishedAt: sql<string>`now()`, notice })
    .where('organisationId', '=', organisationId)
    .where('setId', '=', setId)
    .where('number', '=', number)
    .where('publishedAt', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

export async function discardPending(db: Db, organisationId: string, setId: string, number: number): Promise<void> {
  await db
    .deleteFrom('publication')
    .where('organisationId', '=', organisationId)
    .where('setId', '=', setId)
    .where('number', '=', number)
    .where('publishedAt', 'is', null)
    .execute()
}

export function listSets(db: Db, organisationId: string) {
  return db.selectFrom('publicationSet').selectAll().where('organisationId', '=', organisationId).execute()
}

export function listMembers(db: Db, organisationId: string) {
  return db
    .selectFrom('publicationMember')
    .innerJoin('connector', 'connector.id', 'publicationMember.connectorId')
    .select(['setId', 'connectorId', 'connector.name', 'connector.type', 'heldBecause', 'heldSince'])
    .where('publicationMember.organisationId', '=', organisationId)
    .where('connector.status', '<>', 'DELETED')
    .execute()
}

/** A disconnected connector has no settings that say which database it loads. */
export function listConnected(db: Db, organisationId: string) {
  return db
    .selectFrom('connector')
    .select(['id as connectorId', 'key as connectorKey', 'name', 'type'])
    .where('organisationId', '=', organisationId)
    .where('status', '=', 'CONNECTED')
    .orderBy(sql`lower(name) COLLATE "und-x-icu"`)
    .orderBy('id')
    .execute()
}

export async function replaceMembers(
  db: Db,
  organisationId: string,
  setId: string,
  connectorIds: readonly string[],
): Promise<void> {
  await db
    .deleteFrom('publicationMember')
    .where('organisationId', '=', organisationId)
    .where((member) =>
      member.or([
        member.and([member('setId', '=', setId), sql<boolean>`connectorId <> ALL (${connectorIds}::uuid[])`]),
        // It loaded another database before.
        member.and([member('setId', '<>', setId), sql<boolean>`connectorId = ANY (${connectorIds}::uuid[])`]),
      ]),
    )
    .execute()
  if (connectorIds.length === 0) return
  await db
    .insertInto('publicationMember')
    .values(connectorIds.map((connectorId) => ({ organisationId, setId, connectorId })))
    .onConflict((conflict) => conflict.column('connectorId').doNothing())
    .execute()
}

export async function listPublications(
  db: Db,
  organisationId: string,
  { setId, limit, offset }: { readonly setId: string; readonly limit: number; readonly offset: number },
) {
  const shown = db
    .selectFrom('publication')
    .where('organisationId', '=', organisationId)
    .where('setId', '=', setId)
    .where('publishedAt', 'is not', null)
  const rows = await shown
    .select(['number', 'notice', sql<string>`publishedAt`.as('publishedAtUtc')])
    .orderBy('number', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  const { total } = await shown.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { rows, total }
}
