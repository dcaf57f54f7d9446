/** Sentences about hosts of sources that customers have described. */
import type { AuditAction } from '@tributary/contract/audit-actions'
import { type ActionWording, detailText, thing, who } from './sentence.ts'

type HostAction = Extract<AuditAction, `connector.hosts_${string}`>

export const hostWording: Readonly<Record<HostAction, ActionWording>> = {
  'connector.hosts_approved': {
    label: 'Hosts approved',
    sentence: (event) => `${who} approved the hosts of ${thing}: ${detailText(event, 'hosts') ?? ''}`,
  },
  'connector.hosts_refused': {
    label: 'Hosts refused',
    sentence: (event) => `${who} refused the hosts of ${thing}: ${detailText(event, 'hosts') ?? ''}`,
  },
  'connector.hosts_requested': {
    label: 'Approval of hosts requested',
    sentence: (event) => `${who} requested the approval of the hosts of ${thing}: ${detailText(event, 'hosts') ?? ''}`,
  },
  'connector.hosts_withdrawn': {
    label: 'Approval of hosts withdrawn',
    sentence: (event) => `${who} withdrew the approval of the hosts of ${thing}: ${detailText(event, 'hosts') ?? ''}`,
  },
}
