/** What administrators look after: the provider's switches, the audit log, and in a trial the mail that would go out. */
import * as z from 'zod'
import { Flag } from './flag.ts'
import { Id } from './id.ts'
import { route } from './route.ts'
import { organisationInQuery } from './scope.ts'

/** Each switch does something; its default is what holds until somebody changes it. */
export const settings = {
  AllowSignUp: { initial: true, description: 'Strangers may sign up for an organisation of their own.' },
  RequireApproval: {
    initial: true,
    description: 'A new organisation waits for the provider’s approval. Joining one always asks its administrators.',
  },
  RequireMultiFactorAuthentication: {
    initial: false,
    description: 'Everybody proves a second factor when signing in.',
  },
  ExternalProviders: {
    initial: true,
    description: 'The sign-in and sign-up pages offer the external providers that are set up.',
  },
  ScheduledRuns: {
    initial: true,
    description: 'Connectors run by their schedules. Switched off, they run by hand only.',
  },
  MaintenanceMode: {
    initial: false,
    description: 'Only the provider can work. Everybody else is told to come back soon.',
  },
} as const satisfies Record<string, { readonly initial: boolean; readonly description: string }>
export type SettingKey = keyof typeof settings

export const Setting = z.object({
  Key: z.string(),
  /** 'true' or 'false': JSON text. */
  Value: z.string(),
  Description: z.string(),
  Default: z.string(),
  ChangedAtUtc: z.string().nullable(),
  ChangedBy: z.string().nullable(),
})
export type Setting = z.infer<typeof Setting>

export const AuditEvent = z.object({
  Id: z.number().int(),
  AtUtc: z.string(),
  Action: z.string(),
  Outcome: z.enum(['success', 'refused', 'failure']),
  Actor: z.string().nullable(),
  ActorRole: z.string().nullable(),
  ObjectType: z.string().nullable(),
  ObjectId: z.string().nullable(),
  Address: z.string().nullable(),
  Reference: z.string().nullable(),
  Detail: z.record(z.string(), z.unknown()),
})
export type AuditEvent = z.infer<typeof AuditEvent>

/** There is no year 0, and nothing happened in the first thousand; the store reads no more than some 150 digits of a second. */
const moment = z.iso
  .datetime({ offset: true })
  .max(40)
  .regex(/^[1-9]/u)
  // The store knows no wider offsets, and there are none on earth.
  .regex(/(?:Z|[+-](?:0\d|1[0-4]):\d{2})$/u)

const AuditFilter = z.strictObject({
  orgId: Id.optional(),
  /** The provider's own events, those of no organisation; roleLevel 1 or lower. */
  ofProvider: Flag.optional(),
  /** Finds text in the action, the actor and the object. */
  search: z.string().max(200).optional(),
  action: z.string().max(100).optional(),
  outcome: z.enum(['success', 'refused', 'failure']).optional(),
  /** ISO 8601; `from` is included, `to` is not. */
  from: moment.optional(),
  to: moment.optional(),
})
export type AuditFilter = z.infer<typeof AuditFilter>

export const Mail = z.object({
  Id: z.uuid(),
  To: z.string(),
  Subject: z.string(),
  Text: z.string(),
  Html: z.string(),
  CreatedAtUtc: z.string(),
})
export type Mail = z.infer<typeof Mail>

export const administration = {
  settings: route({
    method: 'GET',
    path: '/admin/globalconfiguration',
    summary: 'The provider’s switches.',
    allow: 'seeGlobalConfiguration',
    scope: 'none',
    reply: z.array(Setting),
    passive: true,
  }),
  saveSetting: route({
    method: 'POST',
    path: '/admin/globalconfiguration',
    summary: 'Turn one of the provider’s switches.',
    allow: 'seeGlobalConfiguration',
    scope: 'none',
    needsFreshProof: true,
    body: z.strictObject({
      key: z.enum(Object.keys(settings) as [SettingKey, ...SettingKey[]]),
      value: z.enum(['true', 'false']),
    }),
    reply: Setting,
  }),
  auditEvents: route({
    method: 'GET',
    path: '/audit-events',
    summary: 'What happened in the organisation, newest first.',
    allow: 'seeAudit',
    scope: { ...organisationInQuery, providerFlag: 'ofProvider' },
    query: AuditFilter.extend({
      page: z.coerce.number<number>().int().min(1).optional(),
      pageSize: z.coerce.number<number>().int().min(1).max(500).optional(),
    }),
    reply: z.array(AuditEvent),
  }),
  auditCsv: route({
    method: 'GET',
    path: '/audit-events/export',
    summary: 'The same as CSV: all that the filter finds, newest first.',
    allow: 'seeAudit',
    scope: { ...organisationInQuery, providerFlag: 'ofProvider' },
    query: AuditFilter,
    produces: 'text/csv',
  }),
  mailbox: route({
    method: 'GET',
    path: '/mailbox',
    summary: 'In a trial: every mail that was sent, newest first. Elsewhere there is none.',
    allow: 'visitor',
    scope: 'none',
    reply: z.array(Mail),
  }),
} as const
