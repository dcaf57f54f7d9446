/** Shows an error where it happened. Stays until the user dismisses it, then leaves within a second. */
import { bannerHideMs } from '@tributary/contract/limits'
import { IconAlertCircle, IconX } from '@tabler/icons-react/visitor-icons'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import css from './banner.module.css'
import { SanitisedMessage } from './sanitised-message.tsx'

export interface ErrorBannerProps {
  /** Null shows nothing. */
  message: string | null
  onDismiss: () => void
  action?: ReactNode
  /** Renders plain inline markup in the server's message. */
  hasMarkup?: boolean
}

export function ErrorBanner({ message, onDismiss, action, hasMarkup = false }: ErrorBannerProps) {
  const [leaving, setLeaving] = useState<string | null>(null)
  const isLeaving = leaving !== null && leaving === message
  const dismiss = useEffectEvent(() => {
    setLeaving(null)
    onDismiss()
  })

  useEffect(() => {
    if (!isLeaving) return
    const timer = setTimeout(dismiss, hideMs())
    return () => clearTimeout(timer)
  }, [isLeaving])

  if (message === null) return null
  return (
    <div role="alert" className={css.banner} data-tone="error" data-leaving={isLeaving || undefined}>
      <IconAlertCircle size={18} stroke={1.75} className={css.icon} />
      <div className={css.text}>
        <p>{hasMarkup ? <SanitisedMessage text={message} /> : message}</p>
        {action}
      </div>
      <button type="button" className={css.close} aria-label="Dismiss error" onClick={() => setLeaving(message)}>
        <IconX />
      </button>
    </div>
  )
}

function hideMs(): number {
  return window.matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : bannerHideMs
}
