/** A sign-in link was opened. In the browser that asked for it, it signs in by itself; elsewhere it says as whom, and asks. */
import { Button } from '@mantine/core'
import { useEffect } from 'react'
import { useChangeAddress } from '../../ui/hooks/search-params.ts'
import { AuthFrame } from '../../domain/sign-in/auth-page.tsx'
import frame from '../../domain/sign-in/auth-page.module.css'
import { ErrorBanner } from '../../ui/feedback/error-banner.tsx'
import { Waiting } from '../../domain/sign-in/auth-waiting.tsx'
import { useSignIn } from './use-sign-in.ts'

export function LinkArrival({ code, onLeave }: { code: string; onLeave: () => void }) {
  const { signIn, isBusy, error, asWhom } = useSignIn()
  const changeAddress = useChangeAddress()
  useEffect(() => {
    // The code is a secret: it stays neither in the address nor in the history.
    changeAddress({ code: null }, { replace: true })
    void signIn({ code })
    // Once, for the code works once.
    // oxlint-disable-next-line react/exhaustive-deps -- the code of the first address is the only one
  }, [])

  return (
    <AuthFrame title={asWhom === null ? 'Your sign-in link' : 'Is this you?'}>
      <ErrorBanner message={error} onDismiss={onLeave} />
      {error === null && asWhom === null ? <Waiting>Signing you in…</Waiting> : null}
      {asWhom === null ? null : (
        <>
          <p className="muted">This link was asked for in another browser. Go on only if the address is yours.</p>
          <Button size="md" fullWidth loading={isBusy} onClick={() => void signIn({ code, isConfirmed: true })}>
            Continue as {asWhom}
          </Button>
        </>
      )}
      {error === null && asWhom === null ? null : (
        <p className={frame.after}>
          <button type="button" className={frame.textButton} onClick={onLeave}>
            Sign in another way
          </button>
        </p>
      )}
    </AuthFrame>
  )
}
