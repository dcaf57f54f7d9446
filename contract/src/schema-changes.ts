/** Schema changes of a source: detected, applied, and pending a decision. */
import * as z from 'zod'
import { guestView, withheld } from './guest-view.ts'
import { Id } from './id.ts'
import { route } from './route.ts'
import { ofConnector, ofConnectorOrGuest } from './route-parts.ts'

const time = z.iso.datetime()

/**
 * `Before` null: the column, or with `Column` null the table, is new. `After` `gone`: removed at the source; its last
 * values or rows stay. Tributary never drops or narrows a column. `After` `not moved`: the source sends `Column`, and no column has it.
 */
export const SchemaChange = z.object({
  Id: z.uuid(),
  RunId: z.uuid().nullable(),
  Stream: z.string(),
  Table: z.string(),
  Column: z.string().nullable(),
  Before: z.string().nullable(),
  After: z.string(),
  Status: z.enum(['APPLIED', 'PENDING', 'ACCEPTED', 'REJECTED']),
  FoundAtUtc: time,
  DecidedAtUtc: time.nullable(),
  DecidedBy: z.string().nullable(),
})
export type SchemaChange = z.infer<typeof SchemaChange>
const GuestSchemaChange = guestView(
  SchemaChange,
  ['Id', 'RunId', 'Stream', 'Table', 'Column', 'Before', 'After', 'Status', 'FoundAtUtc', 'DecidedAtUtc'],
  { DecidedBy: withheld },
)

const path = '/tributary/clients/:clientId/connectors/:connectorId/schema-changes'

export const schemaChanges = {
  list: route({
    tokenScopes: ['status.read', 'administer'],
    method: 'GET',
    path,
    summary: 'Changes of the source’s tables, latest first.',
    allow: 'seeRuns',
    ...ofConnectorOrGuest,
    passive: true,
    guestReply: z.array(GuestSchemaChange),
    reply: z.array(SchemaChange),
  }),
  decide: route({
    tokenScopes: ['administer'],
    method: 'POST',
    path,
    summary:
      'Accept or reject changes that wait. An accepted one is made by the next run; a rejected column is not moved, and a table whose loss of a column is rejected stays as it is.',
    allow: 'decideSchemaChanges',
    ...ofConnector,
    body: z.strictObject({ changes: z.array(Id).min(1).max(1_000), decision: z.enum(['ACCEPTED', 'REJECTED']) }),
    reply: z.array(SchemaChange),
    faults: ['alreadyDecided'],
  }),
} as const
