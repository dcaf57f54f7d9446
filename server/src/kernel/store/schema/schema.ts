/** The tables of the store, as the migrations leave them. Names are camelCase here and snake_case in SQL. */
import type { StreamPhase } from '@tributary/engine/sync/progress'
import type { GeneratedAlways, Generated } from 'kysely'
import type { AccountingSchema } from './accounting.ts'
import type { AuditSchema } from './audit.ts'
import type { BackupSchema } from './backup.ts'
import type { JsonColumn, TimeColumn, NullableTimeColumn, TimeColumnWithDefault } from './column-types.ts'
import type { ConnectorsSchema } from './connectors.ts'
import type { PlanningSchema } from './planning.ts'
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
  createdAt: TimeColumnWithDefault
  archivedAt: NullableTimeColumn
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
  createdAt: TimeColumnWithDefault
  requiresMfa: Generated<boolean>
  msOid: string | null
  isProven: Generated<boolean>
  lastSignInAt: NullableTimeColumn
  failedSignIns: Generated<number>
  passwordIsTemporary: Generated<boolean>
  erasedNumber: number | null
  erasedAt: NullableTimeColumn
}

interface MembershipTable {
  organisationId: string
  userId: string
  roleId: string
  createdAt: TimeColumnWithDefault
  allHelperTables: Generated<boolean>
  allEntities: Generated<boolean>
}

interface SessionTable {
  id: Generated<string>
  userId: string
  organisationId: string | null
  createdAt: TimeColumnWithDefault
  lastActiveAt: TimeColumnWithDefault
  refreshHash: Buffer
  signingKeyId: string | null
  formerHash: Buffer | null
  rotatedAt: TimeColumnWithDefault
  endedAt: NullableTimeColumn
  endedBecause: string | null
  address: string | null
  deviceName: string | null
  hasMfa: Generated<boolean>
}

interface ThrottleTable {
  key: Buffer
  attempts: number
  since: TimeColumn
  blockedUntil: NullableTimeColumn
}

interface SourcePaceTable {
  key: string
  /** A `PermitLedger`. */
  ledger: JsonColumn
  changedAt: TimeColumnWithDefault
}

interface SetupCodeTable {
  hash: Buffer
  expiresAt: TimeColumn
}

interface DataKeyTable {
  id: Generated<string>
  organisationId: string | null
  masterVersion: number
  wrapped: string
  createdAt: TimeColumnWithDefault
  retiredAt: NullableTimeColumn
}

interface ServerKeyTable {
  id: string
  sequence: GeneratedAlways<number>
  root: 'signing' | 'pepper'
  masterVersion: number
  wrapped: string
  createdAt: TimeColumnWithDefault
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
  nextRunAt: NullableTimeColumn
  fence: Generated<number>
  schemaPolicy: Generated<'take' | 'ask' | 'stop'>
  targetDownSince: NullableTimeColumn
  targetProbeAt: NullableTimeColumn
  alertUsers: string[] | null
  webhookUrl: string | null
  webhookSecret: string | null
  createdAt: TimeColumnWithDefault
}

interface ConnectorPropertyTable {
  organisationId: string
  connectorId: string
  name: string
  value: JsonColumn
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
  readFrom: NullableTimeColumn
  remedy: string | null
  queuedAt: TimeColumnWithDefault
  startedAt: NullableTimeColumn
  completedAt: NullableTimeColumn
  retryAt: NullableTimeColumn
  attempt: Generated<number>
  fence: number | null
  worker: string | null
  heartbeatAt: NullableTimeColumn
  cancelRequestedAt: NullableTimeColumn
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
  at: TimeColumnWithDefault
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
  row: JsonColumn
}

interface WarehouseTable {
  organisationId: string
  databaseName: string
  writerName: string
  readerName: string
  writerSecret: string
  readerPasswordSetAt: NullableTimeColumn
  readerVerifier: string | null
  readerSeenAt: NullableTimeColumn
  readerSeenAddress: string | null
  readerSeenProgram: string | null
  createdAt: TimeColumnWithDefault
}

export interface StoreSchema
  extends AuditSchema, IdentitySchema, PlanningSchema, ConnectorsSchema, AccountingSchema, LoadsSchema, BackupSchema {
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
