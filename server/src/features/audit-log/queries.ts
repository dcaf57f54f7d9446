import type { AuditLogEvent } from '@tributary/contract/audit-log'
import type { Camel } from '@tributary/contract/wire'
import { sql } from 'kysely'
import { selectFullName } from '../../identity/people/full-name.ts'
import type { Db } from '../../kernel/store/store.ts'
import { nameObjects } from './object-names.ts'
import { type EventPage, findPage } from './page-of-events.ts'
import { type EventFilter, type EventRange, selectEvents } from './select-events.ts'

export interface FoundEvents extends Pick<EventPage, 'total' | 'unsearched'> {
  /** Newest first. */
  readonly events: readonly Camel<AuditLogEvent>[]
}

export async function listEvents(
  db: Db,
  range: EventRange,
  { limit, offset, ...wanted }: EventFilter & { readonly limit: number; readonly offset: number },
): Promise<FoundEvents> {
  const { ids, total, unsearched } = await findPage(db, range, wanted, { limit, offset })
  const events = ids.length === 0 ? [] : await readExportedEvents(db, range, ids)
  return { events: await nameObjects(db, range.organisationId, events), total, unsearched }
}

export type ExportedEvent = Omit<Camel<AuditLogEvent>, 'objectName'>

/** Newest first. The filter's search is ignored. */
export function listExportedEvents(
  db: Db,
  range: EventRange,
  { limit, ...wanted }: EventFilter & { readonly limit: number },
): Promise<ExportedEvent[]> {
  return shown(selectEvents(db, range, wanted))
    .limit(limit)
    .execute()
}

/** Newest first. */
export function readExportedEvents(db: Db, range: EventRange, ids: readonly number[]): Promise<ExportedEvent[]> {
  return shown(selectEvents(db, range, {}).where('auditEvent.id', 'in', ids)).execute()
}

export async function findKey(db: Db, organisationId: string): Promise<string> {
  const { key } = await db
    .selectFrom('organisation')
    .select('key')
    .where('id', '=', organisationId)
    .executeTakeFirstOrThrow()
  return key
}

function shown(found: ReturnType<typeof selectEvents>) {
  return (
    found
      .select(['auditEvent.id', 'at as atUtc', 'action', 'outcome', 'actorId', 'actorRole'])
      .select([selectFullName('actorId').as('actor'), 'objectType', 'objectId', 'reference'])
      // What was personal is gone once the person is erased.
      .select(sql<string | null>`coalesce(fields ->> 'address', auditEvent.address)`.as('address'))
      .select(sql<Readonly<Record<string, unknown>>>`detail || coalesce(fields - 'address', '{}')`.as('detail'))
      .orderBy('auditEvent.organisationId')
      .orderBy('auditEvent.id', 'desc')
  )
}
