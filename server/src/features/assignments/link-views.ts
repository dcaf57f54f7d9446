/** Describes the kinds of links. Every link has two sides and can be saved from either. */

/** A kind of link, as seen from one of its sides. */
export interface LinkView {
  readonly table: 'areaSubarea' | 'groupUser' | 'helperTableUser' | 'entityUser'
  /** The name in the audit log. */
  readonly name: string
  readonly one: LinkViewSide
  readonly other: LinkViewSide
}

export interface LinkViewSide {
  readonly table: 'area' | 'subarea' | 'membership' | 'permissionGroup' | 'helperTable' | 'entity'
  /** The column of the link table that refers to a record of this side. */
  readonly idColumn: 'areaId' | 'subareaId' | 'userId' | 'groupId' | 'helperTableId' | 'entityId'
  /** The column that links a record to all current and future ones of the other side. Null if the side has no such column. */
  readonly allColumn: 'allSubareas' | 'allAreas' | 'allUsers' | 'allHelperTables' | 'allEntities' | null
  /** The plural noun for messages. */
  readonly pluralNoun: string
}

const area: LinkViewSide = { table: 'area', idColumn: 'areaId', allColumn: 'allSubareas', pluralNoun: 'areas' }
const subarea: LinkViewSide = { table: 'subarea', idColumn: 'subareaId', allColumn: 'allAreas', pluralNoun: 'subareas' }
const group: LinkViewSide = {
  table: 'permissionGroup',
  idColumn: 'groupId',
  allColumn: null,
  pluralNoun: 'security groups',
}
const helperTable: LinkViewSide = {
  table: 'helperTable',
  idColumn: 'helperTableId',
  allColumn: 'allUsers',
  pluralNoun: 'helper tables',
}
const entity: LinkViewSide = { table: 'entity', idColumn: 'entityId', allColumn: 'allUsers', pluralNoun: 'entities' }

function user(allColumn: LinkViewSide['allColumn']): LinkViewSide {
  return { table: 'membership', idColumn: 'userId', allColumn, pluralNoun: 'users' }
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

export const areasOfSubarea = flipView(subareasOfArea, 'areas of subarea')
export const usersOfHelperTable = flipView(helperTablesOfUser, 'users of helper table')
export const usersOfEntity = flipView(entitiesOfUser, 'users of entity')

function flipView({ table, one, other }: LinkView, name: string): LinkView {
  return { table, name, one: other, other: one }
}
