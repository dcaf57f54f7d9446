/** Queries of marks "as reported". */
import type { ReportMark } from '@tributary/contract/report-marks'
import type { Camel } from '@tributary/contract/wire'
import { sql } from 'kysely'
import type { ConnectorLocation } from '../../connections/connectors/connector-settings.ts'
import { listRetention } from '../../connections/history/history-retention.ts'
import { markedStreams } from '../../connections/history/shown-marks.ts'
import { listStreamHistories } from '../../connections/history/stream-histories.ts'
import type { AuditorExtent } from '../../kernel/http/actor.ts'
import type { Db } from '../../kernel/store/store.ts'

export async function listMarks(db: Db, connector: ConnectorLocation) {
  const holds = await listHeldTables(db, connector)
  return (await selectMarks(db, connector).execute()).map((mark) => toReply(mark, holds))
}

export async function findMark(db: Db, connector: ConnectorLocation, markId: string) {
  const found = await selectMarks(db, connector).where('reportMark.id', '=', markId).executeTakeFirst()
  return found && toReply(found, await listHeldTables(db, connector))
}

interface HeldTable {
  readonly table: string
  readonly retentionDays: number
  /** When its history began; null without history. */
  readonly since: string | null
}

/** The tables that marked views show, and that have a retention. */
async function listHeldTables(db: Db, connector: ConnectorLocation): Promise<readonly HeldTable[]> {
  const { type } = await db
    .selectFrom('connector')
    .select('type')
    .where('organisationId', '=', connector.organisationId)
    .where('id', '=', connector.connectorId)
    .executeTakeFirstOrThrow()
  const retention = await listRetention(db, connector)
  const streams = await listStreamHistories(db, connector)
  const isShown = markedStreams(type, new Set(streams.map(({ stream }) => stream)))
  return streams.flatMap(({ stream, table, histories }) => {
    const retentionDays = retention.get(stream)
    const since = histories[0]?.since ?? null
    return retentionDays === undefined || !isShown(stream) ? [] : [{ table, retentionDays, since }]
  })
}

function selectMarks(db: Db, { organisationId, connectorId }: ConnectorLocation) {
  return db
    .selectFrom('reportMark')
    .innerJoin('portalUser as creator', 'creator.id', 'reportMark.createdBy')
    .leftJoin('portalUser as superseder', 'superseder.id', 'reportMark.supersededBy')
    .select([
      'reportMark.id',
      'reportMark.name',
      'periodEnd',
      'moment',
      'runId',
      'reportMark.createdAt as createdAtUtc',
      'views',
      'notice',
      'supersededAt as supersededAtUtc',
      'reason',
      sql<string>`creator.firstName || ' ' || creator.lastName`.as('createdBy'),
      sql<string | null>`superseder.firstName || ' ' || superseder.lastName`.as('supersededBy'),
      erasures.as('erasures'),
    ])
    .where('reportMark.organisationId', '=', organisationId)
    .where('reportMark.connectorId', '=', connectorId)
    .orderBy('reportMark.createdAt', 'desc')
    .orderBy('reportMark.id')
}

/** Those that are under way are left out. A run that has ended without a record may have cleared the values. */
const erasures = sql<Camel<ReportMark>['erasures']>`coalesce((
  SELECT jsonb_agg(jsonb_build_object('versions', shown.mark -> 'versions',
      'atUtc', to_char(coalesce(erasure.completedAt, run.completedAt, requestedAt) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'by', eraser.firstName || ' ' || eraser.lastName,
      'isConfirmed', erasure.completedAt IS NOT NULL) ORDER BY requestedAt DESC)
  FROM historyErasure AS erasure JOIN portalUser AS eraser ON eraser.id = erasure.requestedBy
    LEFT JOIN run ON run.id = erasure.runId
    CROSS JOIN jsonb_path_query(erasure.found, '$.marks[*]') AS shown (mark)
  WHERE erasure.organisationId = reportMark.organisationId AND erasure.connectorId = reportMark.connectorId
    AND (erasure.completedAt IS NOT NULL OR coalesce(run.status NOT IN ('QUEUED', 'RUNNING', 'WAITING'), true))
    AND shown.mark ->> 'markId' = reportMark.id::text), '[]')`

/** Cut-offs have microseconds; times of the API have milliseconds. */
function toReply<Mark extends { readonly moment: string; readonly erasures: readonly unknown[] }>(
  { moment, ...mark }: Mark,
  tables: readonly HeldTable[],
) {
  const holds = tables
    .filter(({ since }) => since !== null && since <= moment)
    .map(({ table, retentionDays }) => ({ table, retentionDays }))
  return { ...mark, momentUtc: new Date(moment).toISOString(), holds, erasures: [...mark.erasures] }
}

/** The ids of the connector's marks that an auditor room names. Empty for a connector that is deleted. */
export async function listSingleMarks(
  db: Db,
  { organisationId, connectorId }: ConnectorLocation,
  room: AuditorExtent | undefined,
): Promise<ReadonlySet<string>> {
  if (room === undefined || room.markIds.length === 0) return new Set()
  const marks = await db
    .selectFrom('reportMark')
    .innerJoin('connector', 'connector.id', 'reportMark.connectorId')
    .select('reportMark.id')
    .where('reportMark.organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .where('reportMark.id', '=', sql<string>`ANY (${[...room.markIds]}::uuid[])`)
    .where('connector.status', '<>', 'DELETED')
    .execute()
  return new Set(marks.map(({ id }) => id))
}

export interface NewMark {
  readonly name: string
  readonly slug: string
  readonly periodEnd: string
  readonly moment: string
  readonly runId: string
  readonly createdBy: string
}

/** Returns undefined if another mark has the same slug. */
export async function insertMark(db: Db, connector: ConnectorLocation, mark: NewMark): Promise<string | undefined> {
  const inserted = await db
    .insertInto('reportMark')
    .values({ ...connector, ...mark })
    .onConflict((conflict) => conflict.columns(['connectorId', 'slug']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted?.id
}

/** The run that closed periods have examined last. */
export function findExamined(db: Db, { organisationId, connectorId }: ConnectorLocation) {
  return db
    .selectFrom('closedPeriod')
    .select(['examinedUpTo', 'examinedBy'])
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .where('isOn', '=', true)
    .executeTakeFirst()
}

/** Returns false if it is superseded already. */
export async function supersedeMark(
  db: Db,
  { organisationId, connectorId }: ConnectorLocation,
  markId: string,
  { reason, userId }: { readonly reason: string; readonly userId: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('reportMark')
    .set({ supersededAt: sql`now()`, supersededBy: userId, reason })
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .where('id', '=', markId)
    .where('supersededAt', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}
