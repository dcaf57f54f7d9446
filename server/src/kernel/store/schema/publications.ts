/** The tables of publications. */
import type { Generated } from 'kysely'
import type { NullableTimeColumn, TimeColumnWithDefault } from './column-types.ts'

export interface PublicationsSchema {
  publicationSet: {
    id: string
    organisationId: string
    name: string
    kind: 'warehouse' | 'postgres' | 'mysql' | 'sqlserver'
    isOn: boolean
    tieOut: 'green' | 'amber' | 'any'
    verifiedWithinDays: number | null
    incidentAfterHours: number | null
    lastNumber: Generated<number>
    staysSince: NullableTimeColumn
    notice: string | null
    decidedAt: NullableTimeColumn
    changedBy: string
    changedAt: TimeColumnWithDefault
  }

  publicationMember: {
    organisationId: string
    setId: string
    connectorId: string
    heldBecause: string | null
    heldSince: NullableTimeColumn
  }

  publicationOffer: {
    runId: string
    organisationId: string
    connectorId: string
    setId: string
    moment: string | null
    notice: string | null
    offeredAt: TimeColumnWithDefault
  }

  publication: {
    organisationId: string
    setId: string
    number: number
    decidedAt: TimeColumnWithDefault
    publishedAt: NullableTimeColumn
    notice: string | null
  }

  publicationRun: {
    organisationId: string
    setId: string
    number: number
    connectorId: string
    runId: string
    moment: string
    tieOut: 'green' | 'amber' | 'red' | null
    tables: number
    verifiedTables: number
    verifiedSince: NullableTimeColumn
  }
}
