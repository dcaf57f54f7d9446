/** The kinds of assignment: what each is called, which buttons it has, what it shows and how it is saved. */
import type { Assignee, Whole } from '@tributary/contract/assignments'
import { call } from '../../api/call.ts'
import { paths } from '../../paths.ts'
import type { LinkKind } from '../../domain/link-editor/link-kind.ts'
import type { Links } from '../../domain/link-editor/links.ts'

/** What can be assigned to users. */
export interface Thing {
  readonly Id: string
  readonly Name: string
  readonly Status: { readonly Name: string }
  readonly AllUsers?: boolean
}

export interface Things {
  readonly key: 'groups' | 'helperTables' | 'entities'
  readonly list: (orgId: string, signal: AbortSignal) => Promise<readonly Thing[]>
  readonly linksOf: (user: Assignee) => Links
}

export interface AssignmentKind extends LinkKind {
  /** Whether users are chosen on the left, or what is assigned to them. */
  readonly isByUser: boolean
  readonly things: Things
  /** Saves all that is assigned on one side at once. */
  readonly put: (id: string, whole: Whole, orgId: string) => Promise<unknown>
}

const groups: Things = {
  key: 'groups',
  list: (orgId, signal) => call('GET /permission-groups', { query: { orgId }, signal }),
  linksOf: ({ Groups }) => links(Groups, false),
}
const helperTables: Things = {
  key: 'helperTables',
  list: (orgId, signal) => call('GET /helperTables', { query: { orgId }, signal }),
  linksOf: ({ HelperTables, AllHelperTables }) => links(HelperTables, AllHelperTables),
}
const entities: Things = {
  key: 'entities',
  list: (orgId, signal) => call('GET /entities', { query: { orgId }, signal }),
  linksOf: ({ Entities, AllEntities }) => links(Entities, AllEntities),
}

function links(things: readonly { readonly Id: string }[], all: boolean): Links {
  return { ids: new Set(things.map(({ Id }) => Id)), all }
}

const userNoun = { title: 'Users', one: 'user' }
const groupNoun = { title: 'Security Groups', one: 'security group' }
const helperTableNoun = { title: 'Helper Tables', one: 'helper table' }
const entityNoun = { title: 'Entities', one: 'entity' }

const applies = {
  allCurrent: 'Select all current',
  allCurrentAndFuture: 'Select all current and future',
  onlySelected: 'Only selected',
}

export const userGroups: AssignmentKind = {
  title: 'Users assigned to Security Groups',
  subjects: userNoun,
  objects: groupNoun,
  applies: {},
  words: {
    create: 'Create new assignment',
    save: 'Assign',
    back: 'Back to assignments',
    remove: 'Unassign',
    removed: 'is in no security group any more.',
    linked: 'ASSIGNED TO',
  },
  views: [],
  isByUser: true,
  things: groups,
  // People are in groups one by one.
  put: (userId, { ids, before }, orgId) => {
    const body = { ids, ...(before !== undefined && { before: { ids: before.ids } }) }
    return call('PUT /users/:userId/groups', { params: { userId }, query: { orgId }, body })
  },
}

const ofHelperTables = {
  applies,
  words: {
    create: 'Create new link',
    save: 'Create Link',
    back: 'Back to links',
    remove: 'Unassign',
    removed: 'is unassigned.',
    linked: 'ASSIGNED TO',
  },
  views: [
    { label: 'By user', to: paths.userHelperTables },
    { label: 'By helper table', to: paths.helperTableUsers },
  ],
  things: helperTables,
}
export const userHelperTables: AssignmentKind = {
  ...ofHelperTables,
  title: 'Users assigned to Helper Tables',
  subjects: userNoun,
  objects: helperTableNoun,
  isByUser: true,
  put: (userId, body, orgId) => call('PUT /users/:userId/helperTables', { params: { userId }, query: { orgId }, body }),
}
export const helperTableUsers: AssignmentKind = {
  ...ofHelperTables,
  title: 'Helper Tables assigned to Users',
  subjects: helperTableNoun,
  objects: userNoun,
  isByUser: false,
  put: (helperTableId, body) => call('PUT /helperTables/:helperTableId/users', { params: { helperTableId }, body }),
}

const ofEntities = {
  applies,
  words: {
    create: 'Create new link',
    save: 'Create Link',
    back: 'Back',
    remove: 'Delete',
    removed: 'is unlinked.',
  },
  views: [
    { label: 'By user', to: paths.userEntities },
    { label: 'By entity', to: paths.entityUsers },
  ],
  things: entities,
}
export const userEntities: AssignmentKind = {
  ...ofEntities,
  title: 'Link user to entities',
  subjects: userNoun,
  objects: entityNoun,
  isByUser: true,
  put: (userId, body, orgId) => call('PUT /users/:userId/entities', { params: { userId }, query: { orgId }, body }),
}
export const entityUsers: AssignmentKind = {
  ...ofEntities,
  title: 'Link entity to users',
  subjects: entityNoun,
  objects: userNoun,
  isByUser: false,
  put: (entityId, body) => call('PUT /entities/:entityId/users', { params: { entityId }, body }),
}
