import { IconAlertTriangle, IconCircleCheck, IconInfoCircle } from '@tabler/icons-react/visitor-icons'
import type { ReactNode } from 'react'
import css from './banner.module.css'

type CalloutTone = 'info' | 'warn' | 'ok' | 'error'
const icons = { info: IconInfoCircle, warn: IconAlertTriangle, ok: IconCircleCheck, error: IconAlertTriangle }

/** A permanent note within a page or a form. */
export function Callout({ tone, title, children }: { tone: CalloutTone; title?: string; children?: ReactNode }) {
  const Icon = icons[tone]
  return (
    <div className={css.banner} data-tone={tone}>
      <Icon size={18} stroke={1.75} className={css.icon} />
      <div className={css.text}>
        {title === undefined ? null : <p className={css.title}>{title}</p>}
        {children}
      </div>
    </div>
  )
}
