/** Who and what belong together. Every link has two sides, and can be saved from either; what differs between the kinds is here. */

/** A link as seen from one of its sides: whose it is, and what the other side is. */
export interface LinkView {
  readonly table: 'areaSubarea' | 'groupUser' | 'helperTableUser' | 'entityUser'
  /** As the audit log calls it. */
  readonly name: string
  readonly one: Side
  readonly other: Side
}

export interface Side {
  readonly table: 'area' | 'subarea' | 'membership' | 'permissionGroup' | 'helperTable' | 'entity'
  /** What a record of it is called in links. */
  readonly idColumn: 'areaId' | 'subareaId' | 'userId' | 'groupId' | 'helperTableId' | 'entityId'
  /** The column by which it has all of the other side, current and future; null where there is no such thing. */
  readonly allColumn: 'allSubareas' | 'allAreas' | 'allUsers' | 'allHelperTables' | 'allEntities' | null
  /** For sentences: several of them. */
  readonly words: string
}

const area: Side = { table: 'area', idColumn: 'areaId', allColumn: 'allSubareas', words: 'areas' }
const subarea: Side = { table: 'subarea', idColumn: 'subareaId', allColumn: 'allAreas', words: 'subareas' }
const group: Side = { table: 'permissionGroup', idColumn: 'groupId', allColumn: null, words: 'security groups' }
const helperTable: Side = {
  table: 'helperTable',
  idColumn: 'helperTableId',
  allColumn: 'allUsers',
  words: 'helper tables',
}
const entity: Side = { table: 'entity', idColumn: 'entityId', allColumn: 'allUsers', words: 'entities' }

function user(allColumn: Side['allColumn']): Side {
  return { table: 'membership', idColumn: 'userId', allColumn, words: 'users' }
}

export const subareasOfArea: LinkView = { table: 'areaSubarea', name: 'subareas of area', one: area, other: subarea }
export const groupsOfUser: LinkView = { table: 'groupUser', name: 'groups of user', one: user(null), other: group }
export const helperTablesOfUser: LinkView = {
  table: 'helperTableUser',
  name: 'helper tables of user',
  one: user('allHelperTables'),
  other: helperTable,
}
export const entitiesOfUser: LinkView = {
  table: 'entityUser',
  name: 'entities of user',
  one: user('allEntities'),
  other: entity,
}

export const areasOfSubarea = flipped(subareasOfArea, 'areas of subarea')
export const usersOfHelperTable = flipped(helperTablesOfUser, 'users of helper table')
export const usersOfEntity = flipped(entitiesOfUser, 'users of entity')

function flipped({ table, one, other }: LinkView, name: string): LinkView {
  return { table, name, one: other, other: one }
}
