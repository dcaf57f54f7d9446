/** The state of every connector that a person may see, at a glance. */
import * as z from 'zod'
import { Checklist, checklistNames } from './checklist.ts'
import { guestView, withheld, withheldNotice } from './guest-view.ts'
import { overviewDays } from './limits.ts'
import { PublicationActionKind } from './publication-actions.ts'
import { PromiseCounts } from './ready-by.ts'
import { route } from './route.ts'
import { daysOfTimeZone, ofClient } from './route-parts.ts'
import { runStatuses } from './runs.ts'
import { TieOutState } from './tie-out-state.ts'
import { SourceVerification } from './verification-state.ts'
import { GuestSourceVerification } from './verifications.ts'

const time = z.iso.datetime()
const count = z.number().int().min(0)

/**
 * Who needs help first. `forbidden`: the source refuses the sign-in. `targetDown`: the target does not answer. `tieOut`:
 * the rows differ from the source's own report. `differences`: verification found rows that differ from the source. `changes`: a schema change needs a decision. `stalled`: a run takes
 * longer than half an hour. `awaitsApproval`: the provider has not approved its hosts. `late`: no run of all tables has completed since the scheduled time.
 */
export const connectorStates = [
  'forbidden',
  'targetDown',
  'failed',
  'tieOut',
  'differences',
  'changes',
  'stalled',
  'late',
  'running',
  'never',
  'fresh',
  'awaitsApproval',
  'disconnected',
] as const
export type ConnectorState = (typeof connectorStates)[number]

/** How the runs of a day ended. `partly`: some failed. `none`: no run has ended. */
export const dayOutcomes = ['none', 'completed', 'partly', 'failed'] as const
export type DayOutcome = (typeof dayOutcomes)[number]

const LastRun = z.object({
  Id: z.uuid(),
  Status: z.enum(runStatuses),
  QueuedAtUtc: time,
  CompletedAtUtc: time.nullable(),
})

export const OverviewConnector = z.object({
  Id: z.uuid(),
  Name: z.string(),
  Type: z.string(),
  State: z.enum(connectorStates),
  /** The start of the latest completed run of all tables: the rows are as new as the source was then. */
  FreshAtUtc: time.nullable(),
  Schedule: z.string().nullable(),
  /** The time zone of the schedule: that of the organisation that owns the connector. */
  TimeZone: z.string(),
  /** The scheduled time that no completed run has followed; null unless the rows are late. */
  LateSinceUtc: time.nullable(),
  NextRunAtUtc: time.nullable(),
  LastRun: LastRun.nullable(),
  /** Rows written since midnight. */
  RowsToday: count,
  PendingChanges: count,
  /** The result of the latest tie-out; null before the first, and if the source has no report. */
  TieOut: TieOutState.nullable(),
  Verification: SourceVerification,
  /** The name of the organisation that shares it with this one; null for the organisation's own connectors. */
  SharedBy: z.string().nullable(),
  /** The oldest first; the last one is today. */
  Days: z.array(z.enum(dayOutcomes)).length(overviewDays),
})
export type OverviewConnector = z.infer<typeof OverviewConnector>
export const GuestOverviewConnector = guestView(
  OverviewConnector,
  [
    'Id',
    'Name',
    'Type',
    'State',
    'FreshAtUtc',
    'Schedule',
    'TimeZone',
    'LateSinceUtc',
    'NextRunAtUtc',
    'RowsToday',
    'PendingChanges',
    'SharedBy',
    'Days',
  ],
  {
    LastRun: guestView(LastRun, ['Id', 'Status', 'QueuedAtUtc', 'CompletedAtUtc'], {}).nullable(),
    TieOut: withheld,
    Verification: GuestSourceVerification,
  },
)

/** Who must act. `owner`: the organisation that shares the connector. `nobody`: Tributary tries again by itself. */
export const incidentOwners = ['administrator', 'provider', 'owner', 'nobody'] as const

export const OverviewIncident = z.object({
  Id: z.uuid(),
  /** Null: it is about an action. */
  ConnectorId: z.uuid().nullable(),
  /** An action after publishing; only for callers who may see it. */
  Action: z.object({ Id: z.uuid(), Name: z.string(), Kind: PublicationActionKind }).nullable(),
  RunId: z.uuid().nullable(),
  /** A kind of fault, `stalled`, `tieOut`, `verification`, `closedPeriod`, `publication`, `readyBy` or `afterPublishing`. */
  Kind: z.string(),
  Notice: z.string(),
  OpenedAtUtc: time,
  Who: z.enum(incidentOwners),
})
export type OverviewIncident = z.infer<typeof OverviewIncident>
export const GuestOverviewIncident = guestView(
  OverviewIncident,
  ['Id', 'ConnectorId', 'RunId', 'Kind', 'OpenedAtUtc', 'Who'],
  { Notice: withheldNotice, Action: withheld },
)

export const Overview = z.object({
  /** Those that need help first; deleted ones are left out. */
  Connectors: z.array(OverviewConnector),
  /** Open incidents of these connectors and of the actions that the caller may see: those that need a person first, then the oldest first. */
  Incidents: z.array(OverviewIncident),
  /**
   * Active administrators to ask for access, at most five; only for callers who see no connector and may not add one.
   * Guests receive no addresses.
   */
  Administrators: z.array(
    z.object({ FirstName: z.string(), LastName: z.string(), EmailAddress: z.string().nullable() }),
  ),
  /** The unfinished checklists that are not dismissed; empty for those who may not do the steps. */
  Checklists: z.array(Checklist),
  /** Promises of *Ready by* that these connectors kept and missed in 30 days; null if none has come due. Without shared connectors. */
  Promises: PromiseCounts.nullable(),
})
export type Overview = z.infer<typeof Overview>

export const overview = {
  read: route({
    method: 'GET',
    path: '/tributary/clients/:clientId/overview',
    tokenScopes: ['status.read'],
    summary:
      'The state, freshness and last 30 days of the connectors the caller may see, with their open incidents, those of actions after publishing, and the organisation’s checklists.',
    allow: 'listConnectors',
    ...ofClient,
    passive: true,
    query: z.strictObject(daysOfTimeZone),
    reply: Overview,
  }),
  dismissChecklist: route({
    method: 'PUT',
    path: '/tributary/clients/:clientId/checklists',
    summary: 'Dismiss a checklist of the organisation, or show it again.',
    allow: 'addConnector',
    ...ofClient,
    body: z.strictObject({ name: z.enum(checklistNames), isDismissed: z.boolean() }),
  }),
} as const
