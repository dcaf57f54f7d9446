import { IconAlertTriangle, IconCircleCheck, IconInfoCircle } from '@tabler/icons-react/visitor-icons'
import type { ReactNode } from 'react'
import css from './banner.module.css'

type CalloutTone = 'info' | 'warn' | 'ok' | 'error'
const icons = { info: IconInfoCircle, warn: IconAlertTriangle, ok: IconCircleCheck, error: IconAlertTriangle }

interface CalloutProps {
  tone: CalloutTone
  title?: string | undefined
  children?: ReactNode
  /** Read by screen readers as soon as it appears. */
  isAlert?: boolean
}

/** A permanent note within a page or a form. */
export function Callout({ tone, title, children, isAlert = false }: CalloutProps) {
  const Icon = icons[tone]
  return (
    <div className={css.banner} data-tone={tone} role={isAlert ? 'alert' : undefined}>
      <Icon size={18} stroke={1.75} className={css.icon} />
      <div className={css.text}>
        {title === undefined ? null : <p className={css.title}>{title}</p>}
        {children}
      </div>
    </div>
  )
}
