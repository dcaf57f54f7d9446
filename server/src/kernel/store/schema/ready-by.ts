/** The tables of *Ready by*: wishes, planned starts and outcomes. */
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
    runId: string | null
    obstacle: string | null
    notice: string | null
    limitKey: string | null
    calls: number | null
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

  runLoad: {
    quarter: number
    runs: number
    weeks: number
    beganAt: TimeColumn
    sampled: number
    samples: number
    sampledAt: TimeColumn
  }

  workerCapacity: {
    worker: string
    memoryMb: number
    seenAt: TimeColumnWithDefault
  }
}
