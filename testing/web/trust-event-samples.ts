/** One event of each action of certificates, as the server records it, and its sentence. */
import type { AuditAction } from '@tributary/contract/audit-actions'
import { about, type EventSample } from './audit-events.ts'

type TrustAction = Extract<AuditAction, `certificate.${string}`>

const certificate = about('certificate', 'Tie-out of Quay Ltd, 2026-10')

export const trustEventSamples: Readonly<Record<TrustAction, EventSample>> = {
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
