/** The tables of the audit log. */
import type { GeneratedAlways, Generated } from 'kysely'
import type { Json, JsonWithDefault, TimeWithDefault } from './column-types.ts'

interface AuditEventTable {
  id: GeneratedAlways<number>
  at: TimeWithDefault
  organisationId: string | null
  actorId: string | null
  actorRole: string | null
  action: string
  objectType: string | null
  objectId: string | null
  outcome: 'success' | 'refused' | 'failure'
  detail: JsonWithDefault
  /** Of form 1 only. */
  address: string | null
  sessionId: string | null
  reference: string | null
  formerHash: Buffer | null
  hash: Buffer
  form: Generated<number>
  personalHash: Buffer | null
}

/** What of an event says who somebody is: gone once the person is erased. */
interface AuditPersonalTable {
  eventId: number
  organisationId: string | null
  salt: Buffer
  fields: Json
}

/** Up to which event a chain was cleared away, and that event's hash. */
interface AuditCutTable {
  id: GeneratedAlways<number>
  organisationId: string | null
  throughId: number
  hash: Buffer
  cutAt: TimeWithDefault
}

/** The former hash of an event, on which the one after it builds. */
interface AuditBridgeTable {
  eventId: number
  organisationId: string | null
  hash: Buffer
}

export interface AuditSchema {
  auditEvent: AuditEventTable
  auditPersonal: AuditPersonalTable
  auditCut: AuditCutTable
  auditBridge: AuditBridgeTable
}
