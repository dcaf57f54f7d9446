/** The audit log of an organisation and of the provider: who did what, when and from where. */
import * as z from 'zod'
import { Flag } from './flag.ts'
import { Id } from './id.ts'
import { route } from './route.ts'
import { organisationInQuery } from './scope.ts'

export const AuditLogEvent = z.object({
  Id: z.number().int(),
  AtUtc: z.string(),
  Action: z.string(),
  Outcome: z.enum(['success', 'refused', 'failure']),
  /** Null: the product itself, or the operator at the console. */
  ActorId: z.uuid().nullable(),
  Actor: z.string().nullable(),
  ActorRole: z.string().nullable(),
  ObjectType: z.string().nullable(),
  ObjectId: z.string().nullable(),
  /** The name that the event records, otherwise the present name, otherwise one that another event records. */
  ObjectName: z.string().nullable(),
  Address: z.string().nullable(),
  Reference: z.string().nullable(),
  Detail: z.record(z.string(), z.unknown()),
})
export type AuditLogEvent = z.infer<typeof AuditLogEvent>

/**
 * The year begins with 1 to 9, because PostgreSQL has no year 0 and no event is older than the year 1000. The length is
 * limited, because PostgreSQL parses at most about 150 fractional digits.
 */
const moment = z.iso
  .datetime({ offset: true })
  .max(40)
  .regex(/^[1-9]/u)
  // PostgreSQL accepts no larger offsets, and none exist.
  .regex(/(?:Z|[+-](?:0\d|1[0-4]):\d{2})$/u)

const AuditFilter = z.strictObject({
  orgId: Id.optional(),
  /** The provider's events, which belong to no organisation; for roleLevel 1 or lower. */
  ofProvider: Flag.optional(),
  /** Finds text in the action, the actor, and the object's type, id and name. */
  search: z.string().max(200).optional(),
  /** A person's id, or who acts without an account. */
  actor: z.union([Id, z.enum(['system', 'operator'])]).optional(),
  objectType: z.string().max(60).optional(),
  objectId: z.string().max(200).optional(),
  action: z.string().max(100).optional(),
  outcome: z.enum(['success', 'refused', 'failure']).optional(),
  /** ISO 8601; `from` is included, `to` is not. */
  from: moment.optional(),
  to: moment.optional(),
})
export type AuditFilter = z.infer<typeof AuditFilter>

export const auditLog = {
  list: route({
    method: 'GET',
    path: '/audit-events',
    tokenScopes: ['administer'],
    summary:
      'What happened in the organisation, newest first. A search examines the newest 25,000 events that the rest of the filter leaves. If there are older ones, X-Search-Continues-Before is the beforeId with which it continues.',
    allow: 'seeAudit',
    scope: { ...organisationInQuery, providerFlag: 'ofProvider' },
    query: AuditFilter.extend({
      /** Only events with a smaller `Id`. */
      beforeId: z.coerce.number<number>().int().min(1).max(Number.MAX_SAFE_INTEGER).optional(),
      page: z.coerce.number<number>().int().min(1).optional(),
      pageSize: z.coerce.number<number>().int().min(1).max(500).optional(),
    }),
    reply: z.array(AuditLogEvent),
  }),
  exportCsv: route({
    method: 'GET',
    path: '/audit-events/export',
    tokenScopes: ['administer'],
    summary: 'The same as CSV: all that the filter finds, newest first. A search examines all events.',
    allow: 'seeAudit',
    scope: { ...organisationInQuery, providerFlag: 'ofProvider' },
    query: AuditFilter,
    produces: 'text/csv',
  }),
} as const
