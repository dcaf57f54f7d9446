/** One event of each action of access tokens, as the server records it, and its sentence. */
import type { AuditAction } from '@tributary/contract/audit-actions'
import { about, amara, type EventSample } from './audit-events.ts'

type TokenAction = Extract<AuditAction, `api_token.${string}`>

export const tokenEventSamples: Readonly<Record<TokenAction, EventSample>> = {
  'api_token.created': {
    ...about('api_token', 'Ledger feed'),
    Detail: { owner: amara, scopes: ['data.read', 'status.read'], expiresAt: '2027-02-25T08:00:00.000Z' },
    says: 'Amara Okafor made the access token Ledger feed with the scopes data.read, status.read',
  },
  'api_token.policy_changed': { Detail: { after: false }, says: 'Amara Okafor switched access tokens off' },
  'api_token.renewed': { ...about('api_token', 'Import'), says: 'Amara Okafor renewed the access token Import' },
  'api_token.revoked': { ...about('api_token', null), says: 'Amara Okafor revoked an access token' },
}
