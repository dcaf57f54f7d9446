/** How actions after publications and their runs are named on the screens. */
import type {
  PowerBiCapacity,
  PublicationAction,
  PublicationActionKind,
  PublicationActionStatus,
} from '@tributary/contract/publication-actions'
import { type Icon, IconClock, IconProgress } from '@tabler/icons-react'
import { IconAlertTriangle, IconCircleCheck, IconCircleDashed } from '@tabler/icons-react/visitor-icons'
import type { StatusBadgeProps } from '../../ui/display/status-badge.tsx'

export const kindTitles: Readonly<Record<PublicationActionKind, string>> = {
  webhook: 'Webhook',
  powerBi: 'Power BI',
  dbt: 'dbt',
}

export const capacityLabels: Readonly<Record<PowerBiCapacity, string>> = {
  shared: 'Shared (Pro): 8 refreshes in 24 hours',
  premium: 'Premium: 48 refreshes in 24 hours',
}

/** For example 'dbt, job 12 at cloud.getdbt.com'. */
export function describeAction({ Kind, IsOn, Webhook, PowerBi, Dbt }: PublicationAction): string {
  const what =
    Webhook !== null
      ? `message to ${new URL(Webhook.Address).host}`
      : PowerBi !== null
        ? `refresh of dataset ${PowerBi.DatasetId}`
        : `job ${Dbt?.JobId ?? ''} at ${Dbt?.Host ?? ''}`
  return `${IsOn ? '' : 'Switched off. '}${kindTitles[Kind]}, ${what}`
}

export const statusBadges: Readonly<
  Record<PublicationActionStatus, Pick<StatusBadgeProps, 'label' | 'tone'> & { readonly icon: Icon }>
> = {
  WAITING: { label: 'Waiting', tone: 'info', icon: IconClock },
  RUNNING: { label: 'Running', tone: 'info', icon: IconProgress },
  COMPLETED: { label: 'Completed', tone: 'ok', icon: IconCircleCheck },
  FAILED: { label: 'Failed', tone: 'error', icon: IconAlertTriangle },
  DROPPED: { label: 'Dropped', tone: 'quiet', icon: IconCircleDashed },
}
