/** The tables of warehouses and their logins. */
import type { Generated, GeneratedAlways } from 'kysely'
import type { NullableTimeColumn, TimeColumn, TimeColumnWithDefault } from './column-types.ts'

export interface WarehouseSchema {
  warehouse: {
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
    readerDisabledAt: NullableTimeColumn
    createdAt: TimeColumnWithDefault
    serverId: Generated<string>
    /** Since when nothing may write to it, because it is about to continue on another server. */
    writersHeldAt: NullableTimeColumn
  }

  /** A PostgreSQL server that holds warehouses. Those of the default one have no address: the settings have it. */
  warehouseServer: {
    id: Generated<string>
    name: string
    region: string | null
    isDefault: Generated<boolean>
    host: string | null
    port: number | null
    databaseName: string | null
    userName: string | null
    /** Encrypted. */
    password: string | null
    tls: Generated<'off' | 'on' | 'verified'>
    caCertificate: string | null
    /** Where reporting tools connect, if it is not `host` and `port`. */
    readerHost: string | null
    readerPort: number | null
    acceptsNew: Generated<boolean>
    databasesMax: number | null
    sizeMaxBytes: number | null
    checkedAt: NullableTimeColumn
    sizeBytes: number | null
    unreachableSince: NullableTimeColumn
    createdAt: TimeColumnWithDefault
  }

  /** The move of a warehouse to another server. */
  warehouseMove: {
    id: Generated<string>
    organisationId: string
    fromServer: string
    toServer: string
    state: Generated<'COPYING' | 'HOLDING' | 'VERIFYING' | 'SWITCHED' | 'KEPT' | 'DONE' | 'FAILED' | 'CANCELLED'>
    keepsReadable: Generated<boolean>
    fence: Generated<number>
    heartbeatAt: NullableTimeColumn
    retryAt: NullableTimeColumn
    cancelRequestedAt: NullableTimeColumn
    notice: string | null
    tablesTotal: Generated<number>
    tablesDone: Generated<number>
    rowsCopied: Generated<number>
    requestedAt: TimeColumn
    heldAt: NullableTimeColumn
    switchedAt: NullableTimeColumn
    dropAt: NullableTimeColumn
    endedAt: NullableTimeColumn
  }

  /** A person who reads the warehouse with roles of their own. */
  warehousePrincipal: {
    /** Twelve hexadecimal digits, with which the names of the roles end. */
    id: string
    organisationId: string
    userId: string
    /** Encrypted. */
    portalSecret: string
    portalVerifier: string
    /** Null: the person has no SQL login. */
    sqlVerifier: string | null
    sqlCreatedAt: NullableTimeColumn
    /** Encrypted. Null: no assistant has read for the person yet. */
    assistantSecret: string | null
    assistantVerifier: string | null
    seenAt: NullableTimeColumn
    seenAddress: string | null
    seenProgram: string | null
    createdAt: TimeColumnWithDefault
  }

  /** The types of sources on which an organisation has decided whether assistants may read their tables. */
  assistantSource: {
    organisationId: string
    sourceType: string
    allowed: boolean
    acceptedTerms: string | null
    changedBy: string
    changedAt: TimeColumnWithDefault
  }

  /** Changes after which the rights in the warehouse must be computed again. */
  accessChange: {
    id: GeneratedAlways<number>
    organisationId: string
  }
}
