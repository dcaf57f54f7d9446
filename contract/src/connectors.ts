/** Connectors: what an organisation has connected, the properties of each, and who sees it. */
import * as z from 'zod'
import { ConnectorHosts } from './approvals.ts'
import { ConnectorType } from './connector-catalogue.ts'
import { ConnectorInput, ConnectorPatch, SchemaPolicy, settingsTrial } from './connector-input.ts'
import { Flag } from './flag.ts'
import { guestView, withheld, withheldList, withheldNotice } from './guest-view.ts'
import { Id } from './id.ts'
import { recentRunsMax } from './limits.ts'
import { route } from './route.ts'
import { forSignedIn, ofClient, ofConnector } from './route-parts.ts'
import { ofConnectorById, ofConnectorByKey, ofConnectorOrGuest } from './route-parts.ts'
import { runStatuses } from './runs.ts'
import { sharedConnectorInPath } from './scope.ts'
import { TieOutState } from './tie-out-state.ts'
import { SourceVerification } from './verification-state.ts'
import { GuestSourceVerification } from './verifications.ts'

const time = z.iso.datetime()
export const ConnectorLog = z.object({
  ManuallyTriggeredAtUtc: time.nullable(),
  AutomaticallyTriggeredAtUtc: time.nullable(),
  CompletedAtUtc: time.nullable(),
  HasError: z.boolean(),
  Forbidden: z.boolean(),
  /** The run that failed, and the reason for people. */
  RunId: z.uuid(),
  Notice: z.string().nullable(),
})

/** What the latest run has moved, and how long it took. */
export const LatestRun = z.object({
  RowsWritten: z.number().int().min(0),
  RowsDeleted: z.number().int().min(0),
  StartedAtUtc: time.nullable(),
  /** Null until the run has ended. */
  DurationMs: z.number().int().min(0).nullable(),
  /**
   * The median of the completed runs of the same mode among those of `RecentRuns` before it. Null if there are fewer than three, and for
   * a run of selected tables.
   */
  UsualDurationMs: z.number().int().min(0).nullable(),
})
export type LatestRun = z.infer<typeof LatestRun>

/** Name is one of the specification's, such as `target.schema` or `cin7.accountId`; a secret in Value is masked. */
export const ConnectorProperty = z.object({ Name: z.string(), Value: z.unknown(), ClientConnectorId: z.uuid() })
export type ConnectorProperty = z.infer<typeof ConnectorProperty>

export const Connector = z.object({
  Id: z.uuid(),
  Key: z.string(),
  Name: z.string(),
  OriginalName: z.string(),
  Type: z.string(),
  Status: z.enum(['CONNECTED', 'DISCONNECTED', 'DELETED']),
  Schedule: z.string().nullable(),
  NextRunAtUtc: time.nullable(),
  /** The time zone of the schedule: that of the organisation that owns the connector. */
  TimeZone: z.string(),
  Client: z.object({ Key: z.string() }),
  SourceConnectorId: z.uuid(),
  Properties: z.array(ConnectorProperty),
  Log: ConnectorLog.nullable(),
  Licences: z.array(z.object({ Id: z.string(), Base: z.boolean() })),
  /** The policy for schema changes: apply them, ask first (the affected tables wait), or stop the run. */
  SchemaPolicy,
  /** Number of schema changes that need a decision. */
  PendingChanges: z.number().int().min(0),
  /** Since when the target is unreachable, which pauses scheduled runs; null if it is reachable. */
  TargetDownSinceUtc: time.nullable(),
  /** The latest runs, newest first. */
  RecentRuns: z.array(z.object({ Id: z.uuid(), Status: z.enum(runStatuses), QueuedAtUtc: time })).max(recentRunsMax),
  LatestRun: LatestRun.nullable(),
  /** The start of the latest completed run of all tables: the rows are as new as the source was then. */
  FreshAtUtc: time.nullable(),
  /** The scheduled time that no completed run has followed; null unless the rows are late. */
  LateSinceUtc: time.nullable(),
  /** The name of the organisation that shares it with this one; null for the organisation's own connectors. */
  SharedBy: z.string().nullable(),
  /** The result of the latest tie-out; null before the first, and if the source has no report. */
  TieOut: TieOutState.nullable(),
  Verification: SourceVerification,
  /** The target has rows only: no history, closed periods, marks, publications or verification. */
  StoresTablesOnly: z.boolean(),
  /** Null for sources of the catalogue. */
  HostApproval: ConnectorHosts.nullable(),
})
export type Connector = z.infer<typeof Connector>

const { Client, Licences, RecentRuns } = Connector.shape
const GuestLog = guestView(
  ConnectorLog,
  ['ManuallyTriggeredAtUtc', 'AutomaticallyTriggeredAtUtc', 'CompletedAtUtc', 'HasError', 'Forbidden', 'RunId'],
  { Notice: withheldNotice.nullable() },
)
export const GuestConnector = guestView(
  Connector,
  [
    'Id',
    'Key',
    'Name',
    'OriginalName',
    'Type',
    'Status',
    'Schedule',
    'NextRunAtUtc',
    'TimeZone',
    'SourceConnectorId',
    'SchemaPolicy',
    'PendingChanges',
    'TargetDownSinceUtc',
    'FreshAtUtc',
    'LateSinceUtc',
    'SharedBy',
    'StoresTablesOnly',
  ],
  {
    Client: guestView(Client, ['Key'], {}),
    Properties: withheldList,
    Log: GuestLog.nullable(),
    LatestRun: guestView(
      LatestRun,
      ['RowsWritten', 'RowsDeleted', 'StartedAtUtc', 'DurationMs', 'UsualDurationMs'],
      {},
    ).nullable(),
    Licences: z.array(guestView(Licences.element, ['Id', 'Base'], {})),
    RecentRuns: z.array(guestView(RecentRuns.element, ['Id', 'Status', 'QueuedAtUtc'], {})),
    TieOut: withheld,
    Verification: GuestSourceVerification,
    HostApproval: withheld,
  },
)

export const CheckResult = z.object({
  Side: z.enum(['source', 'target']),
  Name: z.string(),
  Outcome: z.enum(['passed', 'failed', 'skipped']),
  Notice: z.string().nullable(),
  /** SQL that fixes it when the database's owner runs it. */
  Remedy: z.string().nullable(),
})
export type CheckResult = z.infer<typeof CheckResult>

export const SharedWith = z.object({ Id, CompanyName: z.string() })
export type SharedWith = z.infer<typeof SharedWith>

const clients = '/tributary/clients'
const detail = z.strictObject({ excludeProperties: Flag.default(false) })

const listed = { forAuditors: 'Connectors', allow: 'listConnectors', ...ofClient } as const

export const connectors = {
  allTypes: route({
    method: 'GET',
    path: `${clients}/connector-types`,
    tokenScopes: ['status.read'],
    summary: 'The catalogue: every connector type that can be added, and Excel, which every organisation has.',
    ...forSignedIn,
    reply: z.array(ConnectorType),
  }),
  types: route({
    method: 'GET',
    path: `${clients}/:clientId/connector-types`,
    tokenScopes: ['status.read'],
    summary:
      'The connector types of which the organisation has connectors that the caller may see; Excel for those who may see that.',
    ...listed,
    reply: z.array(ConnectorType),
  }),
  list: route({
    method: 'GET',
    path: `${clients}/:clientId/connectors`,
    tokenScopes: ['status.read', 'connectors.run', 'administer'],
    summary:
      'The organisation’s connectors by name; those who are not administrators see the ones they are assigned to.',
    ...listed,
    passive: true,
    query: z.strictObject({ type: z.string().max(50).optional() }),
    reply: z.array(Connector),
  }),
  create: route({
    method: 'POST',
    path: `${clients}/:clientId/connectors`,
    summary: 'Add a connector.',
    allow: 'addConnector',
    ...ofClient,
    needsFreshProof: true,
    body: ConnectorInput,
    reply: Connector,
    status: 201,
    faults: ['nameTaken', 'settingsWrong'],
  }),
  check: route({
    method: 'POST',
    path: `${clients}/:clientId/connectors/check`,
    summary: 'Test a connection before it is saved: named checks of the source and of the target.',
    allow: 'addConnector',
    ...ofClient,
    ...settingsTrial,
    reply: z.array(CheckResult),
  }),
  read: route({
    method: 'GET',
    path: `${clients}/:clientId/connectors/:connectorId`,
    tokenScopes: ['status.read', 'connectors.run', 'administer'],
    summary: 'One connector.',
    allow: 'listConnectors',
    ...ofConnectorOrGuest,
    guestReply: GuestConnector,
    query: detail,
    reply: Connector,
  }),
  find: route({
    method: 'GET',
    path: `${clients}/connectors/:connectorId`,
    tokenScopes: ['status.read', 'connectors.run', 'administer'],
    summary: 'One connector by its id alone.',
    allow: 'listConnectors',
    scope: sharedConnectorInPath,
    guestReply: GuestConnector,
    params: ofConnectorById.params,
    query: detail,
    reply: Connector,
  }),
  change: route({
    method: 'PATCH',
    path: `${clients}/:clientId/connectors/:connectorId`,
    summary: 'Rename, reschedule, reconnect or change the settings. A secret sent as the mask keeps its value.',
    allow: 'editConnector',
    ...ofConnector,
    needsFreshProof: true,
    body: ConnectorPatch,
    reply: Connector,
    faults: ['nameTaken', 'settingsWrong', 'secretNeeded', 'secretUnreadable'],
  }),
  remove: route({
    method: 'DELETE',
    path: `${clients}/:clientId/connectors/:connectorId`,
    summary: 'Delete a connector: its credentials go, its history and its rows stay.',
    allow: 'deleteConnector',
    ...ofConnector,
    needsFreshProof: true,
  }),
  disconnect: route({
    method: 'DELETE',
    path: '/clients/:clientKey/:connectorKey',
    summary: 'Disconnect: the credentials go, the schedule stops, history and rows stay.',
    allow: 'disconnectConnector',
    ...ofConnectorByKey,
    needsFreshProof: true,
  }),
  disconnectAll: route({
    method: 'DELETE',
    path: `${clients}/:clientId/connectors`,
    summary: 'Disconnect every connector, or every one of a type, all or none; answers those that were connected.',
    allow: 'disconnectConnector',
    ...ofClient,
    needsFreshProof: true,
    query: z.strictObject({ type: z.string().max(50).optional() }),
    reply: z.array(Connector),
  }),
  previewSchedule: route({
    method: 'GET',
    path: `${clients}/:clientId/schedule`,
    tokenScopes: ['status.read'],
    summary: 'The next five times of a schedule, on the clock of the organisation.',
    allow: 'listConnectors',
    ...ofClient,
    query: z.strictObject({ cron: z.string().trim().min(1).max(100) }),
    reply: z.object({ TimeZone: z.string(), Next: z.array(time) }),
  }),
  assignUsers: route({
    method: 'POST',
    path: `${clients}/connectors/:connectorId/assign-users`,
    tokenScopes: ['administer'],
    summary: 'Say which members of the organisation see the connector; replaces the former list.',
    allow: 'assignConnectorUsers',
    ...ofConnectorById,
    body: z.strictObject({ users: z.array(Id).max(10_000) }),
    reply: Connector,
  }),
  assignOrganisations: route({
    method: 'POST',
    path: `${clients}/connectors/:connectorId/assign-organisations`,
    summary: 'Say which other organisations see and run the connector, never its settings; replaces the former list.',
    allow: 'assignConnectorOrganisations',
    ...ofConnectorById,
    body: z.strictObject({ organisations: z.array(Id).max(1_000) }),
    reply: z.array(SharedWith),
  }),
  organisations: route({
    method: 'GET',
    path: `${clients}/connectors/:connectorId/organisations`,
    summary: 'The other organisations that the connector is shared with.',
    allow: 'assignConnectorOrganisations',
    ...ofConnectorById,
    reply: z.array(SharedWith),
  }),
} as const
