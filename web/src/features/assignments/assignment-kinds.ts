/** The kinds of assignment: labels, buttons, queries and how each is saved. */
import type { Assignee, LinkReplacement } from '@tributary/contract/assignments'
import { call } from '../../api/call.ts'
import { paths } from '../../paths.ts'
import { type LinkKind, linksWithFutureItems } from '../../domain/link-editor/link-kind.ts'
import { type LinkSelection, toLinks } from '../../domain/link-editor/links.ts'

export interface AssignableObject {
  readonly Id: string
  readonly Name: string
  readonly Status: { readonly Name: string }
  readonly AllUsers?: boolean
}

export interface AssignableObjects {
  readonly key: 'groups' | 'helperTables' | 'entities'
  readonly list: (orgId: string, signal: AbortSignal) => Promise<readonly AssignableObject[]>
  readonly linksOf: (user: Assignee) => LinkSelection
}

export interface AssignmentKind extends LinkKind {
  /** True if users are on the left; false if the objects assigned to them are. */
  readonly isByUser: boolean
  readonly assignables: AssignableObjects
  /** Replaces all assignments of one subject. */
  readonly put: (id: string, whole: LinkReplacement, orgId: string) => Promise<unknown>
}

const groupObjects: AssignableObjects = {
  key: 'groups',
  list: (orgId, signal) => call('GET /permission-groups', { query: { orgId }, signal }),
  linksOf: ({ Groups }) => toLinks(Groups, false),
}
const helperTableObjects: AssignableObjects = {
  key: 'helperTables',
  list: (orgId, signal) => call('GET /helperTables', { query: { orgId }, signal }),
  linksOf: ({ HelperTables, AllHelperTables }) => toLinks(HelperTables, AllHelperTables),
}
const entityObjects: AssignableObjects = {
  key: 'entities',
  list: (orgId, signal) => call('GET /entities', { query: { orgId }, signal }),
  linksOf: ({ Entities, AllEntities }) => toLinks(Entities, AllEntities),
}

const userNoun = { title: 'Users', one: 'user', page: paths.adminUsers }
const groupNoun = { title: 'Security Groups', one: 'security group', page: paths.securityGroups }
const helperTableNoun = { title: 'Helper Tables', one: 'helper table', page: paths.helperTables }
const entityNoun = { title: 'Entities', one: 'entity', page: paths.entities }

export const userGroups: AssignmentKind = {
  title: 'Users assigned to Security Groups',
  subjects: userNoun,
  objects: groupNoun,
  applyModes: {},
  words: {
    create: 'Create new assignment',
    save: 'Assign',
    back: 'Back to assignments',
    remove: 'Unassign',
    removed: 'is in no security group any more.',
    linked: 'ASSIGNED TO',
  },
  gaps: ['peopleWithoutGroup', 'groupsWithoutMembers'],
  views: [],
  isByUser: true,
  assignables: groupObjects,
  // Group membership has no "all current and future".
  put: (userId, { ids, before }, orgId) => {
    const body = { ids, ...(before !== undefined && { before: { ids: before.ids } }) }
    return call('PUT /users/:userId/groups', { params: { userId }, query: { orgId }, body })
  },
}

const helperTableKind = {
  ...linksWithFutureItems,
  gaps: [],
  words: {
    ...linksWithFutureItems.words,
    remove: 'Unassign',
    removed: 'is unassigned.',
    linked: 'ASSIGNED TO',
  },
  views: [
    { label: 'By user', to: paths.userHelperTables },
    { label: 'By helper table', to: paths.helperTableUsers },
  ],
  assignables: helperTableObjects,
} satisfies Partial<AssignmentKind>
export const userHelperTables: AssignmentKind = {
  ...helperTableKind,
  title: 'Users assigned to Helper Tables',
  subjects: userNoun,
  objects: helperTableNoun,
  isByUser: true,
  put: (userId, body, orgId) => call('PUT /users/:userId/helperTables', { params: { userId }, query: { orgId }, body }),
}
export const helperTableUsers: AssignmentKind = {
  ...helperTableKind,
  title: 'Helper Tables assigned to Users',
  subjects: helperTableNoun,
  objects: userNoun,
  isByUser: false,
  put: (helperTableId, body) => call('PUT /helperTables/:helperTableId/users', { params: { helperTableId }, body }),
}

const entityKind = {
  ...linksWithFutureItems,
  gaps: ['peopleWithoutEntity'],
  words: { ...linksWithFutureItems.words, back: 'Back', remove: 'Delete' },
  views: [
    { label: 'By user', to: paths.userEntities },
    { label: 'By entity', to: paths.entityUsers },
  ],
  assignables: entityObjects,
} satisfies Partial<AssignmentKind>
export const userEntities: AssignmentKind = {
  ...entityKind,
  title: 'Link user to entities',
  subjects: userNoun,
  objects: entityNoun,
  isByUser: true,
  put: (userId, body, orgId) => call('PUT /users/:userId/entities', { params: { userId }, query: { orgId }, body }),
}
export const entityUsers: AssignmentKind = {
  ...entityKind,
  title: 'Link entity to users',
  subjects: entityNoun,
  objects: userNoun,
  isByUser: false,
  put: (entityId, body) => call('PUT /entities/:entityId/users', { params: { entityId }, body }),
}
