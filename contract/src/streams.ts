/** Streams: the tables of a source, before and after they are moved. */
import * as z from 'zod'
import { guestView, withheld, withheldNotice } from './guest-view.ts'
import { route } from './route.ts'
import { settingsTrial } from './connector-input.ts'
import { ofClient, ofConnectorOrGuest } from './route-parts.ts'
import { TableVerification } from './verification-state.ts'
import { GuestTableVerification } from './verifications.ts'

const time = z.iso.datetime()
/**
 * A table of the source. `Notice`: why it cannot be moved; `Remedy`: SQL with which the database’s owner can fix that.
 */
export const OfferedTable = z.object({
  Name: z.string(),
  Key: z.array(z.string()),
  Columns: z.array(z.object({ Name: z.string(), Type: z.string() })),
  RowsEstimate: z.number().int().min(0).nullable(),
  Notice: z.string().nullable(),
  Remedy: z.string().nullable(),
})
export type OfferedTable = z.infer<typeof OfferedTable>

/**
 * `Table`: the main table’s name in the target. `Renamed`: columns with another `Name` there. `Filter`: which rows are moved, in words; null for all.
 * `Why`: for people, why every run reads the whole table, or how changed and deleted rows are found. `FreshAtUtc`: the rows are at least as new
 * as the source was at that time. `Verification`: null before the first.
 */
export const ConnectorStream = z.object({
  Name: z.string(),
  Table: z.string(),
  Renamed: z.array(z.object({ Table: z.string(), Column: z.string(), Name: z.string() })),
  Filter: z.string().nullable(),
  Licence: z.string(),
  Reads: z.enum(['since', 'whole']),
  Why: z.string().nullable(),
  Rows: z.number().int().min(0).nullable(),
  FreshAtUtc: time.nullable(),
  Fault: z.string().nullable(),
  Verification: TableVerification.nullable(),
})
export type ConnectorStream = z.infer<typeof ConnectorStream>
const GuestConnectorStream = guestView(
  ConnectorStream,
  ['Name', 'Table', 'Licence', 'Reads', 'Why', 'Rows', 'FreshAtUtc'],
  {
    Renamed: z.array(guestView(ConnectorStream.shape.Renamed.element, ['Table', 'Column', 'Name'], {})),
    // Its values are those of the source's rows.
    Filter: withheld,
    Fault: withheldNotice.nullable(),
    Verification: GuestTableVerification.nullable(),
  },
)

const clients = '/tributary/clients'

export const streams = {
  discover: route({
    method: 'POST',
    path: `${clients}/:clientId/connectors/discover`,
    summary: 'What these settings may read: every table with its columns, to choose from before anything is saved.',
    allow: 'addConnector',
    ...ofClient,
    ...settingsTrial,
    reply: z.array(OfferedTable),
  }),
  list: route({
    method: 'GET',
    path: `${clients}/:clientId/connectors/:connectorId/streams`,
    tokenScopes: ['status.read'],
    summary: 'The connector’s tables: how each is read, how fresh it is, and what was wrong with it last.',
    allow: 'seeRuns',
    ...ofConnectorOrGuest,
    passive: true,
    guestReply: z.array(GuestConnectorStream),
    reply: z.array(ConnectorStream),
  }),
} as const
