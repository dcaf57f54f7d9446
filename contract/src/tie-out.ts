/**
 * The tie-out: the trial balance computed from the rows in the target against the source's own, by account and period.
 */
import * as z from 'zod'
import { Certificate } from './certificates.ts'
import { Id } from './id.ts'
import { route } from './route.ts'
import { ofConnector } from './route-parts.ts'
import { TieOutState } from './tie-out-state.ts'

const time = z.iso.datetime()
/** Exact, in the company's base currency: `-1234.50`. */
const amount = z.string().regex(/^-?\d+(?:\.\d+)?$/u)
/** The first day of a month. */
const period = z.iso.date()
/** There is no year 0. */
const periodAsked = period.regex(/^(?!0000)/u)

export const TieOutPeriod = z.object({
  Period: period,
  State: TieOutState,
  Accounts: z.number().int().min(0),
  Differing: z.number().int().min(0),
  /** Sum of the differences, regardless of sign. Null: the companies have several currencies. */
  Difference: amount.nullable(),
})
export type TieOutPeriod = z.infer<typeof TieOutPeriod>

/** One of several companies in one set of tables, compared with its own report. */
export const TieOutCompany = z.object({
  Id: z.string(),
  Name: z.string(),
  State: TieOutState,
  Notice: z.string().nullable(),
  Currency: z.string().nullable(),
  /** False: it could not be read completely, so no month is proven for it. */
  Compared: z.boolean(),
})
export type TieOutCompany = z.infer<typeof TieOutCompany>

export const TieOut = z.object({
  RunId: z.uuid(),
  State: TieOutState,
  CheckedAtUtc: time,
  /** For people: why it is not green. */
  Notice: z.string().nullable(),
  Company: z.string(),
  /** Null: the source does not report it, or the companies have several. */
  Currency: z.string().nullable(),
  /** The basis of the figures: the documents, or the source's journals. */
  Basis: z.enum(['documents', 'journals']),
  /** Periods that differed at first and agree after they were read again. */
  Mended: z.array(period),
  /** Empty if the tables belong to one company. */
  Companies: z.array(TieOutCompany),
  /** Newest first. */
  Periods: z.array(TieOutPeriod),
})
export type TieOut = z.infer<typeof TieOut>

/** Movements of the period, debit positive. */
export const TieOutLine = z.object({
  /** The id of its company, if several share the tables; otherwise empty. */
  Company: z.string(),
  Period: period,
  AccountId: z.string(),
  Code: z.string().nullable(),
  Name: z.string(),
  Computed: amount,
  Reported: amount,
  Difference: amount,
  State: TieOutState,
  /** The known reason of the difference. */
  Notice: z.string().nullable(),
  /** Number of documents behind the computed figure; stored for accounts that differ. */
  Documents: z.number().int().min(0),
})
export type TieOutLine = z.infer<typeof TieOutLine>

export const TieOutDocument = z.object({
  Kind: z.string(),
  Id: z.string(),
  Number: z.string().nullable(),
  Date: z.iso.date(),
  Contact: z.string().nullable(),
  Amount: amount,
  /** The source had changed it unannounced, which the second read found. */
  WasQuiet: z.boolean(),
  /** The URL of the document at the source. */
  Address: z.string().nullable(),
})
export type TieOutDocument = z.infer<typeof TieOutDocument>

/** One run's result, for the history. */
export const TieOutHistoryEntry = z.object({
  RunId: z.uuid(),
  State: TieOutState,
  CheckedAtUtc: time,
  Differing: z.number().int().min(0),
  Notice: z.string().nullable(),
})
export type TieOutHistoryEntry = z.infer<typeof TieOutHistoryEntry>

const path = '/tributary/clients/:clientId/connectors/:connectorId/tie-out'

export const tieOut = {
  latest: route({
    tokenScopes: ['status.read'],
    method: 'GET',
    path,
    summary: 'The latest tie-out of the connector with its periods; null before the first.',
    forAuditors: 'Tie-out',
    allow: 'seeRuns',
    ...ofConnector,
    passive: true,
    reply: TieOut.nullable(),
  }),
  lines: route({
    method: 'GET',
    path: `${path}/lines`,
    tokenScopes: ['data.read'],
    summary: 'Every account of one period: computed, reported, difference; those that differ first.',
    forAuditors: 'Tie-out',
    allow: 'seeRuns',
    ...ofConnector,
    query: z.strictObject({ period: periodAsked }),
    reply: z.array(TieOutLine),
  }),
  documents: route({
    method: 'GET',
    path: `${path}/documents`,
    tokenScopes: ['data.read'],
    summary:
      'The documents behind the computed figure of an account that differs in a period, latest first; the first five hundred.',
    forAuditors: 'Documents of a tie-out',
    allow: 'seeRuns',
    ...ofConnector,
    query: z.strictObject({
      period: periodAsked,
      accountId: z.string().min(1).max(100),
      company: z.string().max(200).default(''),
    }),
    reply: z.array(TieOutDocument),
  }),
  history: route({
    method: 'GET',
    path: `${path}/history`,
    tokenScopes: ['status.read'],
    summary: 'What the tie-outs of earlier runs came to, latest first; the latest two hundred.',
    allow: 'seeRuns',
    ...ofConnector,
    reply: z.array(TieOutHistoryEntry),
  }),
  certify: route({
    method: 'POST',
    path: `${path}/certificate`,
    summary: 'Issue the certificate of a month of the latest tie-out. A month of a run is certified once.',
    allow: 'seeRuns',
    ...ofConnector,
    /** `runId`: the run whose figures the caller has seen. */
    body: z.strictObject({ runId: Id, period: periodAsked }),
    status: 201,
    reply: Certificate,
    faults: ['tieOutReplaced'],
  }),
} as const
