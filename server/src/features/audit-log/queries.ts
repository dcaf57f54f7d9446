import type { AuditLogEvent, AuditFilter } from '@tributary/contract/audit-log'
import type { Camel } from '@tributary/contract/wire'
import { sql } from 'kysely'
import { selectFullName } from '../../identity/people/full-name.ts'
import type { Db } from '../../kernel/store/store.ts'
import { matchesSearch } from '../../kernel/store/search.ts'
import { matchesObjectName, nameObjects } from './object-names.ts'

/** Conditions on the events of one audit chain. An `organisationId` of null means the provider's own chain. */
export type EventFilter = Omit<AuditFilter, 'orgId' | 'ofProvider'>

export async function countEvents(db: Db, organisationId: string | null, wanted: EventFilter): Promise<number> {
  const { count } = await find(db, organisationId, wanted)
    .select((found) => found.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Newest first. */
export async function listEvents(
  db: Db,
  organisationId: string | null,
  { limit, offset, ...wanted }: EventFilter & { readonly limit: number; readonly offset: number },
): Promise<readonly Camel<AuditLogEvent>[]> {
  const events = await shown(find(db, organisationId, wanted))
    .limit(limit)
    .offset(offset)
    .execute()
  return nameObjects(db, organisationId, events)
}

export type ExportedEvent = Omit<Camel<AuditLogEvent>, 'objectName'>

/** Newest first, those before `beforeId`; null begins with the newest. */
export function listEventsBefore(
  db: Db,
  organisationId: string | null,
  { beforeId, limit, ...wanted }: EventFilter & { readonly beforeId: number | null; readonly limit: number },
): Promise<ExportedEvent[]> {
  const found = find(db, organisationId, wanted)
  return shown(beforeId === null ? found : found.where('auditEvent.id', '<', beforeId))
    .limit(limit)
    .execute()
}

export async function findKey(db: Db, organisationId: string): Promise<string> {
  const { key } = await db
    .selectFrom('organisation')
    .select('key')
    .where('id', '=', organisationId)
    .executeTakeFirstOrThrow()
  return key
}

function find(db: Db, organisationId: string | null, wanted: EventFilter) {
  const { search = '', action, actor, objectType, objectId, outcome, from, to } = wanted
  const text = sql`concat_ws(' ', action, firstName, lastName, actorRole, objectType, objectId)`
  return db
    .selectFrom('auditEvent')
    .leftJoin('portalUser', 'portalUser.id', 'auditEvent.actorId')
    .leftJoin('auditPersonal', 'auditPersonal.eventId', 'auditEvent.id')
    .where('auditEvent.organisationId', organisationId === null ? 'is' : '=', organisationId)
    .$if(search.trim() !== '', (some) =>
      some.where(({ or }) => or([matchesSearch(text, search), matchesObjectName(organisationId, search)])),
    )
    .$if(actor !== undefined, (some) => some.where(isBy(actor ?? 'system')))
    .$if(objectType !== undefined, (some) => some.where('objectType', '=', objectType ?? ''))
    .$if(objectId !== undefined, (some) => some.where('objectId', '=', objectId ?? ''))
    .$if(action !== undefined, (some) => some.where('action', '=', action ?? ''))
    .$if(outcome !== undefined, (some) => some.where('outcome', '=', outcome ?? 'success'))
    .$if(from !== undefined, (some) => some.where('at', '>=', from ?? ''))
    .$if(to !== undefined, (some) => some.where('at', '<', to ?? ''))
}

/** The operator works at the console and has no account. */
function isBy(actor: NonNullable<EventFilter['actor']>) {
  if (actor === 'operator') return sql<boolean>`actorId IS NULL AND actorRole = 'operator'`
  return actor === 'system' ? sql<boolean>`actorId IS NULL AND actorRole IS NULL` : sql<boolean>`actorId = ${actor}`
}

function shown(found: ReturnType<typeof find>) {
  return (
    found
      .select(['auditEvent.id', 'at as atUtc', 'action', 'outcome', 'actorId', 'actorRole'])
      .select([selectFullName('actorId').as('actor'), 'objectType', 'objectId', 'reference'])
      // What was personal is gone once the person is erased.
      .select(sql<string | null>`coalesce(fields ->> 'address', auditEvent.address)`.as('address'))
      .select(sql<Readonly<Record<string, unknown>>>`detail || coalesce(fields - 'address', '{}')`.as('detail'))
      .orderBy('auditEvent.id', 'desc')
  )
}
