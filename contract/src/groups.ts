/** Security groups: which area and subarea pairs, and which versions and milestones, their members may use. */
import * as z from 'zod'
import { Id, OptionalId, orgQuery } from './id.ts'
import { nameMax } from './limits.ts'
import { route } from './route.ts'
import { ofRecord } from './route-parts.ts'
import { PlanningRecord, RecordQuery } from './planning-records.ts'
import { bodyField, comOrganisationConfirms, comOrganisationInBody, groupInBody, organisationInQuery } from './scope.ts'

const name = z.string().normalize('NFC').trim().min(1).max(nameMax)

/** Null on one side and the flag on the other: all of that side, including future ones. */
export const AreaGrant = z.object({
  B2SAreaId: z.uuid().nullable(),
  B2SSubareaId: z.uuid().nullable(),
  B2SAreaSubarea: z.object({ AreaId: z.uuid().nullable(), SubareaId: z.uuid().nullable() }),
  /** All subareas of the area. */
  B2SSubAreaAllCurrentAndFuture: z.boolean(),
  /** All areas of the subarea. */
  B2SAreaAllCurrentAndFuture: z.boolean(),
})

export const VersionGrant = z.object({
  B2SVersionId: z.uuid().nullable(),
  B2SMilestoneId: z.uuid().nullable(),
  /** All milestones of the version; without a version, of every version. */
  B2SMilestoneAllCurrentAndFuture: z.boolean(),
})

export const PermissionGroup = PlanningRecord.extend({
  PermissionGroupAreasSubAreas: z.array(AreaGrant),
  B2SGroupVersionMilestones: z.array(VersionGrant),
  /** Number of members. */
  Members: z.number().int(),
  /** Increases with every change of name or grants. Send it when saving the group as a whole. */
  Revision: z.number().int(),
})
export type PermissionGroup = z.infer<typeof PermissionGroup>

/** What a group grants, as the wizard saves it, all at once. */
export const GroupGrants = z.strictObject({
  areas: z
    .array(
      z.strictObject({
        /** Null with `allAreas`. */
        areaId: Id.nullable(),
        /** Null with `allSubareas`. */
        subareaId: Id.nullable(),
        allAreas: z.boolean(),
        allSubareas: z.boolean(),
      }),
    )
    .max(20_000),
  versions: z
    .array(
      z.strictObject({
        /** Null with `allVersions`. */
        versionId: Id.nullable(),
        /** Null with `allMilestones`. */
        milestoneId: Id.nullable(),
        allVersions: z.boolean(),
        allMilestones: z.boolean(),
      }),
    )
    .max(20_000),
})
export type GroupGrants = z.infer<typeof GroupGrants>

const pair = z.strictObject({
  groupId: Id,
  subAreaId: Id.nullable().optional(),
  areaId: Id.nullable().optional(),
  /** All areas of the subarea, current and future. */
  areaAllCurrentAndFuture: z.boolean().optional(),
  /** All subareas of the area, current and future. */
  subAreaAllCurrentAndFuture: z.boolean().optional(),
})
const milestonePair = z.strictObject({
  groupId: Id,
  versionId: Id.nullable().optional(),
  milestoneId: Id.nullable().optional(),
  /** Every version, current and future. */
  flag: z.boolean().optional(),
  /** All milestones of the version, current and future. */
  allCurrentAndFuture: z.boolean().optional(),
})

/** What a change of a group does to one person. */
export const Effect = z.object({
  UserId: z.uuid(),
  Name: z.string(),
  Gains: z.array(z.string()),
  Loses: z.array(z.string()),
  /** In all; the lists name the first fifty. */
  GainCount: z.number().int(),
  LossCount: z.number().int(),
})
export type Effect = z.infer<typeof Effect>

/** The largest integer of the store. */
const revisionMax = 2_147_483_647

const ofGroup = ofRecord('groupId', 'permissionGroup')
const pairs = {
  allow: 'editStructure',
  path: '/permission-groups/area-subarea',
  scope: [groupInBody, bodyField('subAreaId', 'subarea'), bodyField('areaId', 'area')],
  body: pair,
  reply: PermissionGroup,
} as const
const milestonePairs = {
  allow: 'editStructure',
  path: '/permission-groups/version-milestone',
  scope: [groupInBody, bodyField('versionId', 'version'), bodyField('milestoneId', 'milestone')],
  body: milestonePair,
  reply: PermissionGroup,
} as const

export const groups = {
  list: route({
    method: 'GET',
    path: '/permission-groups',
    tokenScopes: ['administer'],
    summary: 'The security groups, by name.',
    allow: 'seeExcel',
    scope: organisationInQuery,
    query: RecordQuery,
    reply: z.array(PermissionGroup),
  }),
  /** Without `groupId` a new one, with it another name. With `grants` all of them at once. */
  save: route({
    method: 'POST',
    path: '/permission-groups',
    tokenScopes: ['administer'],
    summary: 'Add a security group, or rename one.',
    allow: 'editStructure',
    scope: comOrganisationInBody,
    body: z.strictObject({ name, comOrganisationId: OptionalId, groupId: OptionalId, grants: GroupGrants.optional() }),
    reply: PermissionGroup,
    faults: ['nameTaken'],
  }),
  setStatus: route({
    method: 'POST',
    path: '/permission-groups/status',
    tokenScopes: ['administer'],
    summary: 'Set the status of a security group.',
    allow: 'editStructure',
    scope: [groupInBody, comOrganisationConfirms],
    body: z.strictObject({ comOrganisationId: OptionalId, groupId: Id, statusId: Id }),
    reply: PermissionGroup,
  }),
  remove: route({
    method: 'DELETE',
    path: '/permission-groups/groups',
    tokenScopes: ['administer'],
    summary: 'Delete a security group.',
    allow: 'deleteStructure',
    scope: groupInBody,
    body: z.strictObject({ groupId: Id }),
  }),
  grantPair: route({
    tokenScopes: ['administer'],
    ...pairs,
    method: 'POST',
    summary: 'Grant an area and subarea pair, or all on one side.',
  }),
  revokePair: route({
    tokenScopes: ['administer'],
    ...pairs,
    method: 'DELETE',
    summary: 'Take a granted pair back; with the group alone, all of them.',
  }),
  grantMilestone: route({
    tokenScopes: ['administer'],
    ...milestonePairs,
    method: 'POST',
    summary: 'Grant a version and milestone pair, or all on one side.',
  }),
  revokeMilestone: route({
    tokenScopes: ['administer'],
    ...milestonePairs,
    method: 'DELETE',
    summary: 'Take a granted version and milestone back; with the group alone, all of them.',
  }),
  /** `revision` is the one that was read. If the group was saved in between, the call fails with `changedMeanwhile`. */
  read: route({
    method: 'GET',
    path: '/permission-groups/:groupId',
    tokenScopes: ['administer'],
    summary: 'A security group with its revision, for the wizard; with `orgId` only where it is that organisation’s.',
    allow: 'seeExcel',
    ...ofGroup,
    query: orgQuery,
    reply: PermissionGroup,
  }),
  replace: route({
    method: 'PUT',
    path: '/permission-groups/:groupId',
    tokenScopes: ['administer'],
    summary: 'Save a security group as a whole: name and grants, in one step.',
    allow: 'editStructure',
    ...ofGroup,
    body: z.strictObject({ name, grants: GroupGrants, revision: z.number().int().min(0).max(revisionMax) }),
    reply: PermissionGroup,
    faults: ['nameTaken', 'changedMeanwhile'],
  }),
  preview: route({
    method: 'POST',
    path: '/permission-groups/:groupId/preview',
    tokenScopes: ['administer'],
    summary: 'Who would gain and lose what if the group granted this.',
    allow: 'editStructure',
    ...ofGroup,
    body: z.strictObject({ grants: GroupGrants }),
    reply: z.array(Effect),
  }),
} as const
