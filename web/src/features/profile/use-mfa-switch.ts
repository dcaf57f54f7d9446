import { useQueryClient } from '@tanstack/react-query'
import type { MfaReply } from '@tributary/contract/profile'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { messageOf } from '@tributary/client/call-error'
import { useMutation } from '../../api/use-mutation.ts'
import { announceToScreenReader } from '../../ui/feedback/toasts.tsx'
import { securityDetails, useRefreshSecurity } from './api.ts'

/** The verification code that the server requires before it switches. */
export interface CodeChallenge {
  readonly reference: string
  readonly sentTo: string | null
}

/** Switches MFA on or off. If the server requires a code, the call is repeated with it. */
export function useMfaSwitch(enable: boolean) {
  const client = useQueryClient()
  const refresh = useRefreshSecurity()
  const [challenge, setChallenge] = useState<CodeChallenge | null>(null)
  const [error, setError] = useState<string | null>(null)
  const [recoveryCodes, setRecoveryCodes] = useState<readonly string[]>([])
  const switchMfa = useMutation({
    mutationFn: (proof: { verificationReference?: string; verificationCode?: string }) =>
      call('POST /me/security/mfa', { body: { enable, ...proof } }),
    onMutate: () => setError(null),
    onSuccess: accept,
    onError: (cause) => setError(messageOf(cause)),
  })

  function accept(reply: MfaReply): Promise<void> | void {
    const { errorMessage, verificationRequired, verificationReference, verificationSentTo, verificationDevices } = reply
    if (errorMessage !== undefined) setError(errorMessage)
    if (verificationRequired === true && verificationReference !== undefined)
      return setChallenge((known) => ({
        reference: verificationReference,
        sentTo: verificationSentTo ?? known?.sentTo ?? null,
      }))
    if (errorMessage !== undefined) return
    setChallenge(null)
    setRecoveryCodes(reply.recoveryCodes ?? [])
    client.setQueryData(securityDetails.queryKey, (known) =>
      known === undefined
        ? known
        : {
            ...known,
            RequireMultiFactorAuthentication: enable,
            VerificationDevices: verificationDevices ?? known.VerificationDevices,
          },
    )
    announceToScreenReader(`Multi-factor authentication is ${enable ? 'enabled' : 'disabled'}`)
    return refresh()
  }

  return {
    challenge,
    error,
    /** Shown until the user closes them, because they cannot be fetched again. */
    recoveryCodes,
    dismissRecoveryCodes: () => setRecoveryCodes([]),
    isBusy: switchMfa.isPending,
    begin: () => switchMfa.mutate({}),
    confirm: (code: string) =>
      challenge !== null && switchMfa.mutate({ verificationReference: challenge.reference, verificationCode: code }),
    close: () => {
      setChallenge(null)
      setError(null)
    },
    dismissError: () => setError(null),
  }
}
