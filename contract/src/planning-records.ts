/** The records of an organisation's planning structure, as they travel. */
import * as z from 'zod'
import { Flag } from './flag.ts'
import { Id } from './id.ts'
import { paging } from './paging.ts'

export const RecordStatus = z.object({ Id: z.uuid(), Name: z.string() })
const Named = z.object({ Id: z.uuid(), Name: z.string() })
/** In how many security groups it is named: what a deletion would take from them. */
const GroupCount = z.number().int().min(0)

/** Long lists take these; the total is then told in `X-Total-Count`. Without page and pageSize a list answers all. */
export const RecordQuery = z.strictObject({
  orgId: Id.optional(),
  search: z.string().max(200).optional(),
  sort: z.enum(['asc', 'desc']).optional(),
  ...paging,
  /** Archived ones are hidden unless asked for. */
  archived: Flag.optional(),
})
export type RecordQuery = z.infer<typeof RecordQuery>

/** `links=false` leaves the lists of what each is linked to empty; `LinkCount` is told all the same. */
export const LinkedRecordQuery = RecordQuery.extend({ links: Flag.optional() })

export const Area = z.object({
  Id: z.uuid(),
  Name: z.string(),
  Status: RecordStatus,
  /** Those it is linked to; with the flag, all there are. */
  Subareas: z.array(Named),
  AllCurrentAndFuture: z.boolean(),
  LinkCount: z.number().int().min(0),
  GroupCount,
})
export type Area = z.infer<typeof Area>

export const Subarea = z.object({
  Id: z.uuid(),
  Name: z.string(),
  Status: RecordStatus,
  AreasSubareas: z.array(z.object({ Area: Named })),
  /** All areas that there are and will be. */
  AllCurrentAndFuture: z.boolean(),
  LinkCount: z.number().int().min(0),
  GroupCount,
})
export type Subarea = z.infer<typeof Subarea>

export const Milestone = z.object({
  Id: z.uuid(),
  Name: z.string(),
  Status: RecordStatus,
  VersionId: z.uuid(),
  ListOrder: z.number().int(),
  GroupCount,
})
export type Milestone = z.infer<typeof Milestone>

export const PlanVersion = z.object({
  Id: z.uuid(),
  Name: z.string(),
  Status: RecordStatus,
  Milestones: z.array(Milestone),
  GroupCount,
})
export type PlanVersion = z.infer<typeof PlanVersion>

export const HelperTable = z.object({
  Id: z.uuid(),
  Name: z.string(),
  InputTableName: z.string(),
  Status: RecordStatus,
  AllUsers: z.boolean(),
})
export type HelperTable = z.infer<typeof HelperTable>

/** With `AllUsers` it is everybody's, current and future. */
export const Entity = z.object({ Id: z.uuid(), Name: z.string(), Status: RecordStatus, AllUsers: z.boolean() })
export type Entity = z.infer<typeof Entity>
