import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import type { CallRequest } from '@tributary/contract/calls'
import { useMutation } from '../../api/use-mutation.ts'

type FinaliseInput = Omit<CallRequest<'POST /registration/finalise'>['body'], 'code'>

/** Sends what the sign-up still required, and caches the reply. */
export function useFinalise(code: string, queryKey: readonly string[], onJustSent: (wasSent: boolean) => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (input: FinaliseInput) => call('POST /registration/finalise', { body: { code, ...input } }),
    onSuccess: (reply) => {
      onJustSent(reply.ApprovalId !== null)
      client.setQueryData(queryKey, reply)
    },
  })
}
