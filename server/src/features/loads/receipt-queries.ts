import { sql } from 'kysely'
import type { Db } from '../../kernel/store/store.ts'

interface LoadListQuery {
  /** The user who reads the list. */
  readonly userId: string
  readonly whose: 'all' | 'own'
  readonly versionId?: string | undefined
  readonly helperTableId?: string | undefined
  readonly search?: string | undefined
  readonly page: number
  readonly pageSize: number
}

/** Latest first. Loads that are still being received are visible to their owner only. */
export async function listLoads(db: Db, organisationId: string, { page, pageSize, ...filter }: LoadListQuery) {
  const found = findLoads(db, organisationId, filter)
  const { total } = await found.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow()
  const rows = await found
    .leftJoin('load as undoing', (join) =>
      join.onRef('undoing.undoes', '=', 'load.id').on('undoing.status', '=', 'LOADED'),
    )
    .selectAll('load')
    .select(['undoing.id as undoneBy', loaderName.as('by')])
    .orderBy('load.beganAt', 'desc')
    .orderBy('load.id')
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .execute()
  return { total, rows }
}

const loaderName = sql<string>`firstName || ' ' || lastName`

function findLoads(
  db: Db,
  organisationId: string,
  { userId, whose, versionId, helperTableId, search = '' }: Omit<LoadListQuery, 'page' | 'pageSize'>,
) {
  const pattern = `%${search.trim().replaceAll(/[\\%_]/gu, '\\$&')}%`
  return db
    .selectFrom('load')
    .innerJoin('portalUser', 'portalUser.id', 'load.userId')
    .where('load.organisationId', '=', organisationId)
    .where((load) => load.or([load('load.userId', '=', userId), load('load.status', '<>', 'RECEIVING')]))
    .$if(whose === 'own', (some) => some.where('load.userId', '=', userId))
    .$if(versionId !== undefined, (some) => some.where('load.versionId', '=', versionId ?? null))
    .$if(helperTableId !== undefined, (some) => some.where('load.helperTableId', '=', helperTableId ?? null))
    .$if(search.trim() !== '', (some) =>
      some.where(
        sql<boolean>`concat_ws(chr(10), firstName || ' ' || lastName, emailAddress, load.workbook, load.sheet, load.recordName, load.tableName) ILIKE ${pattern}
          OR EXISTS (SELECT FROM loadSlice AS slice WHERE slice.loadId = load.id AND concat_ws(chr(10), entity, area, subarea, milestone) ILIKE ${pattern})`,
      ),
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

export async function readReceipt(db: Db, organisationId: string, loadId: string) {
  return db
    .selectFrom('load')
    .innerJoin('portalUser', 'portalUser.id', 'load.userId')
    .leftJoin('load as undoing', (join) =>
      join.onRef('undoing.undoes', '=', 'load.id').on('undoing.status', '=', 'LOADED'),
    )
    .selectAll('load')
    .select(['undoing.id as undoneBy', loaderName.as('by')])
    .where('load.organisationId', '=', organisationId)
    .where('load.id', '=', loadId)
    .executeTakeFirstOrThrow()
}
export type ReceiptRow = Awaited<ReturnType<typeof readReceipt>>

/** Names of the users who loaded, by load id. */
export async function findLoaderNames(
  db: Db,
  organisationId: string,
  loadIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (loadIds.length === 0) return new Map()
  const found = await db
    .selectFrom('load')
    .innerJoin('portalUser', 'portalUser.id', 'load.userId')
    .select(['load.id', loaderName.as('name')])
    .where('load.organisationId', '=', organisationId)
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
    .select(['change.cell', 'change.kind', 'change.columnName', 'change.old', 'change.new'])
    .select([
      'slice.entity',
      'slice.area',
      'slice.subarea',
      'slice.milestone',
      'load.workbook',
      'load.sheet',
      'load.committedAt',
    ])
    .select(loaderName.as('by'))
    .where('change.organisationId', '=', organisationId)
    .where('change.loadId', '=', loadId)
    .where('load.status', 'in', ['LOADED', 'UNDONE'])
    .orderBy('change.id')
    .limit(limit)
    .offset(offset)
    .execute()
}
