import { type RawBuilder, sql } from 'kysely'
import type { LinkedRecordQuery } from '@tributary/contract/planning-records'
import type * as z from 'zod'
import { badField, notFound, requireFound } from '../../kernel/http/api-fault.ts'
import type { Db } from '../../kernel/store/store.ts'
import { isPaged, onePage } from '../../kernel/http/paging.ts'
import { matchesSearch } from '../../kernel/store/search.ts'
import type { RecordKindName, RecordKind, RecordsByKind } from './record-kinds.ts'
import { maxNestedRecords } from './nested-lists.ts'

export interface PlanningRecordFilter extends z.output<typeof LinkedRecordQuery> {
  readonly id?: string
  /** Only milestones of this version. */
  readonly versionId?: string
}

/** Records by name, read in one statement. Counts `total` only for a paginated list. */
export async function listRecords<Name extends RecordKindName>(
  db: Db,
  organisationId: string,
  kind: RecordKind<Name>,
  filter: PlanningRecordFilter,
): Promise<{ records: readonly RecordsByKind[Name][]; total: number | null }> {
  const selection = selectRecords(db, organisationId, kind, filter)
  const listed = { ...filter, selection: onePage(selection, filter) }
  const records = await loadRecords(db, organisationId, kind, listed)
  if (!isPaged(filter)) return { records, total: null }
  const { total } = await selection
    .clearOrderBy()
    .select(db.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return { records, total }
}

/** Throws `notFound`. */
export async function getRecord<Name extends RecordKindName>(
  db: Db,
  organisationId: string,
  kind: RecordKind<Name>,
  id: string,
): Promise<RecordsByKind[Name]> {
  const { records } = await listRecords(db, organisationId, kind, { id, archived: true })
  return requireFound(records[0])
}

function selectRecords(db: Db, organisationId: string, { table }: RecordKind, filter: PlanningRecordFilter) {
  const { search, sort = 'asc', archived = false, id, versionId } = filter
  return db
    .selectFrom(`${asMilestone(table)} as record`)
    .where('record.organisationId', '=', organisationId)
    .$if(!archived, (some) => some.where(isNotArchived('record')))
    .where(matchesSearch(sql.ref('name'), search))
    .$if(id !== undefined, (some) => some.where('record.id', '=', id ?? ''))
    .$if(versionId !== undefined, (some) => some.where('versionId', '=', versionId ?? ''))
    .orderBy('name', (by) => by[sort]().collate('naturalOrder'))
    .orderBy('record.id', sort)
}

/**
 * Not written as `<>`: if all rows have the same status, the planner then expects no rows and sorts instead of using the index.
 */
function isNotArchived(table: 'record' | 'other'): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(`${table}.status_id`)} = ANY (ARRAY(SELECT id FROM status WHERE name <> 'archived'))`
}

interface RecordListing extends PlanningRecordFilter {
  readonly selection: ReturnType<typeof selectRecords>
}

async function loadRecords<Name extends RecordKindName>(
  db: Db,
  organisationId: string,
  { columns, nested }: RecordKind<Name>,
  { selection, sort = 'asc', archived = false, links = true }: RecordListing,
): Promise<readonly RecordsByKind[Name][]> {
  const scope = { organisationId, isShown: archived ? sql<boolean>`true` : isNotArchived('other') }
  const own = columns === undefined ? sql`` : sql`, ${columns}`
  const once = nested === undefined ? sql`` : sql`, ${nested.commonTables(scope)}`
  const inside =
    nested === undefined
      ? sql``
      : sql`, ${links ? limitSize(nested.records(scope)) : sql`'[]'::json`} AS ${sql.id(nested.name)}`
  const counted = nested?.count === undefined ? sql`` : sql`, ${nested.count(scope)} AS "linkCount"`
  const { rows } = await sql<RecordsByKind[Name]>`
    WITH listed AS MATERIALIZED (${selection.selectAll('record')}) ${once}
    SELECT listed.id, listed.name, json_build_object('id', status.id, 'name', status.name) AS status ${own} ${inside} ${counted}
    FROM listed JOIN status ON status.id = listed.statusId
    ORDER BY listed.name COLLATE naturalOrder ${sql.raw(sort)}, listed.id ${sql.raw(sort)}`.execute(db)
  if (rows.some((row) => nested !== undefined && Reflect.get(row, nested.name) === null))
    throw badField(
      'pageSize',
      `must be given, or smaller: these records have more than ${maxNestedRecords} links in all`,
    )
  return rows
}

/** Null if all nested lists together exceed the maximum. */
function limitSize(records: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`CASE WHEN (SELECT size FROM bulk) <= ${maxNestedRecords} THEN coalesce(${records}, '[]') END`
}

export interface PlanningRecordReference {
  readonly id: string
  /** Given for a milestone, which is found only in its version. */
  readonly versionId?: string | undefined
}

/** Throws `notFound`. Locks the record until the transaction ends. */
export async function lockRecord(
  db: Db,
  organisationId: string,
  { table }: RecordKind,
  { id, versionId }: PlanningRecordReference,
) {
  const { name, statusId, statusName } = await db
    .selectFrom(`${asMilestone(table)} as record`)
    // Not a join: it would lose the row after waiting for a concurrent change of status.
    .select(['record.name', 'statusId'])
    .select(sql<string>`(SELECT status.name FROM status WHERE status.id = statusId)`.as('statusName'))
    .where('record.organisationId', '=', organisationId)
    .where('record.id', '=', id)
    .$if(versionId !== undefined, (some) => some.where('versionId', '=', versionId ?? ''))
    .forUpdate()
    .executeTakeFirstOrThrow(notFound)
  return { name, status: { id: statusId, name: statusName } }
}

export function findStatus(db: Db, id: string) {
  return db.selectFrom('status').select(['id', 'name']).where('id', '=', id).executeTakeFirst()
}

export interface RecordValues {
  readonly name: string
  readonly statusId?: string | undefined
  readonly versionId?: string | undefined
  readonly inputTableName?: string | undefined
}

/** Returns the id, or undefined if the name is taken. */
export async function insertRecord(
  db: Db,
  organisationId: string,
  { table }: RecordKind,
  values: RecordValues,
): Promise<string | undefined> {
  const inserted = await db
    .insertInto(asMilestone(table))
    .values({ ...(values as RecordValues & { versionId: string }), organisationId })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted?.id
}

export async function updateRecord(
  db: Db,
  organisationId: string,
  { table }: RecordKind,
  { id, ...values }: Partial<RecordValues> & { readonly id: string },
): Promise<void> {
  await db
    .updateTable(asMilestone(table))
    .set(values)
    .where('organisationId', '=', organisationId)
    .where('id', '=', id)
    .execute()
}

export async function deleteRecord(db: Db, organisationId: string, { table }: RecordKind, id: string): Promise<void> {
  await db.deleteFrom(asMilestone(table)).where('organisationId', '=', organisationId).where('id', '=', id).execute()
}

/** Types all tables as `milestone`, which has the common columns and `versionId`. Only milestones use the latter. */
function asMilestone(table: RecordKindName): 'milestone' {
  return table as 'milestone'
}
