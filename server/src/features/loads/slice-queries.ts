import { sql } from 'kysely'
import type { Db } from '../../kernel/store/store.ts'
import { type KnownSlice, type SliceIds, type SliceNames, sliceParts } from './slices.ts'

/** Slices of a version that were loaded before. */
export async function listKnownSlices(
  db: Db,
  organisationId: string,
  versionId: string,
): Promise<readonly KnownSlice[]> {
  const found = await db
    .selectFrom('slice')
    .select(['sliceId', 'entityId as entity', 'areaId as area', 'subareaId as subarea', 'milestoneId as milestone'])
    .where('organisationId', '=', organisationId)
    .where('versionId', '=', versionId)
    .execute()
  return found.map(({ sliceId, ...ids }) => ({ sliceId, ids }))
}

/** The current names of slices that were loaded before, by slice id. */
export async function listSliceNames(
  db: Db,
  organisationId: string,
  versionId: string,
): Promise<ReadonlyMap<string, SliceNames>> {
  const found = await db
    .selectFrom('slice')
    .innerJoin('entity', 'entity.id', 'slice.entityId')
    .innerJoin('area', 'area.id', 'slice.areaId')
    .innerJoin('subarea', 'subarea.id', 'slice.subareaId')
    .innerJoin('milestone', 'milestone.id', 'slice.milestoneId')
    .select([
      'sliceId',
      'entity.name as entity',
      'area.name as area',
      'subarea.name as subarea',
      'milestone.name as milestone',
    ])
    .where('slice.organisationId', '=', organisationId)
    .where('slice.versionId', '=', versionId)
    .execute()
  return new Map(found.map(({ sliceId, ...names }) => [sliceId, names]))
}

export async function insertKnownSlices(
  db: Db,
  organisationId: string,
  versionId: string,
  slices: readonly { readonly sliceId: string; readonly ids: SliceIds }[],
): Promise<void> {
  const rows = slices.map(({ sliceId, ids: { entity, area, subarea, milestone } }) => {
    const of = { entityId: entity, areaId: area, subareaId: subarea, milestoneId: milestone }
    return { organisationId, sliceId, versionId, ...of }
  })
  for (let at = 0; at < rows.length; at += insertBatchSize)
    await db
      .insertInto('slice')
      .values(rows.slice(at, at + insertBatchSize))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
}

export interface StoredSlice {
  readonly sliceId: string
  readonly names: SliceNames
  readonly rows: number
  readonly formerRows: number
  readonly formerLoadId: string | null
  readonly formerBy: string | null
  readonly formerAt: string | null
  readonly former: Buffer
}

/** Rows per INSERT statement. */
const insertBatchSize = 500

export async function insertSlices(
  db: Db,
  organisationId: string,
  loadId: string,
  slices: readonly StoredSlice[],
): Promise<void> {
  const rows = slices.map(({ names, ...slice }) => ({ ...slice, ...names, organisationId, loadId }))
  for (let at = 0; at < rows.length; at += insertBatchSize)
    await db
      .insertInto('loadSlice')
      .values(rows.slice(at, at + insertBatchSize))
      .execute()
}

export async function listSlices(db: Db, organisationId: string, loadIds: readonly string[]) {
  if (loadIds.length === 0) return []
  return db
    .selectFrom('loadSlice as slice')
    .leftJoin('load as former', 'former.id', 'slice.formerLoadId')
    .leftJoin('portalUser', 'portalUser.id', 'former.userId')
    .select([
      'slice.loadId',
      'slice.sliceId',
      'entity',
      'area',
      'subarea',
      'milestone',
      'slice.rows',
      'formerRows',
      'formerAt',
    ])
    .select(sql<string | null>`coalesce(firstName || ' ' || lastName, formerBy)`.as('formerBy'))
    .where('slice.organisationId', '=', organisationId)
    .where('slice.loadId', 'in', loadIds)
    .orderBy('entity')
    .orderBy('area')
    .orderBy('subarea')
    .orderBy('milestone')
    .execute()
}

/** The compressed rows that a load replaced, with the current names of its slices. */
export async function readReplacedSlices(db: Db, organisationId: string, loadId: string) {
  return db
    .selectFrom('loadSlice as kept')
    .leftJoin('slice', 'slice.sliceId', 'kept.sliceId')
    .leftJoin('entity', 'entity.id', 'slice.entityId')
    .leftJoin('area', 'area.id', 'slice.areaId')
    .leftJoin('subarea', 'subarea.id', 'slice.subareaId')
    .leftJoin('milestone', 'milestone.id', 'slice.milestoneId')
    .select(['kept.sliceId', 'kept.former'])
    .select(
      sliceParts.map((part) => sql<string>`coalesce(${sql.ref(`${part}.name`)}, ${sql.ref(`kept.${part}`)})`.as(part)),
    )
    .where('kept.organisationId', '=', organisationId)
    .where('kept.loadId', '=', loadId)
    .execute()
}
