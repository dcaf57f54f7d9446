/** The tables of auditor rooms. */
import type { Generated } from 'kysely'
import type { NullableTimeColumn, TimeColumn } from './column-types.ts'

export interface AuditorRoomsSchema {
  auditorRoom: {
    id: Generated<string>
    organisationId: string
    firstName: string
    lastName: string
    emailAddress: string
    userId: string | null
    connectorIds: string[]
    markIds: Generated<string[]>
    periodFrom: string | null
    periodTo: string | null
    endsAt: TimeColumn
    endedAt: NullableTimeColumn
    createdBy: string
    createdAt: TimeColumn
  }

  auditorLook: {
    organisationId: string
    roomId: string
    what: string
    object: string
    /** In UTC. */
    day: string
    looks: number
    lastAt: TimeColumn
  }
}
