/** Runs of connectors, with their streams and rejected rows. */
import * as z from 'zod'
import { guestView, withheld, withheldList, withheldNotice } from './guest-view.ts'
import { Id } from './id.ts'
import { paging } from './paging.ts'
import { route } from './route.ts'
import { daysOfTimeZone, ofConnector, ofConnectorByKey, ofConnectorOrGuest } from './route-parts.ts'
import { clientInPath, clientOrGuestInPath } from './scope.ts'
import { TieOutState } from './tie-out-state.ts'

const time = z.iso.datetime()
const count = z.number().int().min(0)

export const runStatuses = ['QUEUED', 'RUNNING', 'WAITING', 'COMPLETED', 'FAILED', 'CANCELLED'] as const

const rowCounts = {
  RowsRead: count,
  RowsWritten: count,
  RowsUpdated: count,
  RowsDeleted: count,
  RowsRejected: count,
}

export const RunStream = z.object({
  Name: z.string(),
  Table: z.string(),
  Phase: z.enum([
    'waiting',
    'preparing',
    'reading',
    'finishing',
    'sweeping',
    'verifying',
    'done',
    'failed',
    'cancelled',
  ]),
  ...rowCounts,
  RowsEstimate: count.nullable(),
  Notice: z.string().nullable(),
})
export type RunStream = z.infer<typeof RunStream>

/**
 * `FaultKind` names who must act: settings, signIn, busy, passing, data or bug. WAITING tries again at `RetryAtUtc`.
 */
export const Run = z.object({
  Id: z.uuid(),
  ConnectorId: z.uuid(),
  Status: z.enum(runStatuses),
  /** `verify` only compares the rows with the source, `repair` also corrects what differs, `erase` clears a person in history, `maintain` joins files. */
  Mode: z.enum(['incremental', 'full', 'verify', 'repair', 'erase', 'maintain']),
  /** The selected streams; null for all. `From`: re-reads changes since that time. */
  OnlyStreams: z.array(z.string()).nullable(),
  FromUtc: time.nullable(),
  Trigger: z.enum(['person', 'schedule']),
  TriggeredBy: z.string().nullable(),
  QueuedAtUtc: time,
  StartedAtUtc: time.nullable(),
  CompletedAtUtc: time.nullable(),
  RetryAtUtc: time.nullable(),
  Attempt: count,
  FaultKind: z.enum(['settings', 'signIn', 'busy', 'passing', 'data', 'bug']).nullable(),
  FaultCode: z.string().nullable(),
  Notice: z.string().nullable(),
  ...rowCounts,
  /** The result of the tie-out; null if there was none. */
  TieOut: TieOutState.nullable(),
})
export type Run = z.infer<typeof Run>

/** The fault card of a run: what happened, whether the stored rows are still right, who must act, and how. */
/** Times in the texts are ISO 8601 in UTC, so that a portal can write them on the clock of its reader. */
export const FaultCard = z.object({
  Title: z.string(),
  What: z.string(),
  /**
   * `right`: as of the last good run; `partly`: some tables are newer than others; `missing`: nothing has been loaded
   * yet.
   */
  Data: z.enum(['right', 'partly', 'missing']),
  DataNotice: z.string(),
  Who: z.string(),
  /** `copy`: `Copy` is SQL for the database's owner. `wait`: the run continues automatically at `AtUtc`. */
  Action: z.object({
    Kind: z.enum(['edit', 'reconnect', 'copy', 'wait', 'retry', 'reviewRows', 'reviewChanges', 'tellProvider']),
    Label: z.string(),
    Copy: z.string().nullable(),
    AtUtc: time.nullable(),
  }),
})
export type FaultCard = z.infer<typeof FaultCard>

export const RunDetail = Run.extend({
  Card: FaultCard.nullable(),
  Streams: z.array(RunStream),
  Lines: z.array(z.object({ AtUtc: time, Level: z.enum(['info', 'warn', 'error']), Text: z.string() })),
})
export type RunDetail = z.infer<typeof RunDetail>

const counts = ['RowsRead', 'RowsWritten', 'RowsUpdated', 'RowsDeleted', 'RowsRejected'] as const
const guestRunFields = [
  'Id',
  'ConnectorId',
  'Status',
  'Mode',
  'OnlyStreams',
  'FromUtc',
  'Trigger',
  'QueuedAtUtc',
  'StartedAtUtc',
  'CompletedAtUtc',
  'RetryAtUtc',
  'Attempt',
  'FaultKind',
  'FaultCode',
  ...counts,
] as const
const withheldOfRun = { TriggeredBy: withheld, Notice: withheldNotice.nullable(), TieOut: withheld } as const
const GuestRun = guestView(Run, guestRunFields, withheldOfRun)
const GuestRunStream = guestView(RunStream, ['Name', 'Table', 'Phase', ...counts, 'RowsEstimate'], {
  Notice: withheldNotice.nullable(),
})
export const GuestRunDetail = guestView(RunDetail, guestRunFields, {
  ...withheldOfRun,
  Card: withheld,
  Streams: z.array(GuestRunStream),
  Lines: withheldList,
})

export const RejectedRow = z.object({
  Table: z.string(),
  Column: z.string().nullable(),
  Reason: z.string(),
  Row: z.record(z.string(), z.string().nullable()),
})
export type RejectedRow = z.infer<typeof RejectedRow>

/** One day of a connector on the organisation's clock, counted by when runs began. */
export const DayOfRuns = z.object({
  Day: z.iso.date(),
  Runs: count,
  Failed: count,
  ...rowCounts,
  Seconds: count,
})
export type DayOfRuns = z.infer<typeof DayOfRuns>

const GuestDayOfRuns = guestView(DayOfRuns, ['Day', 'Runs', 'Failed', ...counts, 'Seconds'], {})

export const Started = z.object({ statusCode: z.number().int(), message: z.string(), RunId: z.uuid() })
export const GuestStarted = guestView(Started, ['statusCode', 'message', 'RunId'], {})
/** The most characters of all names together. */
const streamNamesMax = 50_000
/**
 * `streams` moves only these streams; `from` re-reads their changes since that time, without changing
 * where the next run continues.
 */
const Process = z.strictObject({
  fullTransactionSync: z.boolean().default(false),
  streams: z
    .array(z.string().min(1).max(500))
    .min(1)
    .max(1_000)
    // They are stored with the run and returned in every list.
    .refine((names) => names.join('').length <= streamNamesMax)
    .optional(),
  from: z.iso.datetime({ offset: true }).optional(),
})

const start = {
  method: 'POST',
  allow: 'refreshConnector',
  body: Process,
  reply: Started,
  status: 202,
  faults: ['allowanceNearlyUsed', 'alreadyRunning', 'awaitsApproval', 'notConnected', 'queueFull'],
} as const
const params = ofConnector.params.extend({ runId: Id })
const ofRun = { scope: clientInPath, params }
const ofRunOrGuest = { scope: clientOrGuestInPath, params }
const base = '/tributary/clients/:clientId/connectors/:connectorId/runs'

export const runs = {
  process: route({
    ...start,
    path: '/tributary/clients/:clientId/connectors/:connectorId/process',
    tokenScopes: ['connectors.run'],
    summary: 'Start a run, incremental unless fullTransactionSync is true.',
    ...ofConnectorOrGuest,
    guestReply: GuestStarted,
  }),
  processByKey: route({
    ...start,
    path: '/clients/:clientKey/:connectorKey/process',
    tokenScopes: ['connectors.run'],
    summary: 'Start a run, addressed by keys.',
    ...ofConnectorByKey,
  }),
  list: route({
    method: 'GET',
    path: base,
    tokenScopes: ['status.read', 'connectors.run'],
    summary: 'The connector’s runs, latest first; without a page the latest thousand.',
    allow: 'seeRuns',
    ...ofConnectorOrGuest,
    passive: true,
    guestReply: z.array(GuestRun),
    query: z.strictObject(paging),
    reply: z.array(Run),
  }),
  read: route({
    method: 'GET',
    path: `${base}/:runId`,
    tokenScopes: ['status.read', 'connectors.run'],
    summary: 'One run with its streams and its log lines. While it is running, `events` streams the changes.',
    allow: 'seeRuns',
    ...ofRunOrGuest,
    passive: true,
    guestReply: GuestRunDetail,
    reply: RunDetail,
  }),
  cancel: route({
    method: 'POST',
    path: `${base}/:runId/cancel`,
    tokenScopes: ['connectors.run'],
    summary: 'Stop a run; what it has committed stays.',
    allow: 'cancelRun',
    ...ofRunOrGuest,
    guestReply: GuestRun,
    reply: Run,
    faults: ['runEnded'],
  }),
  rejected: route({
    method: 'GET',
    path: `${base}/:runId/rejected`,
    tokenScopes: ['data.read'],
    summary: 'The rejected rows, each with the reason; the first thousand.',
    allow: 'seeRuns',
    ...ofRun,
    reply: z.array(RejectedRow),
  }),
  rejectedFile: route({
    method: 'GET',
    path: `${base}/:runId/rejected.csv`,
    tokenScopes: ['data.read'],
    summary: 'The same as a file: table, column, reason, and the row as it came.',
    allow: 'seeRuns',
    ...ofRun,
    produces: 'text/csv',
  }),
  /** Server-sent events: `run` with a RunDetail whenever it has changed, `end` once it is over. */
  events: route({
    method: 'GET',
    path: `${base}/:runId/events`,
    summary: 'The run as it goes, as server-sent events; ends with the run, or with the session.',
    allow: 'seeRuns',
    ...ofRunOrGuest,
    passive: true,
    guestReply: GuestRunDetail,
    produces: 'text/event-stream',
  }),
  history: route({
    method: 'GET',
    path: '/tributary/clients/:clientId/connectors/:connectorId/history',
    tokenScopes: ['status.read'],
    summary: 'Rows and time by day, a day without runs included, oldest first.',
    allow: 'seeRuns',
    ...ofConnectorOrGuest,
    passive: true,
    guestReply: z.array(GuestDayOfRuns),
    query: z.strictObject({
      days: z.coerce.number<number>().int().min(1).max(366).default(60),
      ...daysOfTimeZone,
    }),
    reply: z.array(DayOfRuns),
  }),
} as const
