/** The tables of queries that people write. */
import type { Generated } from 'kysely'
import type { JsonColumn, TimeColumn, TimeColumnWithDefault } from './column-types.ts'

export interface QueriesSchema {
  savedQuery: {
    id: Generated<string>
    organisationId: string
    /** Its owner. */
    userId: string
    /** Null: the warehouse. */
    connectorId: string | null
    name: string
    statement: string
    /** A `QueryChart`. */
    chart: JsonColumn | null
    isShared: boolean
    createdAt: TimeColumnWithDefault
    updatedAt: TimeColumnWithDefault
  }

  queryRun: {
    id: Generated<string>
    organisationId: string
    userId: string
    /** Null: the warehouse. */
    connectorId: string | null
    statement: string
    startedAt: TimeColumn
    durationMs: number
    rows: number
    outcome: 'completed' | 'limited' | 'refused' | 'cancelled'
  }

  readingLogin: {
    organisationId: string
    connectorId: string
    userName: string
    /** Encrypted. */
    password: string
    /** The address of the target for which it was entered. */
    address: string
    savedBy: string
    savedAt: TimeColumnWithDefault
  }
}
