import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import type { Ask } from '@tributary/contract/calls'
import { useMutation } from '../../api/use-mutation.ts'

type Answer = Omit<Ask<'POST /registration/finalise'>['body'], 'code'>

/** Answers what is still needed, and shows what comes of it. */
export function useFinalise(code: string, queryKey: readonly string[], onJustSent: (wasSent: boolean) => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (answer: Answer) => call('POST /registration/finalise', { body: { code, ...answer } }),
    onSuccess: (reply) => {
      onJustSent(reply.ApprovalId !== null)
      client.setQueryData(queryKey, reply)
    },
  })
}
