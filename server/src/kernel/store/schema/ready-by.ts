/** The tables of *Ready by*: wishes, planned starts and outcomes. */
import type { Generated } from 'kysely'
import type { NullableTimeColumn, TimeColumn, TimeColumnWithDefault } from './column-types.ts'

export interface ReadyBySchema {
  readyByWish: {
    organisationId: string
    connectorId: string | null
    isOn: boolean
    minute: number
    days: number[]
    maxAgeHours: number
    changedAt: TimeColumnWithDefault
  }

  readyByPlan: {
    connectorId: string
    organisationId: string
    planAt: NullableTimeColumn
    dueAt: NullableTimeColumn
    earliestAt: NullableTimeColumn
    startAt: NullableTimeColumn
    endAt: NullableTimeColumn
    startedAt: NullableTimeColumn
    runId: Generated<string | null>
    obstacle: Generated<string | null>
    notice: Generated<string | null>
    limitKey: Generated<string | null>
    calls: Generated<number | null>
    lastDueAt: NullableTimeColumn
    createdAt: TimeColumnWithDefault
  }

  readyByOutcome: {
    organisationId: string
    connectorId: string
    dueAt: TimeColumn
    earliestAt: TimeColumn
    isKept: boolean
    readyAt: NullableTimeColumn
    reason: string | null
    notice: string | null
    runId: string | null
    at: TimeColumnWithDefault
  }

  workerCapacity: {
    worker: string
    memoryMb: number
    seenAt: TimeColumnWithDefault
  }
}
