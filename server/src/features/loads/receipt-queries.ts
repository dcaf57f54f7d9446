import { sql } from 'kysely'
import type { Db } from '../../kernel/store/store.ts'
import { matchesSearch } from '../../kernel/store/search.ts'

interface LoadListQuery {
  /** The user who reads the list. */
  readonly userId: string
  readonly whose: 'all' | 'own'
  readonly versionId?: string | undefined
  readonly helperTableId?: string | undefined
  readonly search?: string | undefined
  readonly limit: number
  readonly offset: number
}

/** Latest first. Loads that are still being received are visible to their owner only. */
export async function listLoads(db: Db, organisationId: string, { limit, offset, ...filter }: LoadListQuery) {
  const found = filterLoads(selectLoads(db, organisationId), filter)
  const { total } = await found.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow()
  const rows = await selectReceipts(found)
    .orderBy('load.beganAt', 'desc')
    .orderBy('load.id')
    .limit(limit)
    .offset(offset)
    .execute()
  return { total, rows }
}

export function readReceipt(db: Db, organisationId: string, loadId: string) {
  return selectReceipts(selectLoads(db, organisationId)).where('load.id', '=', loadId).executeTakeFirstOrThrow()
}
export type ReceiptRow = Awaited<ReturnType<typeof readReceipt>>

/** Loads with the users who loaded. */
function selectLoads(db: Db, organisationId: string) {
  return db
    .selectFrom('load')
    .innerJoin('portalUser', 'portalUser.id', 'load.userId')
    .where('load.organisationId', '=', organisationId)
}

const loaderName = sql<string>`firstName || ' ' || lastName`

function selectReceipts(loads: ReturnType<typeof selectLoads>) {
  return loads
    .leftJoin('load as undoing', (join) =>
      join.onRef('undoing.undoes', '=', 'load.id').on('undoing.status', '=', 'LOADED'),
    )
    .select(['load.id', 'load.status', 'load.recordName', 'load.tableName', 'load.workbook', 'load.sheet'])
    .select(['load.source', 'load.beganAt as beganAtUtc', 'load.committedAt as committedAtUtc', 'load.undoes'])
    .select(['load.versionId', 'load.helperTableId', 'load.rows', 'load.rowsBefore', 'load.totals', 'load.changes'])
    .select(['undoing.id as undoneBy', loaderName.as('by')])
}

function filterLoads(
  loads: ReturnType<typeof selectLoads>,
  { userId, whose, versionId, helperTableId, search }: Omit<LoadListQuery, 'limit' | 'offset'>,
) {
  const loaded = sql`concat_ws(chr(10), firstName || ' ' || lastName, emailAddress, load.workbook, load.sheet, load.recordName, load.tableName)`
  const slice = sql`concat_ws(chr(10), entity, area, subarea, milestone)`
  return loads
    .where((load) => load.or([load('load.userId', '=', userId), load('load.status', '<>', 'RECEIVING')]))
    .$if(whose === 'own', (some) => some.where('load.userId', '=', userId))
    .$if(versionId !== undefined, (some) => some.where('load.versionId', '=', versionId ?? null))
    .$if(helperTableId !== undefined, (some) => some.where('load.helperTableId', '=', helperTableId ?? null))
    .where(
      sql<boolean>`(${matchesSearch(loaded, search)}
        OR EXISTS (SELECT FROM loadSlice AS slice WHERE slice.loadId = load.id AND ${matchesSearch(slice, search)}))`,
    )
}

/** Tables with loads that are writing or did not record how they ended; one row for each table. */
export async function listUnfinishedTables(db: Db, organisationId: string) {
  return db
    .selectFrom('load')
    .distinctOn(['versionId', 'helperTableId'])
    .select(['versionId', 'helperTableId', 'recordName'])
    .where('organisationId', '=', organisationId)
    .where('status', '=', 'COMMITTING')
    .execute()
}

/** Names of the users who loaded, by load id. */
export async function findLoaderNames(
  db: Db,
  organisationId: string,
  loadIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (loadIds.length === 0) return new Map()
  const found = await selectLoads(db, organisationId)
    .select(['load.id', loaderName.as('name')])
    .where('load.id', 'in', [...new Set(loadIds)])
    .execute()
  return new Map(found.map(({ id, name }) => [id, name]))
}

/** Changes in the order of the sheet; empty until the load is committed. */
export async function listChanges(
  db: Db,
  organisationId: string,
  { loadId, limit, offset }: { loadId: string; limit: number; offset: number },
) {
  return db
    .selectFrom('loadChange as change')
    .innerJoin('load', 'load.id', 'change.loadId')
    .innerJoin('portalUser', 'portalUser.id', 'load.userId')
    .innerJoin('loadSlice as slice', (join) =>
      join.onRef('slice.loadId', '=', 'change.loadId').onRef('slice.sliceId', '=', 'change.sliceId'),
    )
    .select(['change.cell', 'change.kind', 'change.columnName as column', 'change.old', 'change.new'])
    .select(['slice.entity', 'slice.area', 'slice.subarea', 'slice.milestone', 'load.workbook', 'load.sheet'])
    .select([sql<string>`load.committedAt`.as('atUtc'), loaderName.as('by')])
    .where('change.organisationId', '=', organisationId)
    .where('change.loadId', '=', loadId)
    .where('load.status', 'in', ['LOADED', 'UNDONE'])
    .orderBy('change.id')
    .limit(limit)
    .offset(offset)
    .execute()
}
