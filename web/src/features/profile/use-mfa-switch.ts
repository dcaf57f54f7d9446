import { useQueryClient } from '@tanstack/react-query'
import type { MfaReply } from '@tributary/contract/profile'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { messageOf } from '@tributary/client/call-error'
import { useMutation } from '../../api/use-mutation.ts'
import { announce } from '../../ui/feedback/toasts.tsx'
import { securityDetails, useRefreshSecurity } from './api.ts'

/** The code that the server wants before it switches. */
export interface CodeWanted {
  readonly reference: string
  readonly sentTo: string | null
}

/** Switches MFA on or off; where the server asks for a code, the same call is made again with it. */
export function useMfaSwitch(enable: boolean) {
  const client = useQueryClient()
  const refresh = useRefreshSecurity()
  const [asked, setAsked] = useState<CodeWanted | null>(null)
  const [error, setError] = useState<string | null>(null)
  const [recoveryCodes, setRecoveryCodes] = useState<readonly string[]>([])
  const turn = useMutation({
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
      return setAsked((known) => ({
        reference: verificationReference,
        sentTo: verificationSentTo ?? known?.sentTo ?? null,
      }))
    if (errorMessage !== undefined) return
    setAsked(null)
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
    announce(`Multi-factor authentication is ${enable ? 'enabled' : 'disabled'}`)
    return refresh()
  }

  return {
    asked,
    error,
    /** To be shown until they are put away: nobody is told them again. */
    recoveryCodes,
    putCodesAway: () => setRecoveryCodes([]),
    isBusy: turn.isPending,
    begin: () => turn.mutate({}),
    confirm: (code: string) =>
      asked !== null && turn.mutate({ verificationReference: asked.reference, verificationCode: code }),
    close: () => {
      setAsked(null)
      setError(null)
    },
    dismissError: () => setError(null),
  }
}
