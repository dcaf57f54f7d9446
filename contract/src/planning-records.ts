/** The records of an organisation's planning structure. */
import * as z from 'zod'
import { Flag } from './flag.ts'
import { Id } from './id.ts'
import { paging } from './paging.ts'

export const RecordStatus = z.object({ Id: z.uuid(), Name: z.string() })
const Named = z.object({ Id: z.uuid(), Name: z.string() })
/** Number of security groups that refer to it, which a deletion would change. */
const GroupCount = z.number().int().min(0)

/** Pagination of long lists; `X-Total-Count` returns the total. Without page and pageSize a list is complete. */
export const RecordQuery = z.strictObject({
  orgId: Id.optional(),
  search: z.string().max(200).optional(),
  sort: z.enum(['asc', 'desc']).optional(),
  ...paging,
  /** Archived ones are hidden unless asked for. */
  archived: Flag.optional(),
})
export type RecordQuery = z.infer<typeof RecordQuery>

/** `links=false` omits the linked records; `LinkCount` is always set. */
export const LinkedRecordQuery = RecordQuery.extend({ links: Flag.optional() })

export const Area = z.object({
  Id: z.uuid(),
  Name: z.string(),
  Status: RecordStatus,
  /** Its linked records; with the flag, all. */
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
  /** All current and future areas. */
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

/** `AllUsers`: for all current and future users. */
export const Entity = z.object({ Id: z.uuid(), Name: z.string(), Status: RecordStatus, AllUsers: z.boolean() })
export type Entity = z.infer<typeof Entity>
