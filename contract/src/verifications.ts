/** Verifications: whether the rows in the target are those of the source, value by value. */
import * as z from 'zod'
import { Certificate } from './certificates.ts'
import { guestView, withheld, withheldNotice } from './guest-view.ts'
import { verificationLimits } from './limits.ts'
import { paging } from './paging.ts'
import { route } from './route.ts'
import { ofConnector, ofConnectorOrGuest } from './route-parts.ts'
import { GuestStarted, Started } from './runs.ts'
import { SourceVerification, TableVerification } from './verification-state.ts'

const time = z.iso.datetime()
const count = z.number().int().min(0)

/** When the tables of a connector are verified. */
export const VerificationSettings = z.object({
  /** When all tables are verified, a cron expression on the clock of the organisation. Null: only after runs. */
  Schedule: z.string().nullable(),
  TimeZone: z.string(),
  NextAtUtc: time.nullable(),
  /** For how long each run verifies after its rows are committed. 0: not at all. */
  SecondsAfterRuns: count,
})
export type VerificationSettings = z.infer<typeof VerificationSettings>

/** A table of the source. `Name` is the stream, `Table` the main table in the target. */
export const VerifiedTable = TableVerification.extend({
  Name: z.string(),
  Table: z.string(),
  /** Columns of the table and its children; 0 if they are not known. */
  Columns: count,
  /** Rows that the latest verification has repaired. */
  Repaired: count,
  /** A verification that the budget of a run has cut: rows compared so far; null without one. */
  RowsSoFar: count.nullable(),
})
export type VerifiedTable = z.infer<typeof VerifiedTable>

export const Verification = z.object({
  Source: SourceVerification,
  Tables: z.array(VerifiedTable),
  Settings: VerificationSettings.nullable(),
})
export type Verification = z.infer<typeof Verification>

const shownToGuests = [
  'State',
  'Method',
  'CheckedAtUtc',
  'Rows',
  'NewerRows',
  'Differences',
  'ColumnsRowByRow',
  'ProvenAtUtc',
] as const
export const GuestTableVerification = guestView(TableVerification, shownToGuests, {
  Notice: withheldNotice.nullable(),
})
export const GuestSourceVerification = guestView(
  SourceVerification,
  [
    'Verdict',
    'Tables',
    'Verified',
    'Overdue',
    'Failed',
    'Differing',
    'Differences',
    'Rows',
    'NewerRows',
    'CheckedAtUtc',
  ],
  {},
)
const GuestVerification = guestView(Verification, [], {
  Source: GuestSourceVerification,
  Tables: z.array(
    guestView(VerifiedTable, [...shownToGuests, 'Name', 'Table', 'Columns', 'Repaired', 'RowsSoFar'], {
      Notice: withheldNotice.nullable(),
    }),
  ),
  Settings: withheld,
})

export const differenceKinds = ['missing', 'additional', 'different', 'doubled'] as const
export const differenceCauses = ['stampNotMoved', 'writtenAtTarget', 'rejected', 'changedSince', 'unknown'] as const

/**
 * A row that differs. `missing`: only the source has it; `additional`: only the target; `doubled`: the target has it several times. The
 * values are canonical text; long ones are cut. A count or a total of a source without SQL has an empty key.
 */
export const RowDifference = z.object({
  Id: z.number().int(),
  Stream: z.string(),
  Table: z.string(),
  Kind: z.enum(differenceKinds),
  Key: z.record(z.string(), z.string().nullable()),
  /** The columns that differ. */
  Columns: z.array(z.object({ Name: z.string(), Source: z.string().nullable(), Target: z.string().nullable() })),
  Cause: z.enum(differenceCauses),
  IsRepaired: z.boolean(),
  FoundAtUtc: time,
})
export type RowDifference = z.infer<typeof RowDifference>

/** What a verification of a table came to. `unfinished`: the budget of the run ended first. */
export const VerificationVerdict = z.object({
  RunId: z.uuid(),
  Stream: z.string(),
  Table: z.string(),
  Outcome: z.enum(['identical', 'different', 'pending', 'unfinished', 'notProvable', 'failed']),
  Method: z.enum(['checksums', 'sample']),
  CheckedAtUtc: time,
  Rows: count,
  Differences: count,
  Repaired: count,
  Notice: z.string().nullable(),
})
export type VerificationVerdict = z.infer<typeof VerificationVerdict>

const streamName = z.string().min(1).max(500)
const path = '/tributary/clients/:clientId/connectors/:connectorId/verification'

export const verifications = {
  read: route({
    method: 'GET',
    path,
    tokenScopes: ['status.read'],
    summary: 'What verification says about the connector and each of its tables, and when they are verified.',
    forAuditors: 'Verification',
    allow: 'seeRuns',
    ...ofConnectorOrGuest,
    passive: true,
    guestReply: GuestVerification,
    reply: Verification,
  }),
  start: route({
    method: 'POST',
    path,
    tokenScopes: ['connectors.run'],
    summary:
      'Verify all tables or some in a run of their own. With repair, which administrators may ask for, rows that differ are read again and written.',
    allow: 'refreshConnector',
    ...ofConnectorOrGuest,
    body: z.strictObject({
      streams: z.array(streamName).min(1).max(1_000).optional(),
      repair: z.boolean().default(false),
    }),
    guestReply: GuestStarted,
    reply: Started,
    status: 202,
    faults: ['alreadyRunning', 'awaitsApproval', 'notConnected', 'queueFull', 'targetTablesOnly'],
  }),
  differences: route({
    method: 'GET',
    path: `${path}/differences`,
    tokenScopes: ['data.read'],
    summary: 'Rows that differ by the latest verification, with both values; at most a thousand of each table.',
    allow: 'seeDifferences',
    ...ofConnector,
    passive: true,
    query: z.strictObject({ ...paging, stream: streamName.optional() }),
    reply: z.array(RowDifference),
  }),
  history: route({
    method: 'GET',
    path: `${path}/history`,
    tokenScopes: ['status.read'],
    summary: 'What the verifications of the last 90 days came to, latest first.',
    forAuditors: 'Verification',
    allow: 'seeRuns',
    ...ofConnector,
    query: z.strictObject({ ...paging, stream: streamName.optional() }),
    reply: z.array(VerificationVerdict),
  }),
  certify: route({
    method: 'POST',
    path: `${path}/certificate`,
    summary: 'Issue the certificate of what verification says about each table now. The same result is certified once.',
    allow: 'seeRuns',
    ...ofConnector,
    status: 201,
    reply: Certificate,
  }),
  saveSettings: route({
    method: 'PUT',
    path: `${path}/settings`,
    summary: 'Set when the tables of the connector are verified.',
    allow: 'editConnector',
    tokenScopes: ['administer'],
    ...ofConnector,
    body: z.strictObject({
      schedule: z.string().trim().min(1).max(100).nullable(),
      secondsAfterRuns: z.number().int().min(0).max(verificationLimits.secondsMax),
    }),
    reply: VerificationSettings,
    faults: ['targetTablesOnly'],
  }),
} as const
