/** The records of an organisation's planning structure. */
import * as z from 'zod'
import { Flag } from './flag.ts'
import { Named } from './named.ts'
import { ListQuery } from './paging.ts'

export const PlanningRecord = Named.extend({ Status: Named })
/** Number of security groups that refer to it, which a deletion would change. */
const GroupCount = z.number().int().min(0)

/** Archived ones are hidden unless asked for. */
export const RecordQuery = ListQuery.extend({ archived: Flag.optional() })
export type RecordQuery = z.infer<typeof RecordQuery>

/** `links=false` omits the linked records; `LinkCount` is always set. */
export const LinkedRecordQuery = RecordQuery.extend({ links: Flag.optional() })

export const Area = PlanningRecord.extend({
  /** Its linked records; with the flag, all. */
  Subareas: z.array(Named),
  AllCurrentAndFuture: z.boolean(),
  LinkCount: z.number().int().min(0),
  GroupCount,
})
export type Area = z.infer<typeof Area>

export const Subarea = PlanningRecord.extend({
  AreasSubareas: z.array(z.object({ Area: Named })),
  /** All current and future areas. */
  AllCurrentAndFuture: z.boolean(),
  LinkCount: z.number().int().min(0),
  GroupCount,
})
export type Subarea = z.infer<typeof Subarea>

export const Milestone = PlanningRecord.extend({
  VersionId: z.uuid(),
  ListOrder: z.number().int(),
  GroupCount,
})
export type Milestone = z.infer<typeof Milestone>

export const PlanVersion = PlanningRecord.extend({
  Milestones: z.array(Milestone),
  GroupCount,
})
export type PlanVersion = z.infer<typeof PlanVersion>

export const HelperTable = Named.extend({
  InputTableName: z.string(),
  Status: Named,
  AllUsers: z.boolean(),
})
export type HelperTable = z.infer<typeof HelperTable>

/** `AllUsers`: for all current and future users. */
export const Entity = PlanningRecord.extend({ AllUsers: z.boolean() })
export type Entity = z.infer<typeof Entity>
