/** The PostgreSQL servers that hold the organisations' warehouses, which the provider registers. */
import * as z from 'zod'
import { Id } from './id.ts'
import { Named } from './named.ts'
import { ofClient } from './route-parts.ts'
import { route } from './route.ts'

const time = z.iso.datetime()

export const dataServerLimits = { nameMax: 100, regionMax: 60, hostMax: 253, certificateMax: 20_000 } as const

const tls = z.enum(['off', 'on', 'verified'])

/** A server. The address of the default one comes from the settings, so `User` and `Database` are null. */
export const DataServer = z.object({
  Id: z.uuid(),
  Name: z.string(),
  Region: z.string().nullable(),
  IsDefault: z.boolean(),
  Host: z.string(),
  Port: z.number().int(),
  Database: z.string().nullable(),
  User: z.string().nullable(),
  /** `on`: encrypted. `verified`: encrypted, and the certificate is checked. */
  Tls: tls,
  CaCertificate: z.string().nullable(),
  /** Where reporting tools connect; null if it is `Host` and `Port`. */
  ReaderHost: z.string().nullable(),
  ReaderPort: z.number().int().nullable(),
  AcceptsNew: z.boolean(),
  /** Null: not limited. */
  DatabasesMax: z.number().int().nullable(),
  SizeMaxBytes: z.number().int().nullable(),
  /** The warehouses on it. */
  Databases: z.number().int(),
  /** Of all its databases; null until it has been checked. */
  SizeBytes: z.number().int().nullable(),
  CheckedAtUtc: time.nullable(),
  /** Null while it answers. */
  UnreachableSinceUtc: time.nullable(),
})
export type DataServer = z.infer<typeof DataServer>

/** What the test of a server has found. */
export const DataServerCheck = z.object({
  IsReady: z.boolean(),
  /** Such as `18.1`; null if it does not answer. */
  Version: z.string().nullable(),
  /** What is wrong and what to do, for people; empty if nothing is. */
  Problems: z.array(z.string()),
})

const organisationPath = '/tributary/clients/:clientId/data-server'

/**
 * COPYING: tables are copied while runs continue. HOLDING: runs wait, and the last changes are copied. VERIFYING: both copies are compared.
 * SWITCHED: the organisation is on the new server, and the old copy is closed. KEPT: the old copy waits to be dropped.
 */
const moveStates = ['COPYING', 'HOLDING', 'VERIFYING', 'SWITCHED', 'KEPT', 'DONE', 'FAILED', 'CANCELLED'] as const

export const WarehouseMove = z.object({
  Id: z.uuid(),
  State: z.enum(moveStates),
  FromServer: Named,
  ToServer: Named,
  /** Logins may read the old copy, which says since when it is stale, until it is dropped. */
  KeepsReadable: z.boolean(),
  TablesTotal: z.number().int(),
  TablesDone: z.number().int(),
  RowsCopied: z.number().int(),
  /** For people: why it failed, or is tried again. */
  Notice: z.string().nullable(),
  IsCancelling: z.boolean(),
  RequestedAtUtc: time,
  SwitchedAtUtc: time.nullable(),
  /** When the old copy is dropped. */
  DropAtUtc: time.nullable(),
  EndedAtUtc: time.nullable(),
})
export type WarehouseMove = z.infer<typeof WarehouseMove>

/** Where an organisation's warehouse is. */
export const Placement = z.object({
  /** Null until the organisation has a warehouse. */
  Server: z.object({ Id: z.uuid(), Name: z.string(), Region: z.string().nullable() }).nullable(),
  Database: z.string().nullable(),
  /** The region that the warehouse must be in; null for any. */
  RegionWish: z.string().nullable(),
  /** Where reporting tools connect; null until the organisation has a warehouse. */
  Host: z.string().nullable(),
  Port: z.number().int().nullable(),
  /** The host stays the same after a move. */
  HasStableHost: z.boolean(),
  /** The latest one. */
  Move: WarehouseMove.nullable(),
})
export type Placement = z.infer<typeof Placement>

const port = z.number().int().min(1).max(65_535)
const host = z.string().trim().min(1).max(dataServerLimits.hostMax)
const region = z.string().trim().min(1).max(dataServerLimits.regionMax)
const password = z.string().min(1).max(1_000)

/** How to sign in to a server. The default one is in the settings. */
const address = z.strictObject({
  host,
  port,
  database: z.string().trim().min(1).max(63),
  user: z.string().trim().min(1).max(63),
  tls,
  caCertificate: z.string().trim().max(dataServerLimits.certificateMax).nullable(),
  password,
})

const newServer = z.strictObject({
  name: z.string().trim().min(1).max(dataServerLimits.nameMax),
  region: region.nullable(),
  readerHost: host.nullable(),
  readerPort: port.nullable(),
  acceptsNew: z.boolean(),
  databasesMax: z.number().int().min(0).max(1_000_000).nullable(),
  sizeMaxBytes: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER).nullable(),
  address,
})

const path = '/admin/data-servers'
const forProvider = { allow: 'manageDataServers', scope: 'none' } as const
const params = z.strictObject({ serverId: Id })

export const dataServers = {
  list: route({
    method: 'GET',
    path,
    summary:
      'The servers that hold warehouses: the default one first, with what is used of each, and whether it answers.',
    ...forProvider,
    reply: z.array(DataServer),
    passive: true,
  }),
  create: route({
    method: 'POST',
    path,
    summary: 'Register a PostgreSQL server for warehouses. Refused unless it answers and its role has the rights.',
    ...forProvider,
    needsFreshProof: true,
    body: newServer,
    status: 201,
    reply: DataServer,
    faults: ['nameTaken', 'settingsWrong'],
  }),
  save: route({
    method: 'PUT',
    path: `${path}/:serverId`,
    summary: 'Change a server. The address of the default one comes from the settings and is left out.',
    ...forProvider,
    params,
    needsFreshProof: true,
    /** Without a password the stored one stays, if the address is the same. */
    body: newServer.extend({ address: address.extend({ password: password.optional() }).optional() }),
    reply: DataServer,
    faults: ['nameTaken', 'settingsWrong'],
  }),
  remove: route({
    method: 'DELETE',
    path: `${path}/:serverId`,
    summary: 'Remove a server that holds no warehouse. Nothing on the server itself changes.',
    ...forProvider,
    params,
    needsFreshProof: true,
    faults: ['settingsWrong'],
  }),
  check: route({
    method: 'POST',
    path: `${path}/:serverId/check`,
    summary: 'Test a server: does it answer, and may its role create databases and roles?',
    ...forProvider,
    params,
    reply: DataServerCheck,
  }),
  placement: route({
    method: 'GET',
    path: organisationPath,
    summary: 'On which server the organisation’s warehouse is.',
    allow: 'manageDataServers',
    ...ofClient,
    reply: Placement,
    passive: true,
  }),
  savePlacement: route({
    method: 'PUT',
    path: organisationPath,
    summary: 'Set the region that the organisation’s warehouse must be in. A warehouse that exists stays where it is.',
    allow: 'manageDataServers',
    ...ofClient,
    body: z.strictObject({ regionWish: region.nullable() }),
    reply: Placement,
  }),
  move: route({
    method: 'POST',
    path: `${organisationPath}/move`,
    summary: 'Move the organisation’s warehouse to another server while reports continue.',
    allow: 'manageDataServers',
    ...ofClient,
    needsFreshProof: true,
    /** `keepsReadable`: only without a stable host. */
    body: z.strictObject({ serverId: Id, keepsReadable: z.boolean() }),
    status: 202,
    reply: Placement,
    faults: ['settingsWrong'],
  }),
  cancelMove: route({
    method: 'POST',
    path: `${organisationPath}/move/cancel`,
    summary: 'Cancel the move before the switch. The warehouse stays where it is, and what was copied is dropped.',
    allow: 'manageDataServers',
    ...ofClient,
    reply: Placement,
    faults: ['settingsWrong'],
  }),
  dropOldCopy: route({
    method: 'POST',
    path: `${organisationPath}/move/drop-old-copy`,
    summary: 'Drop the old copy of a warehouse that has moved now, instead of a day after the switch.',
    allow: 'manageDataServers',
    ...ofClient,
    needsFreshProof: true,
    reply: Placement,
  }),
} as const
