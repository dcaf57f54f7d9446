/** The tables around connectors: licences, shares, streams, schema changes, incidents, alerts and their deliveries. */
import type { HistoryReason } from '@tributary/contract/history'
import type { Generated } from 'kysely'
import type {
  JsonColumn,
  JsonColumnWithDefault,
  NullableTimeColumn,
  TimeColumn,
  TimeColumnWithDefault,
} from './column-types.ts'

export interface ConnectorsSchema {
  connectorLicence: {
    organisationId: string
    connectorId: string
    licence: string
  }

  dailyCalls: {
    organisationId: string
    connectorId: string
    /** In UTC. */
    day: string
    /** The key of the rate limit, not a secret. '' before it was counted. */
    limitKey: Generated<string>
    /** '' for calls that belong to no stream. */
    stream: Generated<string>
    calls: number
    bytes: Generated<number>
  }

  hostApproval: {
    connectorId: string
    organisationId: string
    hosts: string[]
    description: string
    status: 'WAITING' | 'APPROVED' | 'REFUSED' | 'WITHDRAWN'
    approvedHosts: Generated<string[]>
    requestedBy: string | null
    requestedAt: TimeColumn
    decidedBy: string | null
    decidedAt: NullableTimeColumn
    reason: string | null
    isMailed: Generated<boolean>
  }

  organisationSummary: {
    organisationId: string
    failing: number
    late: number
    nearLimit: number
    neverConnected: boolean
    rows: number
    /** From 0 to 1, or more. */
    callShare: number
    summarisedAt: TimeColumnWithDefault
  }

  workbenchDescription: {
    id: Generated<string>
    name: string
    text: string
    revision: Generated<number>
    changedAt: TimeColumnWithDefault
    changedBy: string | null
  }

  connectorShare: {
    organisationId: string
    connectorId: string
    guestId: string
  }

  connectorStream: {
    organisationId: string
    connectorId: string
    name: string
    tableName: string
    licence: string
    reads: 'since' | 'whole'
    why: string | null
    /** `RenamedColumn`s. */
    renamed: JsonColumnWithDefault
    /** `StoredTable`s of `access/dictionary/stored-structure.ts`. */
    structure: JsonColumnWithDefault
    /** `TableHistory`s of the engine. */
    histories: JsonColumnWithDefault
    /** `TableSize`s of the engine; empty if its last run could not measure them. */
    sizes: JsonColumnWithDefault
    keepsHistory: Generated<boolean>
    rows: number | null
    freshAt: NullableTimeColumn
    runId: string | null
    fault: string | null
  }

  historyReason: {
    organisationId: string
    connectorId: string
    reason: HistoryReason
    /** Null: all. */
    streams: string[] | null
    changedBy: string | null
    changedAt: TimeColumnWithDefault
  }

  historyRetention: {
    organisationId: string
    connectorId: string
    stream: string
    days: number
  }

  tableRule: {
    organisationId: string
    connectorId: string
    stream: string
    /** `RowCondition`s of the engine. */
    conditions: JsonColumn
    /** `ColumnMask`s of the engine. */
    masks: JsonColumn
    changedBy: string
    changedAt: TimeColumnWithDefault
  }

  maskingSecret: {
    organisationId: string
    /** Encrypted. */
    secret: string
    createdAt: TimeColumnWithDefault
  }

  dictionaryWords: {
    organisationId: string
    connectorId: string
    tableName: string
    /** Empty: about the table itself. */
    columnName: Generated<string>
    words: string
    changedAt: TimeColumnWithDefault
  }

  schemaChange: {
    id: Generated<string>
    organisationId: string
    connectorId: string
    runId: string | null
    stream: string
    tableName: string
    columnName: string | null
    before: string | null
    after: string
    status: 'APPLIED' | 'PENDING' | 'ACCEPTED' | 'REJECTED'
    foundAt: TimeColumnWithDefault
    decidedAt: NullableTimeColumn
    decidedBy: string | null
  }

  incident: {
    id: Generated<string>
    organisationId: string
    /** Either a connector or a publication action. */
    connectorId: string | null
    actionId: string | null
    runId: string | null
    kind: string
    notice: string
    openedAt: TimeColumnWithDefault
    closedAt: NullableTimeColumn
    recordsAlerts: Generated<boolean>
  }

  alertChannel: {
    id: Generated<string>
    organisationId: string
    userId: string | null
    service: 'slack' | 'teams' | 'webhook' | null
    name: Generated<string>
    origin: Generated<string>
    address: string | null
    signingSecret: string | null
    kinds: string[] | null
    connectorIds: string[] | null
    frequency: 'immediately' | 'daily' | 'never'
    hour: number
    timeZone: string | null
    failingSince: NullableTimeColumn
    failureMailedAt: NullableTimeColumn
    createdAt: TimeColumnWithDefault
  }

  alert: {
    id: Generated<string>
    organisationId: string
    incidentId: string
    event: 'opened' | 'recovered'
    channelId: string | null
    userId: string | null
    createdAt: TimeColumnWithDefault
    sentAt: NullableTimeColumn
  }

  alertDelivery: {
    id: Generated<string>
    organisationId: string
    channelId: string
    incidentId: string | null
    event: 'opened' | 'recovered' | 'digest'
    body: string
    attempts: Generated<number>
    dueAt: NullableTimeColumn
    deliveredAt: NullableTimeColumn
    failedAt: NullableTimeColumn
    notice: string | null
    createdAt: TimeColumnWithDefault
  }

  webhookDelivery: {
    id: Generated<string>
    organisationId: string
    incidentId: string
    event: 'opened' | 'recovered'
    body: string
    attempts: Generated<number>
    dueAt: NullableTimeColumn
    deliveredAt: NullableTimeColumn
    failedAt: NullableTimeColumn
    notice: string | null
    createdAt: TimeColumnWithDefault
  }
}
