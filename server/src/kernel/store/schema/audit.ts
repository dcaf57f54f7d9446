/** The tables of the audit log. */
import type { GeneratedAlways, Generated } from 'kysely'
import type { JsonColumn, JsonColumnWithDefault, TimeColumnWithDefault } from './column-types.ts'

export interface AuditSchema {
  auditEvent: {
    id: GeneratedAlways<number>
    at: TimeColumnWithDefault
    organisationId: string | null
    actorId: string | null
    actorRole: string | null
    action: string
    objectType: string | null
    objectId: string | null
    outcome: 'success' | 'refused' | 'failure'
    detail: JsonColumnWithDefault
    /** Only in events of form 1. */
    address: string | null
    sessionId: string | null
    reference: string | null
    formerHash: Buffer | null
    hash: Buffer
    form: Generated<number>
    personalHash: Buffer | null
  }

  /** The personal data of an event, deleted when the person is erased. */
  auditPersonal: {
    eventId: number
    organisationId: string | null
    salt: Buffer
    fields: JsonColumn
  }

  /** The last event of a chain that retention deleted, and its hash. */
  auditCut: {
    id: GeneratedAlways<number>
    organisationId: string | null
    throughId: number
    hash: Buffer
    cutAt: TimeColumnWithDefault
  }

  /** The former hash of an event whose successor was chained to it. */
  auditBridge: {
    eventId: number
    organisationId: string | null
    hash: Buffer
  }
}
