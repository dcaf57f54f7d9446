/** Sign-up with an identity provider: our form in an iframe, which posts a message when it is done. */
import { useEffect, useRef, useState } from 'react'
import { parseFrameMessage } from './frame-message.ts'
import css from './sign-up.module.css'
import type { PendingSignUp } from './use-sign-up.ts'

interface IdentityProviderFrameProps {
  atid: string
  provider: string
  onSignedUp: (signedUp: PendingSignUp) => void
}

export function IdentityProviderFrame({ atid, provider, onSignedUp }: IdentityProviderFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [heightPx, setHeightPx] = useState(320)
  useEffect(() => {
    const listen = (event: MessageEvent) => {
      // Any window can post messages, so only this frame of the same origin is trusted.
      if (event.origin !== window.location.origin || event.source !== frame.current?.contentWindow) return
      const message = parseFrameMessage(event.data)
      if (message?.kind === 'height') setHeightPx(message.heightPx)
      if (message?.kind === 'done') onSignedUp(message.signedUp)
    }
    window.addEventListener('message', listen)
    return () => window.removeEventListener('message', listen)
  }, [onSignedUp])

  return (
    // oxlint-disable-next-line react/iframe-missing-sandbox -- same-origin page that needs its scripts
    <iframe
      ref={frame}
      className={css.frame}
      style={{ height: heightPx }}
      title={`Sign up with ${provider}`}
      src={`/signup/frame?${new URLSearchParams({ atid })}`}
    />
  )
}
