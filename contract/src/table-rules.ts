/** Rules of a connector for its tables: a filter of rows, and columns whose values are hashed or masked on the way. */
import * as z from 'zod'
import { historyLimits, tableRuleLimits } from './limits.ts'
import { route } from './route.ts'
import { ofConnector } from './route-parts.ts'

/** Each holds for a column of the main table. `isEmpty` and `isNotEmpty` take no value, `isOneOf` and `isNotOneOf` several. */
export const rowOperators = [
  'is',
  'isNot',
  'isOneOf',
  'isNotOneOf',
  'isLess',
  'isAtMost',
  'isGreater',
  'isAtLeast',
  'startsWith',
  'contains',
  'isEmpty',
  'isNotEmpty',
] as const
export type RowOperator = (typeof rowOperators)[number]

/** `hash`: a keyed hash, equal for equal values. `clear`: no value. `keepEnd`: only the last characters of a text are kept. */
export const maskMethods = ['hash', 'clear', 'keepEnd'] as const
export type MaskMethod = (typeof maskMethods)[number]

/**
 * `Kind`: `text`, `integer`, `decimal`, `double`, `boolean`, `date`, `time`, `localTimestamp`, `instant`, `guid`, `json` or `bytes`; null if it
 * is not known, or the column is masked. `Operators`: those that its kind allows. `MayBeMasked`: it identifies no row.
 */
export const RuleColumn = z.object({
  Name: z.string(),
  Kind: z.string().nullable(),
  Operators: z.array(z.enum(rowOperators)),
  MayBeMasked: z.boolean(),
})
export type RuleColumn = z.infer<typeof RuleColumn>

/**
 * `Sentence`: the filter in words; null without one. `Tables`: the main table and its children, as the latest run has seen them; empty before
 * the first.
 */
export const StreamRules = z.object({
  Stream: z.string(),
  Table: z.string(),
  Sentence: z.string().nullable(),
  Conditions: z.array(z.object({ Column: z.string(), Operator: z.enum(rowOperators), Values: z.array(z.string()) })),
  Masks: z.array(
    z.object({
      Table: z.string(),
      Column: z.string(),
      Method: z.enum(maskMethods),
      Characters: z.number().int().min(1).nullable(),
    }),
  ),
  Tables: z.array(z.object({ Name: z.string(), Columns: z.array(RuleColumn) })),
  ChangedAtUtc: z.string().nullable(),
})
export type StreamRules = z.infer<typeof StreamRules>

/** Tables that runs have moved, and those with rules. */
export const ConnectorRules = z.object({ Streams: z.array(StreamRules) })
export type ConnectorRules = z.infer<typeof ConnectorRules>

const path = '/tributary/clients/:clientId/connectors/:connectorId/table-rules'
const name = z.string().min(1).max(historyLimits.nameMax)

export const tableRules = {
  read: route({
    tokenScopes: ['administer'],
    method: 'GET',
    path,
    summary: 'The filters and masks of the connector’s tables, and the columns that they can use.',
    allow: 'editConnector',
    ...ofConnector,
    reply: ConnectorRules,
  }),
  save: route({
    tokenScopes: ['administer'],
    method: 'PUT',
    path,
    summary:
      'Set the filter and the masks of one table. Takes effect with its next run, which reads the whole table. Without conditions and masks they end.',
    allow: 'editConnector',
    ...ofConnector,
    body: z.strictObject({
      /** The table as the source names it. It may be one that no run has moved yet. */
      stream: name,
      /** All of them hold together. */
      conditions: z
        .array(
          z.strictObject({
            column: name,
            operator: z.enum(rowOperators),
            values: z.array(z.string().min(1).max(tableRuleLimits.valueMax)).max(tableRuleLimits.valuesMax),
          }),
        )
        .max(tableRuleLimits.conditionsMax),
      masks: z
        .array(
          z.strictObject({
            /** The main table, or one of its children. The name of the stream stands for its main table. */
            table: name,
            column: name,
            method: z.enum(maskMethods),
            /** Only with `keepEnd`. */
            characters: z.number().int().min(1).max(tableRuleLimits.charactersMax).optional(),
          }),
        )
        .max(tableRuleLimits.masksMax),
    }),
    reply: ConnectorRules,
  }),
} as const
