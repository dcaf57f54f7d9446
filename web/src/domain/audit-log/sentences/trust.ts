import type { AuditAction } from '@tributary/contract/audit-actions'
import { type ActionWording, thing, who } from './sentence.ts'

type TrustAction = Extract<
  AuditAction,
  `auditor_room.${string}` | `certificate.${string}` | `publication_action.${string}` | `publication_set.${string}`
>

export const trustWording: Readonly<Record<TrustAction, ActionWording>> = {
  'auditor_room.changed': { label: 'Auditor room changed', sentence: () => `${who} changed ${thing}` },
  'auditor_room.ended': { label: 'Auditor room ended', sentence: () => `${who} ended ${thing}` },
  'auditor_room.opened': { label: 'Auditor room opened', sentence: () => `${who} opened ${thing}` },
  'certificate.downloaded': { label: 'Certificate downloaded', sentence: () => `${who} downloaded ${thing}` },
  'publication_action.created': { label: 'Action added', sentence: () => `${who} added ${thing} after publications` },
  'publication_action.deleted': {
    label: 'Action removed',
    sentence: () => `${who} removed ${thing} after publications`,
  },
  'publication_action.started': { label: 'Action started', sentence: () => `${who} started ${thing}` },
  'publication_action.updated': {
    label: 'Action changed',
    sentence: () => `${who} changed ${thing} after publications`,
  },
  'certificate.issued': { label: 'Certificate issued', sentence: () => `${who} issued ${thing}` },
  'publication_set.saved': { label: 'Publishing set', sentence: () => `${who} set ${thing}` },
  'publication_set.switched_off': {
    label: 'Publishing switched off',
    sentence: () => `${who} switched off ${thing}`,
  },
}
