/** History: the row versions that a target keeps of the tables of a connector. */
import * as z from 'zod'
import { historyLimits } from './limits.ts'
import { route } from './route.ts'
import { ofConnector } from './route-parts.ts'

const count = z.number().int().min(0)

/** Why a stream keeps history. `setting`: an administrator has chosen it. */
export const historyReasons = ['setting', 'closedPeriods', 'marks', 'publications'] as const
export type HistoryReason = (typeof historyReasons)[number]

/** What the setting covers. `all`: every table of the connector, also those that are added. */
export const historyTables = ['none', 'chosen', 'all'] as const

/**
 * The history of a table in the target. `Name`: of the history table. `SinceUtc`: the cut-off of the run that began it; nothing is known
 * of before. `Rows`: row versions, an estimate if there are many; `Rows` and `Bytes` are null where they are not measured. In another database
 * than the warehouse they are those after the last run.
 */
export const TableHistory = z.object({
  Table: z.string(),
  Name: z.string(),
  SinceUtc: z.string(),
  Rows: count.nullable(),
  Bytes: count.nullable(),
})
export type TableHistory = z.infer<typeof TableHistory>

/**
 * `Reasons`: why the next run keeps history. `IsKept`: whether the last run did; if not, the histories no longer grow. `Rows`, `Bytes`: of
 * the tables themselves, with which a history begins; null where they are not known.
 */
export const StreamHistory = z.object({
  Stream: z.string(),
  Table: z.string(),
  Reasons: z.array(z.enum(historyReasons)),
  IsKept: z.boolean(),
  /** Days for which superseded and deleted row versions stay. Null: for good. */
  RetentionDays: z.number().int().min(1).nullable(),
  Rows: count.nullable(),
  Bytes: count.nullable(),
  Histories: z.array(TableHistory),
  /** The marks "as reported" whose row versions retention leaves, the oldest first. */
  Marks: z.array(z.object({ Name: z.string(), MomentUtc: z.string() })),
})
export type StreamHistory = z.infer<typeof StreamHistory>

/** `Chosen`: the streams of the setting, if its `Tables` are `chosen`. */
export const ConnectorHistory = z.object({
  Tables: z.enum(historyTables),
  Chosen: z.array(z.string()),
  Streams: z.array(StreamHistory),
})
export type ConnectorHistory = z.infer<typeof ConnectorHistory>

const path = '/tributary/clients/:clientId/connectors/:connectorId/table-history'

export const history = {
  read: route({
    tokenScopes: ['status.read'],
    method: 'GET',
    path,
    summary: 'Which tables of the connector keep history, why, since when, and how large it is.',
    allow: 'seeRuns',
    ...ofConnector,
    passive: true,
    reply: ConnectorHistory,
  }),
  save: route({
    tokenScopes: ['administer'],
    method: 'PUT',
    path,
    summary: 'Choose the tables that keep history. Takes effect with the next run of each.',
    allow: 'editConnector',
    ...ofConnector,
    body: z.strictObject({
      tables: z.enum(historyTables),
      /** Names of streams; only with `chosen`. */
      streams: z.array(z.string().min(1).max(historyLimits.nameMax)).max(historyLimits.streamsMax).optional(),
      /** Days by name of the stream. A stream that is left out keeps its row versions for good. Absent: as before. */
      retention: z
        .record(z.string().min(1).max(historyLimits.nameMax), z.number().int().min(1).max(historyLimits.daysMax))
        .optional(),
    }),
    faults: ['targetTablesOnly'],
    reply: ConnectorHistory,
  }),
} as const
