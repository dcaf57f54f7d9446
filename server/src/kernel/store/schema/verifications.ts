/** The tables of verifications: the latest of each stream, verdicts by run, and rows that differ. */
import type { GeneratedAlways, Generated } from 'kysely'
import type { JsonColumn, NullableTimeColumn, TimeColumn, TimeColumnWithDefault } from './column-types.ts'

export interface VerificationsSchema {
  streamVerification: {
    organisationId: string
    connectorId: string
    stream: string
    outcome: 'identical' | 'different' | 'pending' | 'notProvable' | 'failed' | null
    method: 'checksums' | 'sample'
    checkedAt: NullableTimeColumn
    rows: Generated<number>
    newerRows: Generated<number>
    streamedColumns: Generated<string[]>
    openDifferences: Generated<number>
    repaired: Generated<number>
    notice: string | null
    runId: string
    provenAt: NullableTimeColumn
    cursor: string | null
    passBeganAt: NullableTimeColumn
    passRows: Generated<number>
    passNewerRows: Generated<number>
    passDifferences: Generated<number>
    passRepaired: Generated<number>
    changedAt: TimeColumnWithDefault
  }

  verificationVerdict: {
    organisationId: string
    connectorId: string
    runId: string
    stream: string
    tableName: string
    outcome: 'identical' | 'different' | 'pending' | 'unfinished' | 'notProvable' | 'failed'
    method: 'checksums' | 'sample'
    checkedAt: TimeColumn
    rows: number
    differences: number
    repaired: number
    notice: string | null
    at: TimeColumnWithDefault
  }

  rowDifference: {
    id: GeneratedAlways<number>
    organisationId: string
    connectorId: string
    runId: string
    stream: string
    tableName: string
    key: JsonColumn
    kind: 'missing' | 'additional' | 'different' | 'doubled'
    columns: JsonColumn
    cause: 'stampNotMoved' | 'writtenAtTarget' | 'rejected' | 'changedSince' | 'unknown'
    isRepaired: boolean
    foundAt: TimeColumnWithDefault
  }
}
