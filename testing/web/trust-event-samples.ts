/** One event of each action of auditor rooms and certificates, as the server records it, and its sentence. */
import type { AuditAction } from '@tributary/contract/audit-actions'
import { about, nobody, type EventSample } from './audit-events.ts'

type TrustAction = Extract<AuditAction, `auditor_room.${string}` | `certificate.${string}`>

const room = about('auditor_room', 'Avery Auditor')
const certificate = about('certificate', 'Tie-out of Quay Ltd, 2026-10')

export const trustEventSamples: Readonly<Record<TrustAction, EventSample>> = {
  'auditor_room.changed': { ...room, says: 'Amara Okafor changed the auditor room of Avery Auditor' },
  'auditor_room.ended': { ...nobody, ...room, says: 'Tributary ended the auditor room of Avery Auditor' },
  'auditor_room.opened': { ...room, says: 'Amara Okafor opened the auditor room of Avery Auditor' },
  'certificate.downloaded': {
    ...certificate,
    says: 'Amara Okafor downloaded the certificate Tie-out of Quay Ltd, 2026-10',
  },
  'certificate.issued': {
    ...certificate,
    Detail: { subject: 'tieOut', verdict: 'green' },
    says: 'Amara Okafor issued the certificate Tie-out of Quay Ltd, 2026-10',
  },
}
