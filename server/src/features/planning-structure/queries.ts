import { type RawBuilder, sql } from 'kysely'
import { badField } from '../../kernel/http/api-fault.ts'
import type { Db } from '../../kernel/store/store.ts'
import type { KindName, RecordKind, Shown } from './record-kinds.ts'
import { nestedMax } from './nested-lists.ts'

export interface Wanted {
  readonly search?: string | undefined
  readonly sort?: 'asc' | 'desc' | undefined
  readonly page?: number | undefined
  readonly pageSize?: number | undefined
  /** Archived ones, too; inside the records as well. */
  readonly archived?: boolean | undefined
  /** False: the lists inside the records are left empty. */
  readonly links?: boolean | undefined
  readonly id?: string
  /** Milestones of this version only. */
  readonly versionId?: string
}

const pageSizeDefault = 50

/** By name, in one statement; `total` is counted only for a list that is cut into pages. */
export async function listRecords<Name extends KindName>(
  db: Db,
  organisationId: string,
  kind: RecordKind<Name>,
  wanted: Wanted,
): Promise<{ records: readonly Shown[Name][]; total: number | null }> {
  const { page, pageSize = pageSizeDefault } = wanted
  const found = find(db, organisationId, kind, wanted)
  if (page === undefined && wanted.pageSize === undefined)
    return { records: await show(db, organisationId, kind, { ...wanted, found }), total: null }

  const cut = found.limit(pageSize).offset(((page ?? 1) - 1) * pageSize)
  const records = await show(db, organisationId, kind, { ...wanted, found: cut })
  const { total } = await found.clearOrderBy().select(db.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { records, total }
}

export async function findRecord<Name extends KindName>(
  db: Db,
  organisationId: string,
  kind: RecordKind<Name>,
  id: string,
): Promise<Shown[Name] | undefined> {
  const { records } = await listRecords(db, organisationId, kind, { id, archived: true })
  return records[0]
}

function find(db: Db, organisationId: string, { table }: RecordKind, wanted: Wanted) {
  const { search = '', sort = 'asc', archived = false, id, versionId } = wanted
  const pattern = `%${search.trim().replaceAll(/[\\%_]/gu, '\\$&')}%`
  return db
    .selectFrom(`${asMilestone(table)} as record`)
    .where('record.organisationId', '=', organisationId)
    .$if(!archived, (some) => some.where(isShown('record')))
    .$if(search.trim() !== '', (some) => some.where('name', 'ilike', pattern))
    .$if(id !== undefined, (some) => some.where('record.id', '=', id ?? ''))
    .$if(versionId !== undefined, (some) => some.where('versionId', '=', versionId ?? ''))
    .orderBy('name', (by) => by[sort]().collate('naturalOrder'))
    .orderBy('record.id', sort)
}

/** Not as `<>`, which the planner takes to leave nothing over where all have the same status, so that it sorts instead of following the index. */
function isShown(table: 'record' | 'other'): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(`${table}.status_id`)} = ANY (ARRAY(SELECT id FROM status WHERE name <> 'archived'))`
}

interface Showing extends Wanted {
  readonly found: ReturnType<typeof find>
}

async function show<Name extends KindName>(
  db: Db,
  organisationId: string,
  { columns, nested }: RecordKind<Name>,
  { found, sort = 'asc', archived = false, links = true }: Showing,
): Promise<readonly Shown[Name][]> {
  const scope = { organisationId, isShown: archived ? sql<boolean>`true` : isShown('other') }
  const own = columns === undefined ? sql`` : sql`, ${columns}`
  const once = nested === undefined ? sql`` : sql`, ${nested.once(scope)}`
  const inside =
    nested === undefined
      ? sql``
      : sql`, ${links ? bounded(nested.records(scope)) : sql`'[]'::json`} AS ${sql.id(nested.name)}`
  const counted = nested?.count === undefined ? sql`` : sql`, ${nested.count(scope)} AS "linkCount"`
  const { rows } = await sql<Shown[Name]>`
    WITH listed AS MATERIALIZED (${found.selectAll('record')}) ${once}
    SELECT listed.id, listed.name, json_build_object('id', status.id, 'name', status.name) AS status ${own} ${inside} ${counted}
    FROM listed JOIN status ON status.id = listed.statusId
    ORDER BY listed.name COLLATE naturalOrder ${sql.raw(sort)}, listed.id ${sql.raw(sort)}`.execute(db)
  if (rows.some((row) => nested !== undefined && Reflect.get(row, nested.name) === null))
    throw badField('pageSize', `must be given, or smaller: these records have more than ${nestedMax} links in all`)
  return rows
}

/** Null where all of them together would be more than an answer can hold. */
function bounded(records: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`CASE WHEN (SELECT size FROM bulk) <= ${nestedMax} THEN coalesce(${records}, '[]') END`
}

interface Status {
  readonly id: string
  readonly name: string
}

/** What every kind has. */
export interface Stored {
  readonly name: string
  readonly status: Status
}

export interface Which {
  readonly id: string
  /** A milestone is none of another version. */
  readonly versionId?: string | undefined
}

/** Held until the transaction ends. */
export async function lockRecord(
  db: Db,
  organisationId: string,
  { table }: RecordKind,
  { id, versionId }: Which,
): Promise<Stored | undefined> {
  const found = await db
    .selectFrom(`${asMilestone(table)} as record`)
    // Not joined: whoever waited for the row while its status changed would find none that fits the join any more.
    .select([
      'record.name',
      'statusId',
      sql<string>`(SELECT status.name FROM status WHERE status.id = statusId)`.as('statusName'),
    ])
    .where('record.organisationId', '=', organisationId)
    .where('record.id', '=', id)
    .$if(versionId !== undefined, (some) => some.where('versionId', '=', versionId ?? ''))
    .forUpdate()
    .executeTakeFirst()
  return found && { name: found.name, status: { id: found.statusId, name: found.statusName } }
}

export function findStatus(db: Db, id: string): Promise<Status | undefined> {
  return db.selectFrom('status').select(['id', 'name']).where('id', '=', id).executeTakeFirst()
}

export interface Written {
  readonly name: string
  readonly statusId?: string | undefined
  readonly versionId?: string | undefined
  readonly inputTableName?: string | undefined
}

/** Its id, or undefined where there is one of that name. */
export async function insertRecord(
  db: Db,
  organisationId: string,
  { table }: RecordKind,
  written: Written,
): Promise<string | undefined> {
  const made = await db
    .insertInto(asMilestone(table))
    .values({ ...(written as Written & { versionId: string }), organisationId })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return made?.id
}

export async function updateRecord(
  db: Db,
  organisationId: string,
  { table }: RecordKind,
  { id, ...written }: Partial<Written> & { readonly id: string },
): Promise<void> {
  await db
    .updateTable(asMilestone(table))
    .set(written)
    .where('organisationId', '=', organisationId)
    .where('id', '=', id)
    .execute()
}

export async function deleteRecord(db: Db, organisationId: string, { table }: RecordKind, id: string): Promise<void> {
  await db.deleteFrom(asMilestone(table)).where('organisationId', '=', organisationId).where('id', '=', id).execute()
}

/** A milestone has every column that the kinds have in common, and its version's; which of them a table lacks is never asked of it. */
function asMilestone(table: KindName): 'milestone' {
  return table as 'milestone'
}
