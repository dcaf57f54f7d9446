import { Button } from '@mantine/core'
import { call } from '../../api/call.ts'
import { requestPasskey, supportsPasskeys } from '../../api/session/passkeys.ts'
import type { useSignIn } from './use-sign-in.ts'

/** Signs in with a discoverable passkey, which identifies the user. */
export function PasskeyButton({ attempt: { signInWith, isBusy } }: { attempt: ReturnType<typeof useSignIn> }) {
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
