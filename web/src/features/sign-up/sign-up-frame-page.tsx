/** What the frame of an external sign-up shows. */
import { useQuery } from '@tanstack/react-query'
import { Navigate } from 'react-router'
import { call } from '../../api/call.ts'
import { paths } from '../../paths.ts'
import { useAddress } from '../../ui/hooks/search-params.ts'
import { useDocumentTitle } from '../../ui/layout/document-title.ts'
import { Note } from '../../ui/feedback/callout.tsx'
import { Waiting } from '../../domain/sign-in/auth-waiting.tsx'
import { sendToPage } from './frame-message.ts'
import { SignUpForm } from './sign-up-form.tsx'
import css from './sign-up.module.css'
import { signUpSentence } from './use-sign-up.ts'

export function SignUpFramePage() {
  const params = useAddress()
  const atid = params.get('atid') ?? ''
  useDocumentTitle(['Sign up'])
  const { data, error } = useQuery({
    queryKey: ['external-identity', atid],
    queryFn: () => call('POST /registration/external', { body: { atid } }),
    enabled: atid !== '',
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  // Out of its frame it would be a page that leads nowhere.
  if (window.parent === window) return <Navigate to={`${paths.signUp}?${params}`} replace />

  return (
    <main ref={watchHeight} className={css.framed} aria-label="Your details">
      {error === null ? null : (
        <Note tone="error">
          <p>{signUpSentence(error)}</p>
        </Note>
      )}
      {data === undefined ? null : (
        <SignUpForm identity={{ ...data, atid }} onSignedUp={(signedUp) => sendToPage({ kind: 'done', signedUp })} />
      )}
      {data === undefined && error === null ? <Waiting>Asking for your details…</Waiting> : null}
    </main>
  )
}

/** The page around gives the frame as much room as the form takes up now, so that nothing scrolls within it. */
function watchHeight(main: HTMLElement | null) {
  if (main === null) return
  const observer = new ResizeObserver(() => sendToPage({ kind: 'height', heightPx: main.offsetHeight }))
  observer.observe(main)
  return () => observer.disconnect()
}
