import { Button } from '@mantine/core'
import { useState } from 'react'
import { Link, Navigate, useLocation } from 'react-router'
import { isTrial } from '../../api/trial-mode.ts'
import { useIdentity } from '../../api/session/session.ts'
import { useProviderName, useSignInOptions } from '../../api/session/sign-in-options.ts'
import { readCookie } from '../../api/local-storage.ts'
import { paths, returnPath, type SignInState } from '../../paths.ts'
import { useUrlParams, useUpdateUrlParams } from '../../ui/hooks/search-params.ts'
import frame from '../../domain/sign-in/auth-page.module.css'
import { ErrorBanner } from '../../ui/feedback/error-banner.tsx'
import { Callout } from '../../ui/feedback/callout.tsx'
import { LazyBoundary, lazyComponent } from '../../ui/lazy-component.tsx'
import { ProviderButtons } from '../../domain/sign-in/provider-buttons.tsx'
import { DemoAccounts } from './demo-accounts.tsx'
import { SignInForm } from './password-form.tsx'
import { usePasskeyAutofill } from './use-passkey-autofill.ts'
import { useSignIn } from './use-sign-in.ts'
import { AuthFooter, AuthPage } from '../../domain/sign-in/auth-page.tsx'
import { call } from '../../api/call.ts'
import { requestPasskey, supportsPasskeys } from '../../api/session/passkeys.ts'

const linkRequestTitle = 'Email me a sign-in link'
const SignInLink = lazyComponent(() => import('./sign-in-link.tsx'), 'SignInLink')
const SignInLinkRequest = lazyComponent(() => import('./sign-in-link-request.tsx'), 'SignInLinkRequest')

export function SignInPage() {
  const identity = useIdentity()
  const params = useUrlParams()
  // Read once: a link's code is removed from the URL immediately.
  const [code, setCode] = useState(params.get('code'))
  if (identity !== null) return <Navigate to={returnPath(params.get('returnUrl'))} replace />
  if (code !== null)
    return (
      <LazyBoundary>
        <SignInLink code={code} onLeave={() => setCode(null)} />
      </LazyBoundary>
    )
  return <SignInScreen />
}

function SignInScreen() {
  const params = useUrlParams()
  const { title, text } = greeting(params)
  const [wantsLink, setWantsLink] = useState(false)
  const [loadError, setLoadError] = useState<string | null>(null)
  const [emailAddress, setEmailAddress] = useState(useKnownAddress())
  const options = useSignInOptions()
  const attempt = useSignIn()
  usePasskeyAutofill(attempt)
  const external = useIdentityProviderError()
  const returnUrl = params.get('returnUrl')
  function reportLoadFailure({ message }: Error) {
    setWantsLink(false)
    setLoadError(message)
  }
  if (wantsLink)
    return (
      <LazyBoundary fallback={<AuthPage title={linkRequestTitle}>{null}</AuthPage>} onLoadFailure={reportLoadFailure}>
        <SignInLinkRequest title={linkRequestTitle} emailAddress={emailAddress} onBack={() => setWantsLink(false)} />
      </LazyBoundary>
    )

  return (
    <AuthPage title={title}>
      {text === null ? null : <p className="muted">{text}</p>}
      {options.isMaintained ? (
        <Callout tone="info">
          <p>Tributary is under maintenance and will be back soon. No data is lost.</p>
        </Callout>
      ) : null}
      {attempt.error === null ? <ErrorBanner message={external.error} onDismiss={external.dismiss} /> : null}
      <ErrorBanner message={attempt.error} onDismiss={attempt.dismissError} />
      <ErrorBanner message={loadError} onDismiss={() => setLoadError(null)} />
      <SignInForm emailAddress={emailAddress} onEmailAddress={setEmailAddress} attempt={attempt} />
      <div className={frame.others}>
        <PasskeyButton attempt={attempt} />
        <Button variant="default" size="md" fullWidth disabled={attempt.isBusy} onClick={() => setWantsLink(true)}>
          Email me a sign-in link
        </Button>
      </div>
      <ProviderButtons purpose="signin" returnUrl={returnUrl} />
      {isTrial() ? <DemoAccounts isBusy={attempt.isBusy} onPick={(account) => void attempt.signIn(account)} /> : null}
      <AuthFooter>
        <Link to={paths.signUp}>No account? Sign up now.</Link>
      </AuthFooter>
    </AuthPage>
  )
}

/** The address that the user has just signed up with, or ''. */
function useKnownAddress(): string {
  const state = useLocation().state as Partial<SignInState> | null
  return state?.emailAddress ?? ''
}

function greeting(params: URLSearchParams) {
  const name = params.get('name') ?? readCookie('logged_in_name') ?? ''
  if (params.get('registration') === 'success') {
    return {
      title: name === '' ? 'Welcome' : `Welcome, ${name}`,
      text: 'Please watch out for a welcome email which will provide you with the next steps.',
    }
  }
  return { title: name === '' ? 'Sign in to Tributary' : `Welcome back, ${name}`, text: null }
}

/** Error of an identity provider's redirect back to the portal. */
function useIdentityProviderError() {
  const params = useUrlParams()
  const changeAddress = useUpdateUrlParams()
  const code = params.get('error')
  const provider = useProviderName()(params.get('provider'))
  const unlinked = `Your ${provider} account is not linked to a user here. Please sign up with ${provider} first.`
  const failed = `Signing in with ${provider} did not work. Please try again.`
  return {
    error: code === null ? null : code === 'unauthorised' ? unlinked : failed,
    dismiss: () => changeAddress({ error: null }, { replace: true }),
  }
}

/** Signs in with a discoverable passkey, which identifies the user. */
function PasskeyButton({ attempt: { signInWith, isBusy } }: { attempt: ReturnType<typeof useSignIn> }) {
  if (!supportsPasskeys()) return null
  return (
    <Button variant="default" size="md" fullWidth disabled={isBusy} onClick={() => void signInWith(signInWithPasskey)}>
      Sign in with a passkey
    </Button>
  )
}

async function signInWithPasskey() {
  const { verificationReference, options } = await call('POST /auth/passkey', { body: {} })
  const passkey = await requestPasskey(options)
  return passkey === null ? null : { verificationReference, passkey }
}
