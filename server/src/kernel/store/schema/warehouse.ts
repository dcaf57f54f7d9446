/** The tables of warehouses and their logins. */
import type { GeneratedAlways } from 'kysely'
import type { NullableTimeColumn, TimeColumnWithDefault } from './column-types.ts'

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
