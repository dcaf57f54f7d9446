/** Marks "as reported": what the books showed when they were reported, for good. */
import * as z from 'zod'
import { Certificate } from './certificates.ts'
import { closedPeriodLimits } from './limits.ts'
import { route } from './route.ts'
import { ofConnector } from './route-parts.ts'
import { Id } from './id.ts'

const time = z.iso.datetime()
const day = z.iso.date()
const { markNameMax, reasonMax } = closedPeriodLimits

export const ReportMark = z.object({
  Id: z.uuid(),
  /** For example `June 2026, board pack`. */
  Name: z.string(),
  /** The last reported day. Documents up to it count as closed. */
  PeriodEnd: day,
  /** The cut-off of the run that was reported. */
  MomentUtc: time,
  RunId: z.uuid(),
  CreatedBy: z.string(),
  CreatedAtUtc: time,
  /** Names of its views in the target; empty until the next run has created them. */
  Views: z.array(z.string()),
  /** For people: why not all of its views exist. */
  Notice: z.string().nullable(),
  SupersededAtUtc: time.nullable(),
  SupersededBy: z.string().nullable(),
  Reason: z.string().nullable(),
  /** Tables with a retention that leaves the row versions of this mark. */
  Holds: z.array(z.object({ Table: z.string(), RetentionDays: z.number().int() })),
  /**
   * Erasures of people that its views show, the latest first. `Versions`: the row versions of the mark in which values were cleared.
   * `IsConfirmed`: false if the run ended before it recorded that. They are cleared all, or none.
   */
  Erasures: z.array(z.object({ Versions: z.number().int(), AtUtc: time, By: z.string(), IsConfirmed: z.boolean() })),
})
export type ReportMark = z.infer<typeof ReportMark>

const path = '/tributary/clients/:clientId/connectors/:connectorId/report-marks'

export const reportMarks = {
  list: route({
    tokenScopes: ['status.read'],
    method: 'GET',
    path,
    summary: 'What was marked as reported, latest first, with superseded marks.',
    forAuditors: 'Marks',
    allow: 'seeRuns',
    ...ofConnector,
    passive: true,
    reply: z.array(ReportMark),
  }),
  create: route({
    tokenScopes: ['administer'],
    method: 'POST',
    path,
    summary:
      'Mark the books as reported, as the last examined run has left them. The next run creates the views. Closed periods must be on, because marks need history.',
    allow: 'editConnector',
    ...ofConnector,
    body: z.strictObject({
      name: z.string().trim().min(1).max(markNameMax),
      periodEnd: day.regex(/^(?!0000)/u),
    }),
    reply: ReportMark,
    faults: ['settingsWrong', 'targetTablesOnly'],
  }),
  certify: route({
    method: 'POST',
    path: `${path}/:markId/certificate`,
    summary: 'Issue the certificate of a mark. A mark is certified once, and once more after it was superseded.',
    allow: 'seeRuns',
    ...ofConnector,
    params: z.object({ clientId: Id, connectorId: Id, markId: Id }),
    status: 201,
    reply: Certificate,
  }),
  supersede: route({
    tokenScopes: ['administer'],
    method: 'POST',
    path: `${path}/:markId/supersede`,
    summary: 'Supersede a mark with a reason. It stays listed, and its views stay.',
    allow: 'editConnector',
    ...ofConnector,
    params: z.object({ clientId: Id, connectorId: Id, markId: Id }),
    body: z.strictObject({ reason: z.string().trim().min(1).max(reasonMax) }),
    reply: ReportMark,
    faults: ['settingsWrong'],
  }),
} as const
