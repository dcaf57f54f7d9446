/** Erasing a person in the history of a connector’s tables, and so in marked views. */
import * as z from 'zod'
import { historyLimits } from './limits.ts'
import { route } from './route.ts'
import { ofConnector } from './route-parts.ts'

const time = z.iso.datetime()
const count = z.number().int().min(0)
const name = z.string().min(1).max(historyLimits.nameMax)

/** `Name`: of the history table. `Versions`: row versions of the person. */
const versionsOfTable = { Table: z.string(), Name: z.string(), Versions: count }

/**
 * `Columns`: those that can be cleared. Keys, references to other tables, amounts and dates cannot. `IsProposed`: by its name the column
 * holds data of a person.
 */
export const ErasurePreview = z.object({
  Tables: z.array(
    z.object({
      ...versionsOfTable,
      Columns: z.array(z.object({ Name: z.string(), Type: z.string(), IsProposed: z.boolean() })),
    }),
  ),
  /** Rows of the person that the last run found at the source. A later run makes versions of them again. */
  Current: count,
  /** The marks that show row versions of the person. */
  Marks: z.array(z.object({ Id: z.uuid(), Name: z.string(), Versions: count })),
})
export type ErasurePreview = z.infer<typeof ErasurePreview>

export const erasureStates = ['underWay', 'completed', 'failed'] as const

/** The value that identified the person is not kept. */
export const HistoryErasure = z.object({
  Id: z.uuid(),
  RunId: z.uuid(),
  /** The table in which the person was found, and the column. */
  Table: z.string(),
  Column: z.string(),
  State: z.enum(erasureStates),
  /** For people: why it failed. */
  Notice: z.string().nullable(),
  RequestedBy: z.string(),
  RequestedAtUtc: time,
  CompletedAtUtc: time.nullable(),
  /** Counted before they were cleared; empty until then. */
  Tables: z.array(z.object({ ...versionsOfTable, Columns: z.array(z.string()) })),
})
export type HistoryErasure = z.infer<typeof HistoryErasure>

const path = '/tributary/clients/:clientId/connectors/:connectorId/history-erasures'

/** The rows of a stream’s main table that have or had the value, with their children. */
const person = {
  stream: name,
  /** A column of the main table, by its name in the target. */
  column: name,
  /** As the target writes it as text. */
  value: z.string().min(1).max(historyLimits.erasedValueMax),
}

export const historyErasures = {
  list: route({
    method: 'GET',
    path,
    summary: 'Erasures of people in the history of the connector’s tables, latest first.',
    allow: 'editConnector',
    ...ofConnector,
    passive: true,
    reply: z.array(HistoryErasure),
  }),
  preview: route({
    method: 'POST',
    path: `${path}/preview`,
    summary: 'Count the row versions of a person in history, by table and by mark. Changes nothing.',
    allow: 'editConnector',
    ...ofConnector,
    body: z.strictObject(person),
    reply: ErasurePreview,
    faults: ['settingsWrong'],
  }),
  start: route({
    method: 'POST',
    path,
    summary:
      'Erase a person in history: a run clears the columns in all row versions of the person, so marked views show them empty. Amounts, keys and dates stay.',
    allow: 'editConnector',
    ...ofConnector,
    needsFreshProof: true,
    body: z.strictObject({
      ...person,
      /** By table, names as in the target. */
      columns: z
        .record(name, z.array(name).min(1).max(historyLimits.erasedColumnsMax))
        .refine((columns) => Object.keys(columns).length > 0, 'must name at least one column'),
    }),
    status: 202,
    reply: HistoryErasure,
    faults: ['settingsWrong', 'alreadyRunning', 'notConnected', 'queueFull'],
  }),
} as const
