import { call } from '../../api/call.ts'
import { CallError } from '@tributary/client/call-error'
import { requestPasskey } from '../../api/session/passkeys.ts'
import { storeSession } from '../../api/session/session.ts'
import { useMutation } from '../../api/use-mutation.ts'

/** Confirms a sign-in. Stores the session, after which the page redirects. */
export function useVerification(verificationReference: string, verificationTrustDevice: boolean) {
  const verification = useMutation({
    /** @param code null to use a passkey. */
    mutationFn: async (code: string | null) => {
      const factor = code === null ? await askForPasskey(verificationReference) : { verificationCode: code.trim() }
      if (factor === null) return
      const reply = await call('POST /auth/signin', {
        body: { verificationReference, verificationTrustDevice, ...factor },
      })
      if (!('accessToken' in reply) || !reply.accessToken) throw new CallError({ statusCode: 401 })
      storeSession(reply)
    },
  })
  const { error } = verification
  const statusCode = error instanceof CallError ? error.statusCode : undefined
  const message = statusCode === 401 ? 'Verification failed.' : 'An unkown error has occured.'
  return {
    isBusy: verification.isPending,
    error: error && message,
    /** The server's message about when to retry. */
    advice: statusCode === 429 ? error?.message : undefined,
    dismissError: verification.reset,
    confirm: verification.mutate,
  }
}

/** Null if the user cancels. */
async function askForPasskey(verificationReference: string) {
  const { options } = await call('POST /auth/passkey', { body: { verificationReference } })
  const passkey = await requestPasskey(options)
  return passkey && { passkey }
}
