/** The tables of the store, as the migrations leave them. Names are camelCase here and snake_case in SQL. */
import type { StreamPhase } from '@tributary/engine/sync/progress'
import type { GeneratedAlways, Generated } from 'kysely'
import type { AccountingSchema } from './accounting.ts'
import type { AuditSchema } from './audit.ts'
import type { AuditorRoomsSchema } from './auditor-rooms.ts'
import type { BackupSchema } from './backup.ts'
import type { CertificatesSchema } from './certificates.ts'
import type {
  JsonColumn,
  JsonColumnWithDefault,
  TimeColumn,
  NullableTimeColumn,
  TimeColumnWithDefault,
} from './column-types.ts'
import type { ConnectorsSchema } from './connectors.ts'
import type { PlanningSchema } from './planning.ts'
import type { IdentitySchema } from './identity.ts'
import type { LoadsSchema } from './loads.ts'
import type { OauthSchema } from './oauth.ts'
import type { PublicationActionsSchema } from './publication-actions.ts'
import type { PublicationsSchema } from './publications.ts'
import type { QueriesSchema } from './queries.ts'
import type { RunQueueSchema } from './run-queue.ts'
import type { ReadyBySchema } from './ready-by.ts'
import type { TrustSchema } from './trust.ts'
import type { VerificationsSchema } from './verifications.ts'
import type { WarehouseSchema } from './warehouse.ts'

interface RowCounts {
  rowsRead: Generated<number>
  rowsWritten: Generated<number>
  rowsUpdated: Generated<number>
  rowsDeleted: Generated<number>
  rowsRejected: Generated<number>
}

export interface StoreSchema
  extends
    AuditSchema,
    AuditorRoomsSchema,
    IdentitySchema,
    PlanningSchema,
    ConnectorsSchema,
    AccountingSchema,
    LoadsSchema,
    BackupSchema,
    CertificatesSchema,
    WarehouseSchema,
    OauthSchema,
    QueriesSchema,
    VerificationsSchema,
    PublicationActionsSchema,
    PublicationsSchema,
    RunQueueSchema,
    ReadyBySchema,
    TrustSchema {
  role: {
    id: string
    name: string
    displayName: string
    roleLevel: number
  }

  status: {
    id: string
    name: string
  }

  organisation: {
    id: Generated<string>
    companyName: string
    /** The region that the warehouse must be in. Null: any. */
    dataRegion: string | null
    key: string
    timeZone: Generated<string>
    createdAt: TimeColumnWithDefault
    archivedAt: NullableTimeColumn
    requiresMfa: Generated<boolean>
    /** `ChecklistName`s. */
    dismissedChecklists: Generated<string[]>
    allowsTokens: Generated<boolean>
    allowsAssistants: Generated<boolean>
  }

  portalUser: {
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
    locale: string | null
    timeZone: string | null
    keyboardShortcuts: Generated<boolean>
    density: Generated<'comfortable' | 'compact'>
    tableColumns: JsonColumnWithDefault<Readonly<Record<string, string[]>>>
    erasedNumber: number | null
    erasedAt: NullableTimeColumn
    isService: Generated<boolean>
  }

  membership: {
    organisationId: string
    userId: string
    roleId: string
    createdAt: TimeColumnWithDefault
    /** Null: without an end. Otherwise the membership of an auditor room. */
    expiresAt: NullableTimeColumn
    allHelperTables: Generated<boolean>
    allEntities: Generated<boolean>
  }

  session: {
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

  throttle: {
    key: Buffer
    attempts: number
    since: TimeColumn
    blockedUntil: NullableTimeColumn
  }

  sourcePace: {
    key: string
    /** A `PermitLedger`. */
    ledger: JsonColumn
    changedAt: TimeColumnWithDefault
  }

  setupCode: {
    hash: Buffer
    expiresAt: TimeColumn
  }

  dataKey: {
    id: Generated<string>
    organisationId: string | null
    masterVersion: number
    wrapped: string
    createdAt: TimeColumnWithDefault
    retiredAt: NullableTimeColumn
  }

  serverKey: {
    id: string
    sequence: GeneratedAlways<number>
    root: 'signing' | 'pepper'
    masterVersion: number
    wrapped: string
    createdAt: TimeColumnWithDefault
  }

  connector: {
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
    verifySchedule: Generated<string | null>
    verifyNextAt: NullableTimeColumn
    maintainNextAt: NullableTimeColumn
    verifySeconds: Generated<number>
    verifySince: TimeColumnWithDefault
    awaitsApproval: Generated<boolean>
    createdAt: TimeColumnWithDefault
  }

  connectorProperty: {
    organisationId: string
    connectorId: string
    name: string
    value: JsonColumn
  }

  connectorUser: {
    organisationId: string
    connectorId: string
    userId: string
  }

  run: RowCounts & {
    id: Generated<string>
    organisationId: string
    connectorId: string
    status: Generated<'QUEUED' | 'RUNNING' | 'WAITING' | 'COMPLETED' | 'FAILED' | 'CANCELLED'>
    mode: 'incremental' | 'full' | 'verify' | 'repair' | 'erase' | 'maintain'
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
    verifyingSince: NullableTimeColumn
    cancelRequestedAt: NullableTimeColumn
    cancelledBy: string | null
    faultKind: 'settings' | 'signIn' | 'busy' | 'passing' | 'data' | 'bug' | null
    faultCode: string | null
    notice: string | null
    /** What the worker set aside for the run, in MB; null until it was claimed. */
    memoryMb: number | null
    /** The megabyte seconds that its organisation was charged. */
    charge: number | null
  }

  runStream: RowCounts & {
    organisationId: string
    runId: string
    name: string
    ordinal: number
    tableName: string
    phase: StreamPhase
    rowsEstimate: number | null
    notice: string | null
  }

  runLine: {
    id: GeneratedAlways<number>
    organisationId: string
    runId: string
    at: TimeColumnWithDefault
    level: 'info' | 'warn' | 'error'
    text: string
  }

  runRejected: {
    id: GeneratedAlways<number>
    organisationId: string
    runId: string
    tableName: string
    columnName: string | null
    reason: string
    row: JsonColumn
  }
}
