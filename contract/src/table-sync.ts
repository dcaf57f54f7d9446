/** Table synchronisation: the organisation's own database, and the tables there that people load from Excel. */
import * as z from 'zod'
import { CheckResult } from './connectors.ts'
import { nameMax } from './limits.ts'
import { route } from './route.ts'
import { ofClient } from './route-parts.ts'

const time = z.iso.datetime()

/** SQL Server as in the specification, and additional databases. */
export const databaseKinds = ['mssql', 'postgres', 'mysql'] as const
/** Encryption of the connection: verified certificate, encrypted without verification, or none. */
export const encryptions = ['verify', 'encrypt', 'off'] as const

/**
 * If every field is empty: the warehouse. The password is masked. The fields from `savedBy` on are additions to the
 * specification.
 */
export const DatabaseCredentials = z.object({
  connector: z.enum(databaseKinds),
  host: z.string(),
  database: z.string(),
  schema: z.string(),
  user: z.string(),
  password: z.string(),
  encryption: z.enum(encryptions),
  savedBy: z.string().nullable(),
  savedAtUtc: time.nullable(),
})
export type DatabaseCredentials = z.infer<typeof DatabaseCredentials>

const text = z.string().trim().max(nameMax)
/**
 * `host` may carry a port: `db.example.com,1433` or `db.example.com:5432`. The mask keeps the password that is stored.
 */
export const TableSyncCredentials = z.strictObject({
  connector: z.enum(databaseKinds).default('mssql'),
  host: text,
  database: text,
  schema: text,
  user: text,
  password: z.string().max(1_000),
  encryption: z.enum(encryptions).default('verify'),
})
export type TableSyncCredentials = z.infer<typeof TableSyncCredentials>

/**
 * The result for one table. `rights`: permissions; `view`: permissions joined for row-level security in reports;
 * `stream`: moved by a connector.
 */
export const SyncedTable = z.object({
  Table: z.string(),
  Kind: z.enum(['version', 'helperTable', 'rights', 'view', 'stream']),
  Outcome: z.enum(['created', 'changed', 'unchanged', 'written']),
  Notice: z.string().nullable(),
})
export type SyncedTable = z.infer<typeof SyncedTable>

export const TableSync = z.object({
  AtUtc: time,
  By: z.string().nullable(),
  Place: z.string(),
  Tables: z.array(SyncedTable),
})
export type TableSync = z.infer<typeof TableSync>

const path = '/organisations/:clientId'

export const tableSync = {
  credentials: route({
    method: 'GET',
    path: `${path}/database-credentials`,
    summary: 'The database of the organisation’s own tables, without the password.',
    allow: 'configureTables',
    ...ofClient,
    reply: DatabaseCredentials,
  }),
  saveCredentials: route({
    method: 'POST',
    path: `${path}/database-credentials`,
    summary:
      'Say where the organisation’s own tables are kept. A change of host, user or encryption asks for the password again.',
    allow: 'configureTables',
    ...ofClient,
    needsFreshProof: true,
    body: TableSyncCredentials,
    reply: DatabaseCredentials,
    faults: ['settingsWrong', 'secretNeeded'],
  }),
  checkCredentials: route({
    method: 'POST',
    path: `${path}/database-credentials/check`,
    summary: 'Test credentials before they are saved: reachable, login, schema, tables.',
    allow: 'configureTables',
    ...ofClient,
    body: TableSyncCredentials,
    reply: z.array(CheckResult.omit({ Side: true })),
    faults: ['settingsWrong', 'secretNeeded', 'tooMany'],
  }),
  synchronise: route({
    method: 'GET',
    path: `${path}/database-table-sync`,
    tokenScopes: ['administer'],
    summary:
      'Create and widen the tables in the organisation’s database, write the permissions, and return the changes. Idempotent.',
    allow: 'configureTables',
    ...ofClient,
    changes: true,
    reply: TableSync,
    faults: ['settingsWrong', 'syncUnderWay', 'tooMany'],
  }),
  latest: route({
    method: 'GET',
    path: `${path}/table-synchronisation`,
    tokenScopes: ['administer'],
    summary: 'What the latest synchronisation did; null before the first.',
    allow: 'configureTables',
    ...ofClient,
    reply: TableSync.nullable(),
  }),
} as const
