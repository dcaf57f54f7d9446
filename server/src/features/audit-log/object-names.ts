/** The names of the things that events are about. People have their present name, which is a number once they are erased. */
import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../kernel/store/store.ts'
import { matchesSearch } from '../../kernel/store/search.ts'

export interface EventObject {
  readonly objectType: string | null
  readonly objectId: string | null
  readonly detail: Readonly<Record<string, unknown>>
}

/** The name at the time of the event if it records one, otherwise the present one, otherwise one that another event records. */
export async function nameObjects<Event extends EventObject>(
  db: Db,
  organisationId: string | null,
  events: readonly Event[],
): Promise<readonly (Event & { readonly objectName: string | null })[]> {
  const unnamed = events.filter((event) => recordedName(event.detail) === null)
  const present = await readPresentNames(db, organisationId, unnamed)
  const deleted = unnamed.filter((event) => !present.has(keyOf(event)))
  const past = await readRecordedNames(db, organisationId, deleted)
  return events.map((event) => ({
    ...event,
    objectName: recordedName(event.detail) ?? present.get(keyOf(event)) ?? past.get(keyOf(event)) ?? null,
  }))
}

/** Changes record the name before and after. The later one is what people look for. */
function recordedName({ before, after }: EventObject['detail']): string | null {
  return nameOf(after) ?? nameOf(before)
}

function nameOf(state: unknown): string | null {
  const name: unknown = typeof state === 'object' && state !== null ? Reflect.get(state, 'name') : null
  return typeof name === 'string' ? name : null
}

type NamesByObject = ReadonlyMap<string, string>

function keyOf({ objectType, objectId }: Pick<EventObject, 'objectType' | 'objectId'>): string {
  return `${objectType} ${objectId}`
}

async function readPresentNames(
  db: Db,
  organisationId: string | null,
  events: readonly EventObject[],
): Promise<NamesByObject> {
  const names = new Map<string, string>()
  for (const [type, rows] of Object.entries(namedObjects(organisationId))) {
    const ids = [...new Set(events.filter(({ objectType }) => objectType === type).map(({ objectId }) => objectId))]
    const uuids = ids.filter((id) => id !== null && uuidForm.test(id))
    if (uuids.length === 0) continue
    const found =
      await sql<NamedObject>`SELECT id, name FROM (${rows}) AS object WHERE id = ANY (${uuids}::uuid[])`.execute(db)
    for (const { id, name } of found.rows) if (name !== null) names.set(keyOf({ objectType: type, objectId: id }), name)
  }
  return names
}

const uuidForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u

interface NamedObject {
  readonly id: string
  readonly name: string | null
}

/** By the type in the audit log: the rows with their names. */
function namedObjects(organisationId: string | null): Readonly<Record<string, RawBuilder<NamedObject>>> {
  const isOwn = isOf(organisationId)
  const ownTables = ['area', 'subarea', 'version', 'milestone', 'helperTable', 'entity', 'permissionGroup', 'connector']
  return {
    ...Object.fromEntries(
      ownTables.map((table) => [table, sql<NamedObject>`SELECT id, name FROM ${sql.table(table)} WHERE ${isOwn}`]),
    ),
    user: sql`SELECT id, firstName || ' ' || lastName AS name FROM portalUser`,
    invitation: sql`SELECT id, firstName || ' ' || lastName AS name FROM invitation WHERE ${isOwn}`,
    approval: sql`SELECT id, context ->> 'ApplicantName' AS name FROM approval WHERE ${isOwn}`,
    load: sql`SELECT id, recordName AS name FROM load WHERE ${isOwn}`,
    // Without the channels of people, which only they see.
    alert_channel: sql`SELECT id, nullif(name, '') AS name FROM alertChannel WHERE ${isOwn} AND userId IS NULL`,
    api_token: sql`SELECT id, name FROM apiToken WHERE ${isOwn}`,
    auditor_room: sql`SELECT id, firstName || ' ' || lastName AS name FROM auditorRoom WHERE ${isOwn}`,
    publication_action: sql`SELECT id, name FROM publicationAction WHERE ${isOwn}`,
    certificate: sql`SELECT id, title AS name FROM certificate WHERE ${isOwn}`,
    publication_set: sql`SELECT id, name FROM publicationSet WHERE ${isOwn}`,
    saved_query: sql`SELECT id, name FROM savedQuery WHERE ${isOwn} AND isShared`,
    organisation: sql`SELECT id, companyName AS name FROM organisation`,
  }
}

/** From the latest event that records a name: the deletion of an area records how it was called. */
async function readRecordedNames(
  db: Db,
  organisationId: string | null,
  events: readonly EventObject[],
): Promise<NamesByObject> {
  const ids = [...new Set(events.map(({ objectId }) => objectId).filter((id) => id !== null))]
  if (ids.length === 0) return new Map()
  const found = await db
    .selectFrom('auditEvent')
    .distinctOn(['objectType', 'objectId'])
    .select(['objectType', 'objectId', recordedNameColumn.as('name')])
    .where('organisationId', organisationId === null ? 'is' : '=', organisationId)
    .where('objectId', 'in', ids)
    .where(recordedNameColumn, 'is not', null)
    .orderBy('objectType')
    .orderBy('objectId')
    .orderBy('id', 'desc')
    .execute()
  return new Map(found.map((object) => [keyOf(object), object.name ?? '']))
}

export const recordedNameColumn = sql<
  string | null
>`coalesce(detail -> 'after' ->> 'name', detail -> 'before' ->> 'name')`

/** The events whose objects are searched by name. */
interface NamingEvents {
  /** Objects with the names that the events record: `objectType`, `objectId` and `name`. */
  readonly recorded: RawBuilder<unknown>
  /** Whether one of the events may be about an object of the type. Names of other types are not read. */
  isAbout(objectType: string): RawBuilder<boolean>
}

/** Whether the name of an event's object contains the search term, or contained it once. */
export function matchesObjectName(
  organisationId: string | null,
  search: string,
  { recorded, isAbout }: NamingEvents,
): RawBuilder<boolean> {
  const named = Object.entries(namedObjects(organisationId)).map(
    ([type, rows]) =>
      sql`SELECT ${type} AS objectType, id::text AS objectId FROM (${rows}) AS object WHERE ${isAbout(type)} AND ${matchesSearch(sql`name`, search)}`,
  )
  const once = sql`SELECT objectType, objectId FROM (${recorded}) AS recorded WHERE ${matchesSearch(sql`name`, search)}`
  return sql<boolean>`(objectType, objectId) IN (${sql.join([...named, once], sql` UNION ALL `)})`
}

function isOf(organisationId: string | null): RawBuilder<boolean> {
  return organisationId === null ? sql`organisationId IS NULL` : sql`organisationId = ${organisationId}`
}
