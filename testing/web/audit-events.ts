/** Builds events of the audit log. */
import type { AuditLogEvent } from '@tributary/contract/audit-log'

export const amara = '00000000-0000-4000-8000-000000000301'
const other = '00000000-0000-4000-8000-000000000302'

export type EventSample = Partial<Omit<AuditLogEvent, 'Action'>> & { readonly says: string }

export function event(Action: string, changes: Partial<AuditLogEvent> = {}): AuditLogEvent {
  return {
    Id: 1,
    AtUtc: '2026-11-20T08:00:00Z',
    Action,
    Outcome: 'success',
    ActorId: amara,
    Actor: 'Amara Okafor',
    ActorRole: 'admin',
    ObjectType: null,
    ObjectId: null,
    ObjectName: null,
    Address: null,
    Reference: null,
    Detail: {},
    ...changes,
  }
}

export const about = (ObjectType: string, ObjectName: string | null, ObjectId = other) => ({
  ObjectType,
  ObjectId,
  ObjectName,
})
export const nobody = { ActorId: null, Actor: null, ActorRole: null }
export const operator = { ...nobody, ActorRole: 'operator' }
export const self = about('user', 'Amara Okafor', amara)
export const ulla = about('user', 'Ulla Berg')
export const shop = about('connector', 'Web shop')
