import type { Icon } from '@tabler/icons-react'
import { useId } from 'react'
import { Tooltip } from '../overlays/tooltip.tsx'
import css from './status-badge.module.css'

type StatusTone = 'ok' | 'warn' | 'error' | 'info' | 'quiet'

export interface StatusBadgeProps {
  readonly label: string
  readonly tone: StatusTone
  readonly icon: Icon
  /** A longer explanation, read by screen readers and shown on hover and focus. */
  readonly tooltip?: string
  readonly isPulsing?: boolean
}

/** Shows a status by icon, colour and label: colour alone would not be accessible. */
export function StatusBadge({ label, tone, icon: Icon, tooltip, isPulsing }: StatusBadgeProps) {
  const tooltipId = useId()
  const badge = (
    <span
      className={css.badge}
      data-tone={tone}
      tabIndex={tooltip === undefined ? undefined : 0}
      aria-describedby={tooltip && tooltipId}
    >
      {isPulsing === true ? <span className={css.pulse} aria-hidden /> : <Icon size={14} stroke={2} />}
      {label}
      {tooltip === undefined ? null : (
        <span id={tooltipId} hidden>
          {tooltip}
        </span>
      )}
    </span>
  )
  if (tooltip === undefined) return badge
  return (
    <Tooltip label={tooltip} multiline isTouchable>
      {badge}
    </Tooltip>
  )
}
