/** Which events are on a page of the audit log. A search examines a bounded number of events, so that it is quick in a long log. */
import { auditLogLimits } from '@tributary/contract/limits'
import { sql } from 'kysely'
import type { Db } from '../../kernel/store/store.ts'
import { matchesSearch } from '../../kernel/store/search.ts'
import { matchesObjectName, recordedNameColumn } from './object-names.ts'
import { type EventFilter, type EventRange, selectEvents } from './select-events.ts'

export interface EventPage {
  /** Newest first. */
  readonly ids: readonly number[]
  readonly total: number
  /** The newest event that the search has not examined; null: it has examined all. */
  readonly unsearched: UnsearchedEvent | null
}

export interface UnsearchedEvent {
  readonly id: number
  readonly at: string
}

interface PageBounds {
  readonly limit: number
  readonly offset: number
}

export async function findPage(db: Db, range: EventRange, wanted: EventFilter, page: PageBounds): Promise<EventPage> {
  return hasSearch(wanted) ? await searchEvents(db, range, wanted, page) : await listPage(db, range, wanted, page)
}

export function hasSearch({ search = '' }: EventFilter): boolean {
  return search.trim() !== ''
}

async function listPage(
  db: Db,
  range: EventRange,
  wanted: EventFilter,
  { limit, offset }: PageBounds,
): Promise<EventPage> {
  const { total } = await selectEvents(db, range, wanted)
    .select((found) => found.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await inOrderOfIndex(db, wanted, () =>
    newestFirst(db, range, wanted).limit(limit).offset(offset).execute(),
  )
  return { ids: rows.map(({ id }) => id), total, unsearched: null }
}

/** Examines the newest events of the range. Reads them once: for those that match, their number, and the first one that is not examined. */
export async function searchEvents(
  db: Db,
  range: EventRange,
  { search = '', ...wanted }: EventFilter,
  { limit, offset }: PageBounds,
): Promise<EventPage> {
  const { searchedMax } = auditLogLimits
  const newest = newestFirst(db, range, wanted)
    .select(['at', 'action', 'actorId', 'actorRole', 'objectType', 'objectId', recordedNameColumn.as('name')])
    .limit(searchedMax + 1)
  const matchesName = matchesObjectName(range.organisationId, search, {
    recorded: sql`SELECT * FROM newest`,
    isAbout: (type) => sql`EXISTS (SELECT FROM types WHERE types.objectType = ${type})`,
  })
  const { rows } = await inOrderOfIndex(db, wanted, () =>
    sql<FoundIds>`
      WITH newest AS MATERIALIZED (${newest}),
        unsearched AS MATERIALIZED (SELECT id, at FROM newest OFFSET ${searchedMax}::int),
        types AS MATERIALIZED (SELECT DISTINCT objectType FROM newest),
        actors AS MATERIALIZED (SELECT portalUser.id AS actorId, firstName, lastName FROM portalUser
          WHERE id IN (SELECT actorId FROM newest)),
        found AS (SELECT array_agg(newest.id ORDER BY newest.id DESC) AS ids FROM newest LEFT JOIN actors USING (actorId)
          WHERE newest.id > coalesce((SELECT id FROM unsearched), 0) AND (${matchesSearch(searchedText, search)} OR ${matchesName}))
      SELECT coalesce(cardinality(ids), 0) AS total, coalesce(to_json(ids[${offset + 1}::int : ${offset + limit}::int]), '[]') AS ids,
        unsearched.id AS unsearchedId, unsearched.at AS unsearchedAt
      FROM found LEFT JOIN unsearched ON true`.execute(db),
  )
  const [found] = rows
  if (found === undefined) return { ids: [], total: 0, unsearched: null }
  const { ids, total, unsearchedId: id, unsearchedAt: at } = found
  return { ids, total, unsearched: id === null || at === null ? null : { id, at } }
}

const searchedText = sql`concat_ws(' ', action, firstName, lastName, actorRole, objectType, objectId)`

interface FoundIds {
  readonly ids: readonly number[]
  readonly total: number
  readonly unsearchedId: number | null
  readonly unsearchedAt: string | null
}

/** In the order of the index `audit_event_organisation`: all of them have the same organisation, or none. */
function newestFirst(db: Db, range: EventRange, wanted: EventFilter) {
  return selectEvents(db, range, wanted)
    .select('auditEvent.id')
    .orderBy('auditEvent.organisationId')
    .orderBy('auditEvent.id', 'desc')
}

/**
 * Runs a query that takes the newest events of a chain. The planner expects that row level security hides 99.5 % of the events, and would
 * therefore read and sort the whole chain. A filter by person or thing is left to the planner, because it has indexes for them.
 */
async function inOrderOfIndex<T>(db: Db, { actor, objectId }: EventFilter, query: () => Promise<T>): Promise<T> {
  if (actor !== undefined || objectId !== undefined) return await query()
  await allowSorts(db, 'off')
  const found = await query()
  await allowSorts(db, 'on')
  return found
}

/** For the planner, until the transaction ends. */
async function allowSorts(db: Db, value: 'on' | 'off'): Promise<void> {
  await sql`SELECT set_config('enable_sort', ${value}, true), set_config('enable_incremental_sort', ${value}, true)`.execute(
    db,
  )
}
