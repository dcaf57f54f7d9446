import type { AuditAction } from '@tributary/contract/audit-actions'
import { type ActionWording, thing, who } from './sentence.ts'

type TrustAction = Extract<AuditAction, `certificate.${string}`>

export const trustWording: Readonly<Record<TrustAction, ActionWording>> = {
  'certificate.downloaded': { label: 'Certificate downloaded', sentence: () => `${who} downloaded ${thing}` },
  'certificate.issued': { label: 'Certificate issued', sentence: () => `${who} issued ${thing}` },
}
