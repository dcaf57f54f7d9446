/** The tables of the store, as the migrations leave them. Names are camelCase here and snake_case in SQL. */
import type { StreamPhase } from '@tributary/engine/sync/progress'
import type { GeneratedAlways, Generated } from 'kysely'
import type { AccountingSchema } from './accounting.ts'
import type { AuditSchema } from './audit.ts'
import type { BackupSchema } from './backup.ts'
import type { Json, Time, TimeOrNull, TimeWithDefault } from './column-types.ts'
import type { ConnectorsSchema } from './connectors.ts'
import type { ExcelSchema } from './planning.ts'
import type { IdentitySchema } from './identity.ts'
import type { LoadsSchema } from './loads.ts'

interface RoleTable {
  id: string
  name: string
  displayName: string
  roleLevel: number
}

interface StatusTable {
  id: string
  name: string
}

interface OrganisationTable {
  id: Generated<string>
  companyName: string
  key: string
  timeZone: Generated<string>
  createdAt: TimeWithDefault
  archivedAt: TimeOrNull
  requiresMfa: Generated<boolean>
}

interface PortalUserTable {
  id: Generated<string>
  firstName: string
  lastName: string
  emailAddress: string
  passwordHash: string | null
  providerRoleId: string | null
  statusId: Generated<string>
  createdAt: TimeWithDefault
  requiresMfa: Generated<boolean>
  msOid: string | null
  isProven: Generated<boolean>
  lastSignInAt: TimeOrNull
  failedSignIns: Generated<number>
  passwordIsTemporary: Generated<boolean>
  erasedNumber: number | null
  erasedAt: TimeOrNull
}

interface MembershipTable {
  organisationId: string
  userId: string
  roleId: string
  createdAt: TimeWithDefault
  allHelperTables: Generated<boolean>
  allEntities: Generated<boolean>
}

interface SessionTable {
  id: Generated<string>
  userId: string
  organisationId: string | null
  createdAt: TimeWithDefault
  lastActiveAt: TimeWithDefault
  refreshHash: Buffer
  signingKeyId: string | null
  formerHash: Buffer | null
  rotatedAt: TimeWithDefault
  endedAt: TimeOrNull
  endedBecause: string | null
  address: string | null
  deviceName: string | null
  hasMfa: Generated<boolean>
}

interface ThrottleTable {
  key: Buffer
  attempts: number
  since: Time
  blockedUntil: TimeOrNull
}

interface SourcePaceTable {
  key: string
  /** A `PermitLedger`. */
  ledger: Json
  changedAt: TimeWithDefault
}

interface SetupCodeTable {
  hash: Buffer
  expiresAt: Time
}

interface DataKeyTable {
  id: Generated<string>
  organisationId: string | null
  masterVersion: number
  wrapped: string
  createdAt: TimeWithDefault
  retiredAt: TimeOrNull
}

interface ServerKeyTable {
  id: string
  sequence: GeneratedAlways<number>
  root: 'signing' | 'pepper'
  masterVersion: number
  wrapped: string
  createdAt: TimeWithDefault
}

interface ConnectorTable {
  id: Generated<string>
  organisationId: string
  key: string
  type: string
  name: string
  originalName: string
  status: Generated<'CONNECTED' | 'DISCONNECTED' | 'DELETED'>
  schedule: string | null
  nextRunAt: TimeOrNull
  fence: Generated<number>
  schemaPolicy: Generated<'take' | 'ask' | 'stop'>
  targetDownSince: TimeOrNull
  targetProbeAt: TimeOrNull
  alertUsers: string[] | null
  webhookUrl: string | null
  webhookSecret: string | null
  createdAt: TimeWithDefault
}

interface ConnectorPropertyTable {
  organisationId: string
  connectorId: string
  name: string
  value: Json
}

interface ConnectorUserTable {
  organisationId: string
  connectorId: string
  userId: string
}

interface RunTable {
  id: Generated<string>
  organisationId: string
  connectorId: string
  status: Generated<'QUEUED' | 'RUNNING' | 'WAITING' | 'COMPLETED' | 'FAILED' | 'CANCELLED'>
  mode: 'incremental' | 'full'
  trigger: 'person' | 'schedule'
  triggeredBy: string | null
  onlyStreams: string[] | null
  readFrom: TimeOrNull
  remedy: string | null
  queuedAt: TimeWithDefault
  startedAt: TimeOrNull
  completedAt: TimeOrNull
  retryAt: TimeOrNull
  attempt: Generated<number>
  fence: number | null
  worker: string | null
  heartbeatAt: TimeOrNull
  cancelRequestedAt: TimeOrNull
  cancelledBy: string | null
  faultKind: 'settings' | 'signIn' | 'busy' | 'passing' | 'data' | 'bug' | null
  faultCode: string | null
  notice: string | null
  rowsRead: Generated<number>
  rowsWritten: Generated<number>
  rowsUpdated: Generated<number>
  rowsDeleted: Generated<number>
  rowsRejected: Generated<number>
}

interface RunStreamTable {
  organisationId: string
  runId: string
  name: string
  ordinal: number
  tableName: string
  phase: StreamPhase
  rowsRead: Generated<number>
  rowsWritten: Generated<number>
  rowsUpdated: Generated<number>
  rowsDeleted: Generated<number>
  rowsRejected: Generated<number>
  rowsEstimate: number | null
  notice: string | null
}

interface RunLineTable {
  id: GeneratedAlways<number>
  organisationId: string
  runId: string
  at: TimeWithDefault
  level: 'info' | 'warn' | 'error'
  text: string
}

interface RunRejectedTable {
  id: GeneratedAlways<number>
  organisationId: string
  runId: string
  tableName: string
  columnName: string | null
  reason: string
  row: Json
}

interface WarehouseTable {
  organisationId: string
  databaseName: string
  writerName: string
  readerName: string
  writerSecret: string
  readerPasswordSetAt: TimeOrNull
  readerVerifier: string | null
  readerSeenAt: TimeOrNull
  readerSeenAddress: string | null
  readerSeenProgram: string | null
  createdAt: TimeWithDefault
}

export interface Schema
  extends AuditSchema, IdentitySchema, ExcelSchema, ConnectorsSchema, AccountingSchema, LoadsSchema, BackupSchema {
  role: RoleTable
  status: StatusTable
  organisation: OrganisationTable
  portalUser: PortalUserTable
  membership: MembershipTable
  session: SessionTable
  throttle: ThrottleTable
  sourcePace: SourcePaceTable
  setupCode: SetupCodeTable
  dataKey: DataKeyTable
  serverKey: ServerKeyTable
  connector: ConnectorTable
  connectorProperty: ConnectorPropertyTable
  connectorUser: ConnectorUserTable
  run: RunTable
  runStream: RunStreamTable
  runLine: RunLineTable
  runRejected: RunRejectedTable
  warehouse: WarehouseTable
}
