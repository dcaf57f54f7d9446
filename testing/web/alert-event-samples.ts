/** One event of each action of alert channels, as the server records it, and its sentence. */
import type { AuditAction } from '@tributary/contract/audit-actions'
import { about, type EventSample } from './audit-events.ts'

type AlertChannelAction = Extract<AuditAction, `alert_channel.${string}`>

export const alertEventSamples: Readonly<Record<AlertChannelAction, EventSample>> = {
  'alert_channel.created': {
    ...about('alert_channel', 'On call'),
    says: 'Amara Okafor added the alert channel On call',
  },
  'alert_channel.deleted': { ...about('alert_channel', null), says: 'Amara Okafor removed an alert channel' },
  'alert_channel.updated': {
    ...about('alert_channel', 'On call'),
    says: 'Amara Okafor changed the alert channel On call',
  },
}
