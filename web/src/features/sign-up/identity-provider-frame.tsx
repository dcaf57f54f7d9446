/** The sign-up of somebody whom an external provider vouches for: a form of ours in a frame, which tells when it is done. */
import { useEffect, useRef, useState } from 'react'
import { readMessage } from './frame-message.ts'
import css from './sign-up.module.css'
import type { SignedUp } from './use-sign-up.ts'

interface ExternalFrameProps {
  atid: string
  provider: string
  onSignedUp: (signedUp: SignedUp) => void
}

export function ExternalFrame({ atid, provider, onSignedUp }: ExternalFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [heightPx, setHeightPx] = useState(320)
  useEffect(() => {
    const listen = (event: MessageEvent) => {
      // Other windows may send anything: only our own page, and only that of this frame, is heard.
      if (event.origin !== window.location.origin || event.source !== frame.current?.contentWindow) return
      const message = readMessage(event.data)
      if (message?.kind === 'height') setHeightPx(message.heightPx)
      if (message?.kind === 'done') onSignedUp(message.signedUp)
    }
    window.addEventListener('message', listen)
    return () => window.removeEventListener('message', listen)
  }, [onSignedUp])

  return (
    // oxlint-disable-next-line react/iframe-missing-sandbox -- It is a page of ours, which needs its scripts and its origin.
    <iframe
      ref={frame}
      className={css.frame}
      style={{ height: heightPx }}
      title={`Sign up with ${provider}`}
      src={`/signup/frame?${new URLSearchParams({ atid })}`}
    />
  )
}
