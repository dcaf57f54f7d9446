/** What runs need, the shares of organisations, and the order in which they are served. */
import type { Generated } from 'kysely'
import type { TimeColumnWithDefault, NullableTimeColumn } from './column-types.ts'

export interface RunQueueSchema {
  runNeed: {
    organisationId: string
    connectorId: string
    mode: string
    rows: number
    memoryMb: number
    seconds: number
    measuredAt: TimeColumnWithDefault
  }

  runShare: {
    organisationId: string
    runsMax: number
    weight: number
    changedAt: TimeColumnWithDefault
  }

  runQueue: {
    organisationId: string
    isWaiting: boolean
    waitingSince: TimeColumnWithDefault
    virtualStart: number
    /** The virtual time at the organisation's latest claim. The highest one of all is the virtual time. */
    served: Generated<number>
    reservedBy: string | null
    reservedUntil: NullableTimeColumn
  }

  /** A view: runs that no worker holds. */
  unclaimedRun: {
    id: string
    organisationId: string
    connectorId: string
    mode: string
    queuedAt: TimeColumnWithDefault
    memoryMb: number
    seconds: number
    runsMax: number
    weight: number
    runsActive: number
    /** Null: a worker may claim the run. */
    waitsFor: 'retry' | 'verification' | 'connection' | 'approval' | 'share' | null
  }
}
