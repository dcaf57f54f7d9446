/** Starts a verification, whose end is announced to the person who started it. */
import { call } from '../../api/call.ts'
import type { ConnectorParams } from '../../api/queries/runs.ts'
import { rememberStarted } from '../../api/queries/started-runs.ts'
import { useInvalidate } from '../../api/use-invalidate.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { announceToScreenReader } from '../../ui/feedback/toasts.tsx'
import { verificationKey } from './api.ts'

export interface VerificationTarget {
  readonly ids: ConnectorParams
  /** The name of the connector. */
  readonly title: string
}

interface VerificationRequest {
  readonly repair: boolean
  /** Absent: all tables. */
  readonly streams?: string[]
}

export function useStartVerification({ ids, title }: VerificationTarget, onStarted: (runId: string) => void) {
  const invalidate = useInvalidate()
  return useMutation({
    mutationFn: (body: VerificationRequest) =>
      call('POST /tributary/clients/:clientId/connectors/:connectorId/verification', {
        params: { clientId: ids.clientId, connectorId: ids.connectorId },
        body,
      }),
    onSuccess: ({ RunId }) => {
      announceToScreenReader(`The verification of ${title} has started`)
      rememberStarted({ ...ids, runId: RunId, name: title })
      onStarted(RunId)
    },
    onSettled: () => invalidate({ queryKey: verificationKey(ids) }),
  })
}
