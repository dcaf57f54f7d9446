import { useState } from 'react'
import { Link, Navigate } from 'react-router'
import { useProviderName, useSignInOptions } from '../../api/session/sign-in-options.ts'
import { paths } from '../../paths.ts'
import { useUrlParams } from '../../ui/hooks/search-params.ts'
import { Callout } from '../../ui/feedback/callout.tsx'
import { LazyBoundary, lazyComponent } from '../../ui/lazy-component.tsx'
import { ProviderButtons } from '../../domain/sign-in/provider-buttons.tsx'
import { SignUpForm } from './sign-up-form.tsx'
import type { PendingSignUp } from './use-sign-up.ts'
import { AuthFooter, AuthPage } from '../../domain/sign-in/auth-page.tsx'

const EmailVerification = lazyComponent(() => import('./email-verification.tsx'), 'EmailVerification')
const IdentityProviderFrame = lazyComponent(() => import('./identity-provider-frame.tsx'), 'IdentityProviderFrame')

export function SignUpPage() {
  const params = useUrlParams()
  const [signedUp, setSignedUp] = useState<PendingSignUp | null>(null)
  const code = params.get('code')
  const finishing = code ?? signedUp?.code
  if (finishing != null) return <Navigate to={paths.finalise(finishing)} replace />
  if (signedUp !== null)
    return (
      <LazyBoundary>
        <EmailVerification signedUp={signedUp} onBack={() => setSignedUp(null)} />
      </LazyBoundary>
    )
  return <SignUpScreen onSignedUp={setSignedUp} />
}

function SignUpScreen({ onSignedUp }: { onSignedUp: (signedUp: PendingSignUp) => void }) {
  const params = useUrlParams()
  const { allowSignUp } = useSignInOptions()
  const atid = params.get('atid')
  const provider = useProviderName()(params.get('provider'))
  return (
    <AuthPage title={atid === null ? 'Sign up for Tributary' : `Sign up with ${provider}`}>
      <IdentityProviderError error={params.get('error')} provider={provider} />
      {allowSignUp ? null : (
        <Callout tone="info" title="Signing up is switched off.">
          <p>Ask the administrator of your organisation for an invitation.</p>
        </Callout>
      )}
      {allowSignUp && atid === null ? (
        <>
          <SignUpForm identity={null} onSignedUp={onSignedUp} />
          <ProviderButtons purpose="signup" />
        </>
      ) : null}
      {allowSignUp && atid !== null ? (
        <LazyBoundary>
          <IdentityProviderFrame atid={atid} provider={provider} onSignedUp={onSignedUp} />
        </LazyBoundary>
      ) : null}
      <AuthFooter>
        <Link to={paths.signIn}>Already have an account? Sign in.</Link>
      </AuthFooter>
    </AuthPage>
  )
}

function IdentityProviderError({ error, provider }: { error: string | null; provider: string }) {
  if (error === null) return null
  const isRefused = error === 'unauthorised'
  return (
    <Callout tone="error" title={isRefused ? 'The process was either cancelled or not allowed.' : undefined} isAlert>
      <p>
        {isRefused
          ? `Signing up using ${provider} was either cancelled or is not allowed.`
          : `Something seems to have gone wrong while trying to sign up using ${provider}. Please try again.`}
      </p>
    </Callout>
  )
}
