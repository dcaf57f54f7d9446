/** Links: areas and subareas, users and groups, users and helper tables, users and entities. */
import * as z from 'zod'
import { Id, OptionalId, orgQuery } from './id.ts'
import { Named, Person } from './named.ts'
import { route } from './route.ts'
import { ofOrganisation, ofRecord } from './route-parts.ts'
import { bodyField, comOrganisationInBody, organisationInQuery } from './scope.ts'

const empty = z.object({})

/**
 * The links of one subject as a whole. `before` is what the editor showed: if another person has saved in between,
 * nothing is changed and `changedMeanwhile` names the differences. With `allCurrentAndFuture` the ids are ignored.
 */
const LinkReplacement = z.strictObject({
  ids: z.array(Id).max(20_000),
  allCurrentAndFuture: z.boolean().optional(),
  before: z.strictObject({ ids: z.array(Id).max(20_000), allCurrentAndFuture: z.boolean().optional() }).optional(),
})
export type LinkReplacement = z.infer<typeof LinkReplacement>
/** Groups cannot be assigned to all current and future people. */
const one = z.literal(false).optional()
const GroupLinkReplacement = LinkReplacement.extend({
  allCurrentAndFuture: one,
  before: LinkReplacement.extend({ allCurrentAndFuture: one }).omit({ before: true }).optional(),
})
export const LinkedRecords = z.object({ Ids: z.array(z.uuid()), AllCurrentAndFuture: z.boolean() })
export type LinkedRecords = z.infer<typeof LinkedRecords>

/** A user with what is assigned to them. */
export const Assignee = Person.extend({
  Status: z.object({ Name: z.string() }),
  Groups: z.array(Named),
  HelperTables: z.array(Named),
  AllHelperTables: z.boolean(),
  Entities: z.array(Named),
  AllEntities: z.boolean(),
})
export type Assignee = z.infer<typeof Assignee>

const areaLink = z.strictObject({ areaId: Id, subareaId: OptionalId, allCurrentAndFuture: z.boolean().optional() })
/** `search` narrows the pairs of area and subarea. */
const useQuery = orgQuery.extend({ search: z.string().max(200).optional() })
const ofUser = { allow: 'editStructure', ...ofOrganisation, params: z.strictObject({ userId: Id }) } as const
const ofArea = {
  method: 'POST',
  allow: 'editStructure',
  scope: [bodyField('areaId', 'area'), bodyField('subareaId', 'subarea')],
  body: areaLink,
  reply: empty,
} as const
const replacement = {
  method: 'PUT',
  allow: 'editStructure',
  body: LinkReplacement,
  reply: LinkedRecords,
  faults: ['changedMeanwhile'],
} as const

/** Something that a person may use, and the reason. */
const Why = z.object({ Group: z.string().nullable(), Because: z.string() })
export const Use = z.object({
  /** The first ten thousand that the search leaves; `MorePairs` says that there are others. */
  MorePairs: z.boolean(),
  Pairs: z.array(
    z.object({ AreaId: z.uuid(), Area: z.string(), SubareaId: z.uuid(), Subarea: z.string(), Why: z.array(Why) }),
  ),
  Milestones: z.array(
    z.object({
      VersionId: z.uuid(),
      Version: z.string(),
      MilestoneId: z.uuid(),
      Milestone: z.string(),
      /** False if the version or the milestone is locked. */
      MayWrite: z.boolean(),
      Why: z.array(Why),
    }),
  ),
  HelperTables: z.array(Named.extend({ MayWrite: z.boolean(), Why: z.array(Why) })),
  Entities: z.array(Named.extend({ Why: z.array(Why) })),
})
export type Use = z.infer<typeof Use>

export const assignments = {
  linkArea: route({
    ...ofArea,
    path: '/subareas/link-to-area',
    tokenScopes: ['administer'],
    summary: 'Link a subarea to an area, or all current and future ones.',
  }),
  unlinkArea: route({
    ...ofArea,
    path: '/subareas/unlink-from-area',
    tokenScopes: ['administer'],
    summary: 'Unlink a subarea from an area.',
  }),
  unlinkWholeArea: route({
    method: 'POST',
    path: '/subareas/unlink-from-area-all',
    tokenScopes: ['administer'],
    summary: 'Unlink every subarea from an area.',
    allow: 'editStructure',
    scope: bodyField('areaId', 'area'),
    body: z.strictObject({ areaId: Id }),
    reply: empty,
  }),
  setSubareasOfArea: route({
    ...replacement,
    path: '/areas/:areaId/subareas',
    tokenScopes: ['administer'],
    summary: 'The subareas of an area, as a whole.',
    ...ofRecord('areaId', 'area'),
  }),
  setAreasOfSubarea: route({
    ...replacement,
    path: '/subareas/:subareaId/areas',
    tokenScopes: ['administer'],
    summary: 'The areas of a subarea, as a whole.',
    ...ofRecord('subareaId', 'subarea'),
  }),
  assignees: route({
    method: 'GET',
    path: '/assignments',
    tokenScopes: ['administer'],
    summary: 'The members with their groups, helper tables and entities, by first name.',
    allow: 'editStructure',
    ...ofOrganisation,
    reply: z.array(Assignee),
  }),
  linkGroup: route({
    method: 'POST',
    path: '/users/:userId/link-to-group',
    tokenScopes: ['administer'],
    summary: 'Put a user into a group.',
    ...ofUser,
    scope: comOrganisationInBody,
    body: z.strictObject({ comOrganisationId: OptionalId, groupId: Id }),
    reply: empty,
  }),
  unlinkGroup: route({
    method: 'DELETE',
    path: '/users/:userId/link-to-group',
    tokenScopes: ['administer'],
    summary: 'Take a user out of a group; without a body, out of all.',
    ...ofUser,
    body: z.strictObject({ groupId: Id }).optional(),
  }),
  linkEntity: route({
    method: 'POST',
    path: '/users/:userId/link-to-entity',
    tokenScopes: ['administer'],
    summary: 'Assign an entity to a user.',
    ...ofUser,
    body: z.strictObject({ entityId: Id }),
    reply: empty,
  }),
  unlinkEntity: route({
    method: 'DELETE',
    path: '/users/:userId/link-to-entity',
    tokenScopes: ['administer'],
    summary: 'Take an entity from a user; without a body, all.',
    ...ofUser,
    body: z.strictObject({ entityId: Id }).optional(),
  }),
  linkHelperTable: route({
    method: 'POST',
    path: '/users/:userId/link-helperTable',
    tokenScopes: ['administer'],
    summary: 'Assign a helper table to a user.',
    ...ofUser,
    body: z.strictObject({ helperTableId: Id }),
    reply: empty,
  }),
  unlinkHelperTable: route({
    method: 'DELETE',
    path: '/users/:userId/link-helperTable',
    tokenScopes: ['administer'],
    summary: 'Take a helper table from a user; without a body, all.',
    ...ofUser,
    body: z.strictObject({ helperTableId: Id }).optional(),
  }),
  setGroupsOfUser: route({
    ...replacement,
    path: '/users/:userId/groups',
    tokenScopes: ['administer'],
    summary: 'The groups of a user, as a whole.',
    ...ofUser,
    body: GroupLinkReplacement,
  }),
  setHelperTablesOfUser: route({
    ...replacement,
    path: '/users/:userId/helperTables',
    tokenScopes: ['administer'],
    summary: 'The helper tables of a user, as a whole.',
    ...ofUser,
  }),
  setEntitiesOfUser: route({
    ...replacement,
    path: '/users/:userId/entities',
    tokenScopes: ['administer'],
    summary: 'The entities of a user, as a whole.',
    ...ofUser,
  }),
  setUsersOfEntity: route({
    ...replacement,
    path: '/entities/:entityId/users',
    tokenScopes: ['administer'],
    summary: 'The users of an entity, as a whole.',
    ...ofRecord('entityId', 'entity'),
  }),
  setUsersOfHelperTable: route({
    ...replacement,
    path: '/helperTables/:helperTableId/users',
    tokenScopes: ['administer'],
    summary: 'The users of a helper table, as a whole.',
    ...ofRecord('helperTableId', 'helperTable'),
  }),
  useOfUser: route({
    method: 'GET',
    path: '/users/:userId/use',
    tokenScopes: ['administer'],
    summary: 'What a user may use, and why: see as that user.',
    ...ofUser,
    query: useQuery,
    reply: Use,
  }),
  ownUse: route({
    method: 'GET',
    path: '/me/use',
    tokenScopes: ['plans.load'],
    summary: 'What one may use oneself.',
    allow: 'seeExcel',
    scope: organisationInQuery,
    query: useQuery,
    reply: Use,
  }),
} as const
