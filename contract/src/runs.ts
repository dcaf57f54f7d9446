/** Runs: what a connector did, stream by stream, and the rows it could not place. */
import * as z from 'zod'
import { Id } from './id.ts'
import { route } from './route.ts'

const time = z.iso.datetime()
const count = z.number().int().min(0)

export const runStatuses = ['QUEUED', 'RUNNING', 'WAITING', 'COMPLETED', 'FAILED', 'CANCELLED'] as const

export const RunStream = z.object({
  Name: z.string(),
  Table: z.string(),
  Phase: z.enum(['waiting', 'preparing', 'reading', 'finishing', 'sweeping', 'done', 'failed', 'cancelled']),
  RowsRead: count,
  RowsWritten: count,
  RowsUpdated: count,
  RowsDeleted: count,
  RowsRejected: count,
  RowsEstimate: count.nullable(),
  Notice: z.string().nullable(),
})
export type RunStream = z.infer<typeof RunStream>

/** `FaultKind` names who must act: settings, signIn, busy, passing, data or bug. WAITING tries again at `RetryAtUtc`. */
export const Run = z.object({
  Id: z.uuid(),
  ConnectorId: z.uuid(),
  Status: z.enum(runStatuses),
  Mode: z.enum(['incremental', 'full']),
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
  RowsRead: count,
  RowsWritten: count,
  RowsUpdated: count,
  RowsDeleted: count,
  RowsRejected: count,
})
export type Run = z.infer<typeof Run>

export const RunDetail = Run.extend({
  Streams: z.array(RunStream),
  Lines: z.array(z.object({ AtUtc: time, Level: z.enum(['info', 'warn', 'error']), Text: z.string() })),
})
export type RunDetail = z.infer<typeof RunDetail>

export const RejectedRow = z.object({
  Table: z.string(),
  Column: z.string().nullable(),
  Reason: z.string(),
  Row: z.record(z.string(), z.string().nullable()),
})
export type RejectedRow = z.infer<typeof RejectedRow>

const of = z.object({ clientId: Id, connectorId: Id })
const one = of.extend({ runId: Id })
const base = '/tributary/clients/:clientId/connectors/:connectorId/runs'

export const runs = {
  list: route({
    method: 'GET',
    path: base,
    summary: 'The connector’s runs, latest first.',
    allow: 'seeRuns',
    scope: 'client',
    passive: true,
    params: of,
    query: z.strictObject({
      page: z.coerce.number<number>().int().min(1).optional(),
      pageSize: z.coerce.number<number>().int().min(1).max(1_000).optional(),
    }),
    reply: z.array(Run),
  }),
  read: route({
    method: 'GET',
    path: `${base}/:runId`,
    summary: 'One run with its streams and its log lines; asked again while it goes on.',
    allow: 'seeRuns',
    scope: 'client',
    passive: true,
    params: one,
    reply: RunDetail,
  }),
  cancel: route({
    method: 'POST',
    path: `${base}/:runId/cancel`,
    summary: 'Stop a run; what it has committed stays.',
    allow: 'cancelRun',
    scope: 'client',
    params: one,
    reply: Run,
    faults: ['runEnded'],
  }),
  rejected: route({
    method: 'GET',
    path: `${base}/:runId/rejected`,
    summary: 'The rows that could not be placed, each with the reason; the first thousand.',
    allow: 'seeRuns',
    scope: 'client',
    params: one,
    reply: z.array(RejectedRow),
  }),
} as const
