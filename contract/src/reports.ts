/** Files that Excel and Power BI open on the tables of the warehouse. */
import * as z from 'zod'
import { workbookSources } from './connection-lines.ts'
import { CheckResult } from './connectors.ts'
import { workbookTablesMax } from './limits.ts'
import { route, workbookType, zipType } from './route.ts'
import { ofClient } from './route-parts.ts'

const path = '/tributary/clients/:clientId/reports'

/** What a table holds: rows of a connector, the answer to a ready question, or plans. */
export const reportTablePurposes = ['table', 'question', 'version', 'helperTable'] as const

export const ReportTable = z.object({
  Schema: z.string(),
  Name: z.string(),
  Purpose: z.enum(reportTablePurposes),
  Description: z.string().nullable(),
})
export type ReportTable = z.infer<typeof ReportTable>

const name = z.string().min(1).max(200)

/** Where tools connect, and the caller's database login; null until the caller has created one. */
export const ReportConnection = z.object({
  Host: z.string(),
  Port: z.number().int(),
  Database: z.string(),
  User: z.string().nullable(),
  SslMode: z.enum(['require', 'prefer']),
  /** The address of the OData feed. */
  FeedUrl: z.url(),
  /** Addresses and networks at which the installation answers, for firewalls; empty if the operator names none. */
  Ranges: z.array(z.string()),
})
export type ReportConnection = z.infer<typeof ReportConnection>

export const reports = {
  connection: route({
    method: 'GET',
    path: `${path}/connection`,
    summary: 'Where SQL clients and reporting tools connect, and as whom; without the password.',
    allow: 'readData',
    ...ofClient,
    reply: ReportConnection,
    faults: ['dataNotReadable', 'warehouseUnreachable'],
  }),
  test: route({
    method: 'POST',
    path: `${path}/test`,
    summary:
      'Test whether tools of the caller could connect: what the caller may read, their database login, and the address as this server reaches it.',
    allow: 'readData',
    ...ofClient,
    reply: z.array(CheckResult.omit({ Side: true })),
    faults: ['dataNotReadable', 'tooMany', 'warehouseUnreachable'],
  }),
  tables: route({
    method: 'GET',
    path: `${path}/tables`,
    summary: 'The tables that a report can read.',
    allow: 'readData',
    ...ofClient,
    reply: z.array(ReportTable),
    faults: ['dataNotReadable', 'warehouseUnreachable'],
  }),
  powerBi: route({
    method: 'GET',
    path: `${path}/power-bi.zip`,
    summary:
      'A Power BI project on these tables: a semantic model with relationships, measures and a role, and a report.',
    allow: 'readData',
    ...ofClient,
    produces: zipType,
    faults: ['dataNotReadable', 'settingsWrong', 'tooMany', 'warehouseUnreachable'],
  }),
  workbook: route({
    method: 'POST',
    path: `${path}/workbook`,
    summary: 'A workbook with a live query for each of the chosen tables. It holds no rows until Excel refreshes it.',
    allow: 'readData',
    ...ofClient,
    body: z.strictObject({
      source: z.enum(workbookSources),
      tables: z
        .array(z.strictObject({ schema: name, name }))
        .min(1)
        .max(workbookTablesMax),
    }),
    produces: workbookType,
    faults: ['dataNotReadable', 'tooMany', 'warehouseUnreachable'],
  }),
} as const
