/**
 * Redeems a sign-in link. The browser that requested it signs in automatically; another one asks the user to confirm
 * the account first.
 */
import { Button } from '@mantine/core'
import { useEffect } from 'react'
import { useUpdateUrlParams } from '../../ui/hooks/search-params.ts'
import { ErrorBanner } from '../../ui/feedback/error-banner.tsx'
import { useSignIn } from './use-sign-in.ts'
import { AuthFooter, AuthPage, AuthWaiting, TextButton } from '../../domain/sign-in/auth-page.tsx'

export function SignInLink({ code, onLeave }: { code: string; onLeave: () => void }) {
  const { signIn, isBusy, error, emailToConfirm } = useSignIn()
  const changeAddress = useUpdateUrlParams()
  useEffect(() => {
    // The code is a secret, so it is removed from the URL and the history.
    changeAddress({ code: null }, { replace: true })
    void signIn({ code })
    // Runs once, because the code can be used only once.
    // oxlint-disable-next-line react/exhaustive-deps -- only the code of the initial URL counts
  }, [])

  return (
    <AuthPage title={emailToConfirm === null ? 'Your sign-in link' : 'Is this you?'}>
      <ErrorBanner message={error} onDismiss={onLeave} />
      {error === null && emailToConfirm === null ? <AuthWaiting>Signing you in…</AuthWaiting> : null}
      {emailToConfirm === null ? null : (
        <>
          <p className="muted">This link was requested in another browser. Continue only if the address is yours.</p>
          <Button size="md" fullWidth loading={isBusy} onClick={() => void signIn({ code, isConfirmed: true })}>
            Continue as {emailToConfirm}
          </Button>
        </>
      )}
      {error === null && emailToConfirm === null ? null : (
        <AuthFooter>
          <TextButton onClick={onLeave}>Sign in another way</TextButton>
        </AuthFooter>
      )}
    </AuthPage>
  )
}
