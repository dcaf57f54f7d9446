/** A planning structure with one record of each kind, and sample bodies of its routes. */
import { randomUUID } from 'node:crypto'
import type { Db } from '../../../server/src/kernel/store/store.ts'
import { statusIds } from '../app/fixed-ids.ts'

export const structureNames = [
  'areaId',
  'subareaId',
  'versionId',
  'milestoneId',
  'helperTableId',
  'entityId',
  'groupId',
] as const
export type StructureFixtures = Readonly<Record<(typeof structureNames)[number], string>>

const name = 'A new one'
const renamed = { name: 'Another name' }
const grants = { areas: [], versions: [] }
/** Empty credentials select the product's warehouse. */
const ownDatabase = { host: '', database: '', schema: '', user: '', password: '' }

export const structureBodies: Readonly<Record<string, object>> = {
  'POST /areas': { name },
  'POST /areas/:areaId': renamed,
  'POST /subareas': { name, listOrder: 1 },
  'POST /subareas/:subareaId': renamed,
  'POST /versions': { name },
  'POST /versions/:versionId': renamed,
  'DELETE /versions/:versionId': { name: 'del' },
  'POST /milestones': { name, versionId: randomUUID(), listOrder: 1 },
  'POST /milestones/:milestoneId': renamed,
  'POST /helperTables': { name: 'A new table', inputTableName: 'Anewtable' },
  'POST /helperTables/:helperTableId': { name: 'Another table' },
  'POST /entities': { name },
  'POST /entities/:entityId': renamed,
  'POST /subareas/link-to-area': { areaId: randomUUID(), subareaId: randomUUID() },
  'POST /subareas/unlink-from-area': { areaId: randomUUID(), subareaId: randomUUID() },
  'POST /subareas/unlink-from-area-all': { areaId: randomUUID() },
  'PUT /areas/:areaId/subareas': { ids: [] },
  'PUT /subareas/:subareaId/areas': { ids: [] },
  'POST /users/:userId/link-to-group': { groupId: randomUUID() },
  'DELETE /users/:userId/link-to-group': { groupId: randomUUID() },
  'POST /users/:userId/link-to-entity': { entityId: randomUUID() },
  'DELETE /users/:userId/link-to-entity': { entityId: randomUUID() },
  'POST /users/:userId/link-helperTable': { helperTableId: randomUUID() },
  'DELETE /users/:userId/link-helperTable': { helperTableId: randomUUID() },
  'PUT /users/:userId/groups': { ids: [] },
  'PUT /users/:userId/helperTables': { ids: [] },
  'PUT /users/:userId/entities': { ids: [] },
  'PUT /entities/:entityId/users': { ids: [] },
  'PUT /helperTables/:helperTableId/users': { ids: [] },
  'POST /permission-groups': { name },
  'POST /permission-groups/status': { groupId: randomUUID(), statusId: statusIds.locked },
  'DELETE /permission-groups/groups': { groupId: randomUUID() },
  'POST /permission-groups/area-subarea': {
    groupId: randomUUID(),
    areaId: randomUUID(),
    subAreaAllCurrentAndFuture: true,
  },
  'DELETE /permission-groups/area-subarea': {
    groupId: randomUUID(),
    areaId: randomUUID(),
    subAreaAllCurrentAndFuture: true,
  },
  'POST /permission-groups/version-milestone': {
    groupId: randomUUID(),
    versionId: randomUUID(),
    milestoneId: randomUUID(),
  },
  'DELETE /permission-groups/version-milestone': {
    groupId: randomUUID(),
    versionId: randomUUID(),
    milestoneId: randomUUID(),
  },
  'PUT /permission-groups/:groupId': { name, grants, revision: 1 },
  'POST /permission-groups/:groupId/preview': { grants },
  'POST /organisations/:clientId/database-credentials': ownDatabase,
  'POST /organisations/:clientId/database-credentials/check': ownDatabase,
}

export async function insertStructure(db: Db, organisationId: string): Promise<StructureFixtures> {
  const record = { organisationId, name: `Thing ${randomUUID().slice(0, 8)}` }
  const { id: areaId } = await db.insertInto('area').values(record).returning('id').executeTakeFirstOrThrow()
  const { id: subareaId } = await db.insertInto('subarea').values(record).returning('id').executeTakeFirstOrThrow()
  await db.insertInto('areaSubarea').values({ organisationId, areaId, subareaId }).execute()
  const { id: versionId } = await db.insertInto('version').values(record).returning('id').executeTakeFirstOrThrow()
  await db
    .insertInto('physicalTable')
    .values({ organisationId, name: `b2s${versionId}`, versionId })
    .execute()
  const milestone = { ...record, versionId }
  const { id: milestoneId } = await db
    .insertInto('milestone')
    .values(milestone)
    .returning('id')
    .executeTakeFirstOrThrow()
  const helperTable = { ...record, inputTableName: record.name.replaceAll(' ', '') }
  const { id: helperTableId } = await db
    .insertInto('helperTable')
    .values(helperTable)
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: entityId } = await db.insertInto('entity').values(record).returning('id').executeTakeFirstOrThrow()
  const { id: groupId } = await db
    .insertInto('permissionGroup')
    .values(record)
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.insertInto('groupPair').values({ organisationId, groupId, areaId, subareaId }).execute()
  await db.insertInto('groupMilestone').values({ organisationId, groupId, versionId, milestoneId }).execute()
  const slice = { sliceId: randomUUID(), versionId, entityId, areaId, subareaId, milestoneId }
  await db
    .insertInto('slice')
    .values({ organisationId, ...slice })
    .execute()
  return { areaId, subareaId, versionId, milestoneId, helperTableId, entityId, groupId }
}
