/** How alert channels and their choices are named on the screens. */
import type { AlertChoice, AlertKind, AlertService } from '@tributary/contract/alert-channels'
import { formatTimeZone } from '@tributary/contract/time-zone-name'
import { formatTimeOfDay } from '../../ui/formats.ts'

export const serviceTitles: Readonly<Record<AlertService, string>> = {
  slack: 'Slack',
  teams: 'Microsoft Teams',
  webhook: 'Webhook',
}

export const kindChoices: readonly { readonly id: AlertKind; readonly label: string; readonly detail: string }[] = [
  {
    id: 'actionNeeded',
    label: 'Someone must act',
    detail: 'A setting is wrong, or a person must sign in at the source again.',
  },
  { id: 'failed', label: 'A run failed', detail: 'A run ended with an error, or the target does not respond.' },
  { id: 'stalled', label: 'A run takes too long', detail: 'It has been running for more than half an hour.' },
  {
    id: 'tieOut',
    label: 'Rows do not add up',
    detail: 'The loaded rows differ from the source’s own report.',
  },
  {
    id: 'verification',
    label: 'Rows differ from the source',
    detail: 'Verification found rows whose values are not those of the source.',
  },
  {
    id: 'closedPeriod',
    label: 'A closed period has changed',
    detail: 'A document that is dated in a closed month was added, changed, voided or deleted.',
  },
  {
    id: 'afterPublishing',
    label: 'An action after a publication failed',
    detail:
      'A webhook, a refresh of Power BI or a dbt job did not follow. Channels that are limited to connectors leave it out.',
  },
  {
    id: 'publication',
    label: 'A publication stays',
    detail: 'Published views show earlier figures, because a connector does not satisfy their rule.',
  },
  {
    id: 'readyBy',
    label: 'Rows are not ready in time',
    detail: 'A time of Ready by will be missed or was missed. The message says why.',
  },
]

/** For example 'All kinds, 2 connectors, daily at 08:00 (London time)'. */
export function summariseChoice({ Kinds, Connectors, Frequency, Hour, TimeZone }: AlertChoice): string {
  if (Frequency === 'never') return 'Switched off'
  const kinds =
    Kinds === null ? 'All kinds' : kindChoices.filter(({ id }) => Kinds.includes(id)).map(({ label }) => label)
  const connectors = Connectors === null ? 'all connectors' : countConnectors(Connectors.length)
  const often = Frequency === 'daily' ? `daily at ${formatHour(Hour)} (${formatTimeZone(TimeZone)})` : 'at once'
  return [...(typeof kinds === 'string' ? [kinds] : kinds), connectors, often].join(', ')
}

function countConnectors(count: number): string {
  return count === 1 ? '1 connector' : `${count} connectors`
}

export function formatHour(hour: number): string {
  return formatTimeOfDay(`${String(hour).padStart(2, '0')}:00`)
}
