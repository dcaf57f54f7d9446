/** The tables of closed periods, of marks "as reported", and of erasures in history. */
import type { Generated } from 'kysely'
import type { JsonColumn, NullableTimeColumn, TimeColumnWithDefault } from './column-types.ts'

export interface TrustSchema {
  closedPeriod: {
    connectorId: string
    organisationId: string
    isOn: boolean
    administratorDate: string | null
    stream: string | null
    dateColumn: string | null
    numberColumn: string | null
    accountColumn: string | null
    amountColumn: string | null
    changedBy: string
    changedAt: TimeColumnWithDefault
    examinedUpTo: string | null
    examinedFrom: string | null
    examinedSince: string | null
    examinedBy: string | null
    periodLockDate: string | null
    yearEndLockDate: string | null
    closedThrough: string | null
    closedThroughBefore: string | null
    notice: string | null
    fault: string | null
  }

  reportMark: {
    id: Generated<string>
    organisationId: string
    connectorId: string
    name: string
    slug: string
    periodEnd: string
    moment: string
    runId: string
    createdBy: string
    createdAt: TimeColumnWithDefault
    views: Generated<string[]>
    notice: string | null
    supersededAt: NullableTimeColumn
    supersededBy: string | null
    reason: string | null
  }

  historyErasure: {
    id: Generated<string>
    organisationId: string
    connectorId: string
    runId: string
    tableName: string
    columnName: string
    searches: JsonColumn
    requestedBy: string
    requestedAt: TimeColumnWithDefault
    found: JsonColumn | null
    completedAt: NullableTimeColumn
  }

  historyErasureSearch: {
    erasureId: string
    organisationId: string
    value: string
    createdAt: TimeColumnWithDefault
  }

  closedPeriodDate: {
    runId: string
    organisationId: string
    connectorId: string
    dateBefore: string | null
    dateAfter: string | null
    seenAt: TimeColumnWithDefault
  }

  closedPeriodChange: {
    id: Generated<string>
    organisationId: string
    connectorId: string
    runId: string
    change: 'added' | 'changed' | 'voided' | 'deleted'
    kind: string
    documentId: string
    documentNumber: string | null
    periods: string[]
    /** `DocumentState`s of the engine. */
    before: JsonColumn | null
    after: JsonColumn | null
    moved: JsonColumn
    closedThrough: string
    changedAt: NullableTimeColumn
    seenAt: TimeColumnWithDefault
    address: string | null
    acknowledgedAt: NullableTimeColumn
    acknowledgedBy: string | null
    reason: string | null
  }
}
