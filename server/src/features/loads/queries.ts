import type { SheetCell } from '@tributary/contract/cells'
import { sql } from 'kysely'
import type { Db } from '../../kernel/store/store.ts'
import type { OwnColumn, ColumnValue } from './sheet/column-values.ts'
import type { ChosenTypes } from './sheet/sheet-columns.ts'
import type { SlicePart } from './slices.ts'

export interface LoadRecord {
  readonly kind: 'version' | 'helperTable'
  readonly id: string
  readonly name: string
  /** Of a helper table; the name of a version's table is derived from the version's name. */
  readonly inputTableName: string
}

interface RecordReference {
  readonly versionId?: string | null | undefined
  readonly helperTableId?: string | null | undefined
}

/** Undefined if the record is archived or deleted. */
export async function findRecord(
  db: Db,
  organisationId: string,
  { versionId, helperTableId }: RecordReference,
): Promise<LoadRecord | undefined> {
  const kind = versionId ? 'version' : 'helperTable'
  const id = versionId ?? helperTableId
  if (!id) return undefined
  return (await listRecords(db, organisationId)).find((record) => record.id === id && record.kind === kind)
}

/** Records that are not archived, by name. */
export async function listRecords(db: Db, organisationId: string): Promise<readonly LoadRecord[]> {
  const { rows } = await sql<LoadRecord>`
    SELECT record.kind, record.id, record.name, record."inputTableName" FROM (
      SELECT 'version' AS kind, id, name, '' AS "inputTableName", organisationId, statusId FROM version
      UNION ALL SELECT 'helperTable', id, name, inputTableName, organisationId, statusId FROM helperTable) AS record
    JOIN status ON status.id = record.statusId
    WHERE organisationId = ${organisationId} AND status.name <> 'archived'
    ORDER BY kind DESC, record.name COLLATE naturalOrder, record.id`.execute(db)
  return rows
}

/** The own columns after the last load that wrote, or began to write, the table. */
export async function readOwnColumns(
  db: Db,
  organisationId: string,
  record: Pick<LoadRecord, 'kind' | 'id'>,
): Promise<readonly OwnColumn[]> {
  const found = await db
    .selectFrom('load')
    .select('types')
    .where('organisationId', '=', organisationId)
    .where(record.kind === 'version' ? 'versionId' : 'helperTableId', '=', record.id)
    .where('committingAt', 'is not', null)
    .orderBy('committingAt', 'desc')
    .limit(1)
    .executeTakeFirst()
  return (found?.types ?? []) as readonly OwnColumn[]
}

/** The own columns of every record that a load has written, by record id. */
export async function listOwnColumns(
  db: Db,
  organisationId: string,
): Promise<ReadonlyMap<string, readonly OwnColumn[]>> {
  const recordId = sql<string>`coalesce(versionId, helperTableId)`
  const found = await db
    .selectFrom('load')
    .distinctOn(recordId)
    .select([recordId.as('recordId'), 'types'])
    .where('organisationId', '=', organisationId)
    .where('committingAt', 'is not', null)
    .where(recordId, 'is not', null)
    .orderBy(recordId)
    .orderBy('committingAt', 'desc')
    .execute()
  return new Map(found.map(({ recordId: id, types }) => [id, types as readonly OwnColumn[]]))
}

export interface NewLoad extends Pick<
  LoadRow,
  'tableName' | 'userId' | 'source' | 'workbook' | 'sheet' | 'firstRow' | 'firstColumn' | 'fileId' | 'undoes'
> {
  readonly record: LoadRecord
  readonly columns: readonly string[]
  readonly defaults: Partial<Record<SlicePart, string>>
  readonly chosenTypes: ChosenTypes
}

export function insertLoad(
  db: Db,
  organisationId: string,
  { record, defaults, columns, chosenTypes, ...load }: NewLoad,
): Promise<LoadRow> {
  return db
    .insertInto('load')
    .values({
      ...load,
      organisationId,
      versionId: record.kind === 'version' ? record.id : null,
      helperTableId: record.kind === 'helperTable' ? record.id : null,
      recordName: record.name,
      columns: [...columns],
      defaults: JSON.stringify(defaults),
      chosenTypes: JSON.stringify(chosenTypes),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** @param mode `locked` holds a row lock until the end of the transaction */
export async function findLoad(
  db: Db,
  organisationId: string,
  loadId: string,
  mode: 'locked' | 'unlocked' = 'unlocked',
) {
  const found = db.selectFrom('load').selectAll().where('organisationId', '=', organisationId).where('id', '=', loadId)
  return await (mode === 'locked' ? found.forUpdate() : found).executeTakeFirst()
}

export type LoadRow = NonNullable<Awaited<ReturnType<typeof findLoad>>>

/** True if the user uploaded the file and it is still kept. */
export async function ownsFile(db: Db, organisationId: string, file: { readonly id: string; readonly userId: string }) {
  const found = await db
    .selectFrom('loadFile')
    .select('id')
    .where('organisationId', '=', organisationId)
    .where('id', '=', file.id)
    .where('userId', '=', file.userId)
    .executeTakeFirst()
  return found !== undefined
}

export interface LoadChunk {
  readonly load: Pick<LoadRow, 'id' | 'rows'>
  readonly number: number
  readonly rows: readonly (readonly SheetCell[])[]
}

/** Upserts the chunk with that number. The caller has locked the load. Returns the row count of the load. */
export async function storeLoadChunk(
  db: Db,
  organisationId: string,
  { load, number, rows }: LoadChunk,
): Promise<number> {
  const loadId = load.id
  const former = await db
    .deleteFrom('loadChunk')
    .where('organisationId', '=', organisationId)
    .where('loadId', '=', loadId)
    .where('number', '=', number)
    .returning(sql<number>`jsonb_array_length(rows)`.as('rows'))
    .executeTakeFirst()
  await db
    .insertInto('loadChunk')
    .values({ organisationId, loadId, number, rows: JSON.stringify(rows) })
    .execute()
  const count = load.rows - (former?.rows ?? 0) + rows.length
  await db
    .updateTable('load')
    .set({ rows: count })
    .where('organisationId', '=', organisationId)
    .where('id', '=', loadId)
    .execute()
  return count
}

/** The rows below the headings. Files are stored whole, so their rows are cut to the range of the load. */
export async function readRows(
  db: Db,
  organisationId: string,
  load: LoadRow,
): Promise<readonly (readonly SheetCell[])[]> {
  const found =
    load.fileId === null
      ? await db
          .selectFrom('loadChunk')
          .select('rows')
          .where('organisationId', '=', organisationId)
          .where('loadId', '=', load.id)
          .orderBy('number')
          .execute()
      : await db
          .selectFrom('loadFileChunk')
          .select('rows')
          .where('organisationId', '=', organisationId)
          .where('fileId', '=', load.fileId)
          .where('sheet', '=', load.sheet)
          .orderBy('number')
          .execute()
  const rows = found.flatMap((chunk) => chunk.rows as (readonly SheetCell[])[])
  if (load.fileId === null) return rows
  return rows.slice(load.firstRow).map((row) => row.slice(load.firstColumn - 1))
}

export async function deleteLoadRows(db: Db, organisationId: string, loadId: string): Promise<void> {
  await db.deleteFrom('loadChunk').where('organisationId', '=', organisationId).where('loadId', '=', loadId).execute()
}

export async function endLoad(
  db: Db,
  organisationId: string,
  loadId: string,
  status: 'LOADED' | 'UNDONE' | 'CANCELLED' | 'FAILED',
): Promise<void> {
  await db
    .updateTable('load')
    .set({ status, ...(status === 'LOADED' && { committedAt: sql<string>`now()` }) })
    .where('organisationId', '=', organisationId)
    .where('id', '=', loadId)
    .execute()
}

/** Loads that began to write the record's table and did not record how they ended. */
export async function listUnfinishedLoads(db: Db, organisationId: string, record: Pick<LoadRecord, 'kind' | 'id'>) {
  return db
    .selectFrom('load')
    .select(['id', 'undoes', 'tableName', 'rows', 'userId'])
    .where('organisationId', '=', organisationId)
    .where(record.kind === 'version' ? 'versionId' : 'helperTableId', '=', record.id)
    .where('status', '=', 'COMMITTING')
    .execute()
}

/** Rows per INSERT statement. */
const insertBatchSize = 500

export interface StoredLoadChange {
  readonly sliceId: string
  readonly cell: string | null
  readonly kind: 'changed' | 'added' | 'removed'
  readonly columnName: string | null
  readonly old: ColumnValue
  readonly new: ColumnValue
}

export async function insertChanges(
  db: Db,
  organisationId: string,
  loadId: string,
  changes: readonly StoredLoadChange[],
): Promise<void> {
  for (let at = 0; at < changes.length; at += insertBatchSize)
    await db
      .insertInto('loadChange')
      .values(changes.slice(at, at + insertBatchSize).map((change) => ({ ...change, organisationId, loadId })))
      .execute()
}
