import type { Icon } from '@tabler/icons-react'
import { useId } from 'react'
import { Hint } from '../overlays/tooltip.tsx'
import css from './status-badge.module.css'

type Tone = 'ok' | 'warn' | 'error' | 'info' | 'quiet'

export interface BadgeLook {
  readonly word: string
  readonly tone: Tone
  readonly icon: Icon
  /** More than the word can say; read out and shown on hover and focus. */
  readonly hint?: string
  readonly isPulsing?: boolean
}

/** Icon, colour and word together: never colour alone. */
export function StatusBadge({ word, tone, icon: Icon, hint, isPulsing }: BadgeLook) {
  const hintId = useId()
  const badge = (
    <span
      className={css.badge}
      data-tone={tone}
      tabIndex={hint === undefined ? undefined : 0}
      aria-describedby={hint && hintId}
    >
      {isPulsing === true ? <span className={css.pulse} aria-hidden /> : <Icon size={14} stroke={2} aria-hidden />}
      {word}
      {hint === undefined ? null : (
        <span id={hintId} hidden>
          {hint}
        </span>
      )}
    </span>
  )
  if (hint === undefined) return badge
  return (
    <Hint label={hint} multiline isTouchable>
      {badge}
    </Hint>
  )
}
