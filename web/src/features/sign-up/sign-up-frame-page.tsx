/** Content of the identity provider's sign-up frame. */
import { useQuery } from '@tanstack/react-query'
import { Navigate } from 'react-router'
import { call } from '../../api/call.ts'
import { paths } from '../../paths.ts'
import { useUrlParams } from '../../ui/hooks/search-params.ts'
import { useDocumentTitle } from '../../ui/layout/document-title.ts'
import { Callout } from '../../ui/feedback/callout.tsx'
import { postToParent } from './frame-message.ts'
import { SignUpForm } from './sign-up-form.tsx'
import css from './sign-up.module.css'
import { signUpErrorMessage } from './use-sign-up.ts'
import { AuthWaiting } from '../../domain/sign-in/auth-page.tsx'

export function SignUpFramePage() {
  const params = useUrlParams()
  const atid = params.get('atid') ?? ''
  useDocumentTitle(['Sign up'])
  const { data, error } = useQuery({
    queryKey: ['external-identity', atid],
    queryFn: () => call('POST /registration/external', { body: { atid } }),
    enabled: atid !== '',
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  // Opened outside of its frame, the page could not continue.
  if (window.parent === window) return <Navigate to={`${paths.signUp}?${params}`} replace />

  return (
    <main ref={reportHeight} className={css.framed} aria-label="Your details">
      {error === null ? null : (
        <Callout tone="error">
          <p>{signUpErrorMessage(error)}</p>
        </Callout>
      )}
      {data === undefined ? null : (
        <SignUpForm identity={{ ...data, atid }} onSignedUp={(signedUp) => postToParent({ kind: 'done', signedUp })} />
      )}
      {data === undefined && error === null ? <AuthWaiting>Asking for your details…</AuthWaiting> : null}
    </main>
  )
}

/** Reports the form's height to the parent page, so that the frame never scrolls. */
function reportHeight(main: HTMLElement | null) {
  if (main === null) return
  const observer = new ResizeObserver(() => postToParent({ kind: 'height', heightPx: main.offsetHeight }))
  observer.observe(main)
  return () => observer.disconnect()
}
