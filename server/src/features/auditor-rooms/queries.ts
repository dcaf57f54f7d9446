/** Queries of auditor rooms. */
import type { AuditLogEvent } from '@tributary/contract/audit-log'
import type { AuditorLook, AuditorRoom } from '@tributary/contract/auditor-rooms'
import type { Camel } from '@tributary/contract/wire'
import { type RawBuilder, sql } from 'kysely'
import { selectFullName } from '../../identity/people/full-name.ts'
import { requireFound } from '../../kernel/http/api-fault.ts'
import type { Db } from '../../kernel/store/store.ts'
import { isOfMarks } from '../../security/certificates/certificate.ts'

type RoomState = AuditorRoom['State']

/** At `now`: a room is over from its end on, even if no worker has closed it. */
function stateAt(now: string): RawBuilder<RoomState> {
  return sql<RoomState>`CASE WHEN auditorRoom.endedAt IS NOT NULL OR auditorRoom.endsAt <= ${now}::timestamptz THEN 'ENDED'
    WHEN auditorRoom.userId IS NULL THEN 'INVITED' ELSE 'OPEN' END`
}

const coveredConnectors = sql<Camel<AuditorRoom>['connectors']>`(
  SELECT coalesce(json_agg(json_build_object('id', connector.id, 'name', connector.name, 'type', connector.type)
    ORDER BY connector.name, connector.id), '[]')
  FROM connector WHERE connector.organisationId = auditorRoom.organisationId AND connector.id = ANY (auditorRoom.connectorIds)
    AND connector.status <> 'DELETED')`

const coveredMarks = sql<Camel<AuditorRoom>['marks']>`(
  SELECT coalesce(json_agg(json_build_object('id', mark.id, 'name', mark.name,
      'connector', json_build_object('id', connector.id, 'name', connector.name, 'type', connector.type))
    ORDER BY connector.name, connector.id, mark.createdAt DESC), '[]')
  FROM reportMark AS mark JOIN connector ON connector.id = mark.connectorId
  WHERE mark.organisationId = auditorRoom.organisationId AND mark.id = ANY (auditorRoom.markIds) AND connector.status <> 'DELETED')`

const lastLook = sql<string | null>`(SELECT max(lastAt) FROM auditorLook WHERE auditorLook.roomId = auditorRoom.id)`

function selectRooms(db: Db, organisationId: string, now: string) {
  return db
    .selectFrom('auditorRoom')
    .innerJoin('portalUser', 'portalUser.id', 'auditorRoom.createdBy')
    .select(['auditorRoom.id', 'auditorRoom.firstName', 'auditorRoom.lastName', 'auditorRoom.emailAddress'])
    .select(['endsAt as endsAtUtc', 'periodFrom', 'periodTo', 'auditorRoom.createdAt as createdAtUtc'])
    .select([
      stateAt(now).as('state'),
      coveredConnectors.as('connectors'),
      coveredMarks.as('marks'),
      lastLook.as('lastLookAtUtc'),
      sql<string | null>`coalesce(endedAt, CASE WHEN endsAt <= ${now}::timestamptz THEN endsAt END)`.as('endedAtUtc'),
      sql<string>`portalUser.firstName || ' ' || portalUser.lastName`.as('createdBy'),
    ])
    .where('auditorRoom.organisationId', '=', organisationId)
}

/** Open ones first, then by their end, latest first. */
export function listRooms(db: Db, organisationId: string, now: string): Promise<Camel<AuditorRoom>[]> {
  return selectRooms(db, organisationId, now)
    .orderBy(sql`endedAt IS NOT NULL OR endsAt <= ${now}::timestamptz`)
    .orderBy('endsAt', 'desc')
    .orderBy('auditorRoom.id')
    .execute()
}

/** Throws `notFound`. */
export async function getRoom(
  db: Db,
  organisationId: string,
  { roomId, now }: { readonly roomId: string; readonly now: string },
): Promise<Camel<AuditorRoom>> {
  return requireFound(
    await selectRooms(db, organisationId, now).where('auditorRoom.id', '=', roomId).executeTakeFirst(),
  )
}

export interface LockedRoom {
  readonly id: string
  readonly organisationId: string
  readonly userId: string | null
  readonly emailAddress: string
  readonly endsAt: string
  readonly endedAt: string | null
}

/** Until the transaction ends. Throws `notFound`. */
export async function lockRoom(db: Db, organisationId: string, roomId: string): Promise<LockedRoom> {
  return requireFound(
    await db
      .selectFrom('auditorRoom')
      .select(['id', 'organisationId', 'userId', 'emailAddress', 'endsAt', 'endedAt'])
      .where('organisationId', '=', organisationId)
      .where('id', '=', roomId)
      .forUpdate()
      .executeTakeFirst(),
  )
}

/** The given ids that are connectors of the organisation. */
export async function filterConnectors(
  db: Db,
  organisationId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const found = await db
    .selectFrom('connector')
    .select('id')
    .where('organisationId', '=', organisationId)
    .where('id', '=', sql<string>`ANY (${[...ids]}::uuid[])`)
    .where('status', '<>', 'DELETED')
    .execute()
  return new Set(found.map(({ id }) => id))
}

/** The given ids that are marks of connectors of the organisation. */
export async function filterMarks(
  db: Db,
  organisationId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const found = await db
    .selectFrom('reportMark')
    .innerJoin('connector', 'connector.id', 'reportMark.connectorId')
    .select('reportMark.id')
    .where('reportMark.organisationId', '=', organisationId)
    .where('reportMark.id', '=', sql<string>`ANY (${[...ids]}::uuid[])`)
    .where('connector.status', '<>', 'DELETED')
    .execute()
  return new Set(found.map(({ id }) => id))
}

const maxLooks = 1_000

/** Latest first. An object is a connector, a certificate, or the name of a table. */
export function listLooks(db: Db, organisationId: string, roomId: string): Promise<Camel<AuditorLook>[]> {
  return db
    .selectFrom('auditorLook')
    .leftJoin('connector', (join) =>
      join
        .onRef(sql`connector.id::text`, '=', 'auditorLook.object')
        .on('connector.organisationId', '=', organisationId),
    )
    .leftJoin('certificate', (join) =>
      join
        .onRef(sql`certificate.id::text`, '=', 'auditorLook.object')
        .on('certificate.organisationId', '=', organisationId),
    )
    .select(['what', 'day', 'looks', 'lastAt as lastAtUtc'])
    .select(
      sql<string | null>`coalesce(connector.name, certificate.title, nullif(auditorLook.object, ''))`.as('object'),
    )
    .where('auditorLook.organisationId', '=', organisationId)
    .where('roomId', '=', roomId)
    .orderBy('lastAt', 'desc')
    .orderBy('what')
    .orderBy('auditorLook.object')
    .limit(maxLooks)
    .execute()
}

const maxEvents = 500

/** What happened to the connectors, their runs, certificates and single marks, latest first. Without details and addresses, which may contain settings. */
export async function listCoveredEvents(
  db: Db,
  organisationId: string,
  { connectors, marks }: Pick<Camel<AuditorRoom>, 'connectors' | 'marks'>,
): Promise<Camel<AuditLogEvent>[]> {
  const [ids, markIds] = [connectors, marks].map((covered) => covered.map(({ id }) => id))
  const events = await db
    .selectFrom('auditEvent')
    .leftJoin('portalUser', 'portalUser.id', 'auditEvent.actorId')
    .leftJoin('connector', (join) => join.onRef(sql`connector.id::text`, '=', 'auditEvent.objectId'))
    .leftJoin('certificate', (join) => join.onRef(sql`certificate.id::text`, '=', 'auditEvent.objectId'))
    .select(['auditEvent.id', 'at as atUtc', 'action', 'outcome', 'actorId', 'actorRole', 'objectType', 'objectId'])
    .select([
      selectFullName('actorId').as('actor'),
      sql<string | null>`coalesce(connector.name, title)`.as('objectName'),
    ])
    .where('auditEvent.organisationId', '=', organisationId)
    .where(
      sql<boolean>`((objectType = 'connector' AND objectId = ANY (${ids}))
        OR (objectType = 'certificate' AND certificate.connectorId::text = ANY (${ids}))
        OR (objectType = 'certificate' AND ${isOfMarks(markIds ?? [])})
        OR (objectType = 'connector' AND ${concernsMarks(markIds ?? [])})
        OR (objectType = 'run' AND EXISTS (SELECT FROM run WHERE run.id::text = objectId AND run.connectorId::text = ANY (${ids}))))`,
    )
    .orderBy('auditEvent.id', 'desc')
    .limit(maxEvents)
    .execute()
  return events.map((event) => ({ ...event, address: null, reference: null, detail: {} }))
}

/** Of an event: the mark was made or superseded, or a person was erased in what it shows. Names of marks are unique in a connector. */
function concernsMarks(markIds: readonly string[]): RawBuilder<boolean> {
  return sql<boolean>`EXISTS (SELECT FROM reportMark AS mark WHERE mark.id = ANY (${[...markIds]}::uuid[])
    AND mark.connectorId::text = objectId AND (
      (action IN ('connector.marked_reported', 'connector.mark_superseded') AND auditEvent.detail ->> 'name' = mark.name)
      OR (action = 'connector.person_erased' AND EXISTS (SELECT FROM historyErasure AS erasure
        CROSS JOIN jsonb_path_query(erasure.found, '$.marks[*]') AS shown (mark)
        WHERE erasure.runId::text = auditEvent.detail ->> 'runId' AND shown.mark ->> 'markId' = mark.id::text))))`
}
