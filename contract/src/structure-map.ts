/** The structure map: how much an organisation has of each step from areas to people, and what is missing. */
import * as z from 'zod'
import { Named } from './named.ts'
import { route } from './route.ts'
import { ofOrganisation } from './route-parts.ts'

/** In the order of the steps. Archived records never count. */
export const structureGapKinds = [
  'areasWithoutSubareas',
  'subareasWithoutAreas',
  'versionsWithoutMilestones',
  /** Their table does not exist in the organisation's present database. */
  'versionsWithoutTable',
  'helperTablesWithoutTable',
  'groupsWithoutGrants',
  'groupsWithoutMembers',
  /** No security group grants any pair of the area. */
  'areasWithoutGroup',
  /** No security group grants any milestone of the version. */
  'versionsWithoutGroup',
  'peopleWithoutGroup',
  'peopleWithoutEntity',
] as const
export type StructureGapKind = (typeof structureGapKinds)[number]

/** A gap names at most this many of its records. */
export const gapRecordsMax = 3

const count = z.number().int().min(0)

export const StructureGap = z.object({
  Kind: z.enum(structureGapKinds),
  Count: z.number().int().min(1),
  /** The first of them by name. */
  Records: z.array(Named).max(gapRecordsMax),
})
export type StructureGap = z.infer<typeof StructureGap>

export const StructureMap = z.object({
  Areas: count,
  Subareas: count,
  /** Linked pairs of an area and a subarea, those of all current and future ones included. */
  Links: count,
  Versions: count,
  Milestones: count,
  HelperTables: count,
  /** Tables of versions and helper tables that exist in the organisation's present database. */
  Tables: count,
  Groups: count,
  Entities: count,
  /** Active members. */
  People: count,
  /** Only kinds that occur, in the order of the steps. */
  Gaps: z.array(StructureGap),
})
export type StructureMap = z.infer<typeof StructureMap>

export const structureMap = {
  read: route({
    method: 'GET',
    path: '/structure-map',
    tokenScopes: ['administer'],
    summary: 'The planning structure from areas to people: the number of each, and what is missing.',
    allow: 'editStructure',
    ...ofOrganisation,
    reply: StructureMap,
  }),
} as const
