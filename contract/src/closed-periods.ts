/** Closed periods: documents that were added, changed, voided or deleted although their month was closed. */
import * as z from 'zod'
import { Id } from './id.ts'
import { closedPeriodLimits } from './limits.ts'
import { route } from './route.ts'
import { ofConnector } from './route-parts.ts'

const time = z.iso.datetime()
const day = z.iso.date()
/** Exact, debit positive: `-1234.50`. */
const amount = z.string().regex(/^-?\d+(?:\.\d+)?$/u)
const { nameMax, reasonMax, changesMax, searchMax } = closedPeriodLimits

/** A table with dated rows, for a source without a ledger. Names are those of the source. */
export const ClosedPeriodTable = z.object({
  Stream: z.string(),
  DateColumn: z.string(),
  /** Rows with the same number are one document. Null: each row is one. */
  NumberColumn: z.string().nullable(),
  AccountColumn: z.string().nullable(),
  AmountColumn: z.string().nullable(),
})
export type ClosedPeriodTable = z.infer<typeof ClosedPeriodTable>

/** `source`: the lock dates of the source. `administrator`: the date that an administrator has set. `mark`: a period marked as reported. */
export const closedBy = ['source', 'administrator', 'mark'] as const

export const ClosedPeriods = z.object({
  IsOn: z.boolean(),
  /** Whether the source has a ledger itself. If not, an administrator names a table. */
  HasLedger: z.boolean(),
  /** Whether the source reports lock dates. */
  ReportsLockDates: z.boolean(),
  /** The date that an administrator has set. */
  AdministratorDate: day.nullable(),
  Table: ClosedPeriodTable.nullable(),
  /** The lock date of periods, and of the financial year, as the source reported them to the last examined run. */
  PeriodLockDate: day.nullable(),
  YearEndLockDate: day.nullable(),
  /** Documents up to this day are closed: the latest of these dates and of the periods marked as reported. Null: none is. */
  ClosedThrough: day.nullable(),
  ClosedBy: z.enum(closedBy).nullable(),
  /** The cut-off of the last examined run. Changes up to it are listed. Null: none was examined yet. */
  ExaminedUpToUtc: time.nullable(),
  /** The cut-off with which the examination began. */
  SinceUtc: time.nullable(),
  /** For people: why runs are not examined, or why the examination began again. */
  Notice: z.string().nullable(),
  /** Changes that are not acknowledged yet. */
  Open: z.number().int().min(0),
  /** How the closed day moved, latest first; the latest hundred. */
  Dates: z.array(z.object({ From: day.nullable(), To: day.nullable(), SeenAtUtc: time })),
})
export type ClosedPeriods = z.infer<typeof ClosedPeriods>

const AccountAmount = z.object({
  AccountId: z.string(),
  Code: z.string().nullable(),
  Name: z.string().nullable(),
  Amount: amount,
})

export const DocumentState = z.object({
  /** The earliest first. */
  Dates: z.array(day),
  Number: z.string().nullable(),
  Contact: z.string().nullable(),
  Postings: z.array(AccountAmount),
})
export type DocumentState = z.infer<typeof DocumentState>

export const MovedAmount = z.object({
  AccountId: z.string(),
  Code: z.string().nullable(),
  Name: z.string().nullable(),
  Before: amount,
  After: amount,
  Moved: amount,
})
export type MovedAmount = z.infer<typeof MovedAmount>

export const ClosedPeriodChange = z.object({
  Id: z.uuid(),
  RunId: z.uuid(),
  Change: z.enum(['added', 'changed', 'voided', 'deleted']),
  Kind: z.string(),
  DocumentId: z.string(),
  Number: z.string().nullable(),
  /** Null: it did not exist, or posted nothing. */
  Before: DocumentState.nullable(),
  After: DocumentState.nullable(),
  /** By account: the amount within the closed periods before and after. */
  Moved: z.array(MovedAmount),
  /** Documents up to this day were closed. */
  ClosedThrough: day,
  /** The source's own time of the change; null if it has none. */
  ChangedAtUtc: time.nullable(),
  /** When the run that found it was examined. */
  SeenAtUtc: time,
  /** The URL of the document at the source. */
  Address: z.string().nullable(),
  AcknowledgedAtUtc: time.nullable(),
  AcknowledgedBy: z.string().nullable(),
  Reason: z.string().nullable(),
})
export type ClosedPeriodChange = z.infer<typeof ClosedPeriodChange>

const path = '/tributary/clients/:clientId/connectors/:connectorId/closed-periods'
const name = z.string().min(1).max(nameMax)

export const closedPeriods = {
  read: route({
    tokenScopes: ['status.read'],
    method: 'GET',
    path,
    summary: 'Whether closed periods of the connector are watched, up to which day they are closed, and since when.',
    allow: 'seeRuns',
    ...ofConnector,
    passive: true,
    reply: ClosedPeriods,
  }),
  save: route({
    tokenScopes: ['administer'],
    method: 'PUT',
    path,
    summary:
      'Switch closed periods on or off and set the closing date. Switching them on keeps the history of the tables that they need.',
    allow: 'editConnector',
    ...ofConnector,
    body: z.strictObject({
      isOn: z.boolean(),
      administratorDate: day.regex(/^(?!0000)/u).nullable(),
      table: z
        .strictObject({
          stream: name,
          dateColumn: name,
          numberColumn: name.nullable(),
          accountColumn: name.nullable(),
          amountColumn: name.nullable(),
        })
        .nullable(),
    }),
    reply: ClosedPeriods,
    faults: ['settingsWrong', 'targetTablesOnly'],
  }),
  changes: route({
    tokenScopes: ['data.read'],
    method: 'GET',
    path: `${path}/changes`,
    summary: 'Changes of documents in closed periods, latest first; the first thousand that match.',
    forAuditors: 'Closed-period changes',
    allow: 'seeRuns',
    ...ofConnector,
    query: z.strictObject({
      /** The first day of a month. */
      period: day.regex(/^(?!0000)/u).optional(),
      state: z.enum(['open', 'acknowledged']).optional(),
      /** Part of the number, the kind or the id of a document. */
      document: z.string().max(searchMax).optional(),
    }),
    reply: z.object({
      Changes: z.array(ClosedPeriodChange),
      /** All that match. */
      Total: z.number().int().min(0),
      /** The months with changes, latest first. */
      Periods: z.array(day),
    }),
  }),
  acknowledge: route({
    tokenScopes: ['administer'],
    method: 'POST',
    path: `${path}/acknowledgements`,
    summary: 'Acknowledge changes with a reason. Changes that are acknowledged already keep their reason.',
    allow: 'editConnector',
    ...ofConnector,
    body: z.strictObject({
      changes: z.array(Id).min(1).max(changesMax),
      reason: z.string().trim().min(1).max(reasonMax),
    }),
    reply: z.object({ Acknowledged: z.number().int().min(0) }),
  }),
} as const
