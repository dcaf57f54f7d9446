/** SQL queries of people: on the warehouse under their own login, and on an organisation’s own targets under a login for reading. */
import * as z from 'zod'
import { CheckResult } from './connectors.ts'
import { Id } from './id.ts'
import { queryLimits } from './limits.ts'
import { Name } from './name.ts'
import { route } from './route.ts'
import { ofClient } from './route-parts.ts'

const time = z.iso.datetime()

/** The warehouse, or the id of the connector whose own target is meant. */
export const QueryDatabaseId = z.union([z.literal('warehouse'), Id])

export const QueryDatabase = z.object({
  Id: z.string(),
  Name: z.string(),
  Dialect: z.enum(['postgres', 'mysql', 'sqlserver']),
})
export type QueryDatabase = z.infer<typeof QueryDatabase>

/** For completion. Descriptions are the dictionary’s; in an own target, the comments of the database. */
export const QueryTable = z.object({
  Schema: z.string(),
  Name: z.string(),
  Description: z.string().nullable(),
  Columns: z.array(z.object({ Name: z.string(), Description: z.string().nullable() })),
})
export type QueryTable = z.infer<typeof QueryTable>

export const QueryColumn = z.object({
  Name: z.string(),
  /** As the database calls it. */
  Type: z.string(),
  Kind: z.enum(['number', 'boolean', 'date', 'timestamp', 'text']),
})
export type QueryColumn = z.infer<typeof QueryColumn>

export const QueryFailure = z.object({
  Message: z.string(),
  Hint: z.string().nullable(),
  /** Offset in the statement, in UTF-16 code units. */
  Position: z.number().int().min(0).nullable(),
  /** The database’s own code. */
  Code: z.string().nullable(),
})
export type QueryFailure = z.infer<typeof QueryFailure>

/** A statement that the database refuses is a result, too. */
export const QueryOutcome = z.object({
  Columns: z.array(QueryColumn),
  /** Values as the database writes them, so that no digit is lost. */
  Rows: z.array(z.array(z.string().nullable())),
  /** The limit at which reading stopped: there may be more rows. */
  Reached: z.enum(['rows', 'bytes', 'timeMs']).nullable(),
  DurationMs: z.number().int().min(0),
  Failure: QueryFailure.nullable(),
})
export type QueryOutcome = z.infer<typeof QueryOutcome>

export const QueryChart = z.strictObject({
  kind: z.enum(['line', 'bar', 'number', 'pivot']),
  /** Names of columns. */
  category: z.string().max(200).nullable(),
  series: z.string().max(200).nullable(),
  value: z.string().max(200).nullable(),
})
export type QueryChart = z.infer<typeof QueryChart>

export const QueryRun = z.object({
  Id: z.uuid(),
  Database: z.string(),
  Statement: z.string(),
  StartedAtUtc: time,
  DurationMs: z.number().int().min(0),
  Rows: z.number().int().min(0),
  Outcome: z.enum(['completed', 'limited', 'refused', 'cancelled']),
})
export type QueryRun = z.infer<typeof QueryRun>

export const SavedQuery = z.object({
  Id: z.uuid(),
  Name: z.string(),
  Database: z.string(),
  Statement: z.string(),
  Chart: QueryChart.nullable(),
  IsShared: z.boolean(),
  Owner: z.string(),
  /** Whether the caller may change it. */
  IsOwn: z.boolean(),
  /** Whether the caller may delete it: its owner, and administrators if it is shared. */
  MayDelete: z.boolean(),
  UpdatedAtUtc: time,
})
export type SavedQuery = z.infer<typeof SavedQuery>

/** An own target of the organisation that administrators may query once it has a login for reading. */
export const QueryTarget = z.object({
  ConnectorId: z.uuid(),
  Name: z.string(),
  Dialect: QueryDatabase.shape.Dialect,
  /** The stored login. `IsForTarget`: it was entered for the present address of the target; otherwise it is not used. */
  Login: z.object({ User: z.string(), SavedAtUtc: time, IsForTarget: z.boolean() }).nullable(),
  /** SQL that creates a login for reading. */
  Instructions: z.string(),
})
export type QueryTarget = z.infer<typeof QueryTarget>

/** The proof that a login cannot write. It is stored only if every check has passed. */
export const ReadingLoginProof = z.object({
  IsSaved: z.boolean(),
  Checks: z.array(CheckResult.omit({ Side: true })),
})
export type ReadingLoginProof = z.infer<typeof ReadingLoginProof>

const statement = z.string().max(queryLimits.statementMax)
export const SavedQueryInput = z.strictObject({
  name: Name,
  database: QueryDatabaseId,
  statement,
  chart: QueryChart.nullable(),
  isShared: z.boolean(),
})
export type SavedQueryInput = z.infer<typeof SavedQueryInput>

const path = '/tributary/clients/:clientId/queries'
const ofTarget = { scope: ofClient.scope, params: ofClient.params.extend({ connectorId: Id }) }
const login = `${path}/targets/:connectorId/login`
const ofQuery = { scope: ofClient.scope, params: ofClient.params.extend({ queryId: Id }) }

export const queries = {
  databases: route({
    method: 'GET',
    path: `${path}/databases`,
    summary: 'The databases on which the caller may run queries.',
    allow: 'readData',
    tokenScopes: ['data.read'],
    ...ofClient,
    reply: z.array(QueryDatabase),
  }),
  tables: route({
    method: 'GET',
    path: `${path}/tables`,
    summary:
      'The tables and columns of the warehouse that the caller may read, or those of an own target that its login for reading may read.',
    allow: 'readData',
    tokenScopes: ['data.read'],
    ...ofClient,
    /** Without a database the warehouse is meant. */
    query: z.strictObject({ database: QueryDatabaseId.optional() }),
    reply: z.array(QueryTable),
    faults: [
      'dataNotReadable',
      'warehouseUnreachable',
      'readingLogin',
      'settingsWrong',
      'targetTablesOnly',
      'secretUnreadable',
    ],
  }),
  run: route({
    method: 'POST',
    path: `${path}/run`,
    summary: 'Run one statement that reads. Closing the connection cancels it in the database.',
    allow: 'readData',
    tokenScopes: ['data.read'],
    ...ofClient,
    body: z.strictObject({ database: QueryDatabaseId, statement }),
    reply: QueryOutcome,
    faults: [
      'dataNotReadable',
      'warehouseUnreachable',
      'queriesRunning',
      'readingLogin',
      'settingsWrong',
      'secretUnreadable',
      'targetTablesOnly',
    ],
  }),
  history: route({
    method: 'GET',
    path: `${path}/history`,
    summary: 'The caller’s latest queries, newest first.',
    allow: 'readData',
    ...ofClient,
    reply: z.array(QueryRun),
  }),
  clearHistory: route({
    method: 'DELETE',
    path: `${path}/history`,
    summary: 'Delete the caller’s history of queries.',
    allow: 'readData',
    ...ofClient,
  }),
  list: route({
    method: 'GET',
    path: `${path}/saved`,
    summary: 'The caller’s saved queries, and those that others share with the organisation, by name.',
    allow: 'readData',
    tokenScopes: ['data.read'],
    ...ofClient,
    reply: z.array(SavedQuery),
  }),
  read: route({
    method: 'GET',
    path: `${path}/saved/:queryId`,
    summary: 'One saved query.',
    allow: 'readData',
    tokenScopes: ['data.read'],
    ...ofQuery,
    reply: SavedQuery,
  }),
  save: route({
    method: 'POST',
    path: `${path}/saved`,
    summary: 'Save a query. Sharing shows its text to the organisation, never rows.',
    allow: 'readData',
    ...ofClient,
    body: SavedQueryInput,
    status: 201,
    reply: SavedQuery,
  }),
  change: route({
    method: 'PUT',
    path: `${path}/saved/:queryId`,
    summary: 'Change one’s own saved query.',
    allow: 'readData',
    ...ofQuery,
    body: SavedQueryInput,
    reply: SavedQuery,
  }),
  remove: route({
    method: 'DELETE',
    path: `${path}/saved/:queryId`,
    summary: 'Delete a saved query: one’s own, or as an administrator a shared one.',
    allow: 'readData',
    ...ofQuery,
  }),
  targets: route({
    method: 'GET',
    path: `${path}/targets`,
    summary: 'The organisation’s own targets, each with its login for reading.',
    allow: 'queryTargets',
    ...ofClient,
    reply: z.array(QueryTarget),
  }),
  saveLogin: route({
    method: 'PUT',
    path: login,
    summary: 'Store a login for reading after the database has proven that it cannot write.',
    allow: 'queryTargets',
    ...ofTarget,
    needsFreshProof: true,
    body: z.strictObject({ user: z.string().trim().min(1).max(200), password: z.string().min(1).max(1_000) }),
    reply: ReadingLoginProof,
    faults: ['readingLogin', 'settingsWrong', 'targetTablesOnly', 'secretUnreadable', 'tooMany'],
  }),
  checkLogin: route({
    method: 'POST',
    path: `${login}/check`,
    summary: 'Prove again that the stored login cannot write.',
    allow: 'queryTargets',
    ...ofTarget,
    reply: ReadingLoginProof,
    faults: ['readingLogin', 'settingsWrong', 'targetTablesOnly', 'secretUnreadable', 'tooMany'],
  }),
  removeLogin: route({
    method: 'DELETE',
    path: login,
    summary: 'Remove the login for reading.',
    allow: 'queryTargets',
    ...ofTarget,
  }),
} as const
