import type { Connector } from '@tributary/contract/connectors'
import { call } from '../../api/call.ts'
import { connectorList } from '../../api/queries/common-queries.ts'
import { rememberStarted } from '../../api/queries/started-runs.ts'
import { useOrganisationId } from '../../api/session/workspace.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { announceToScreenReader } from '../../ui/feedback/toasts.tsx'
import { useInvalidate } from '../../api/use-invalidate.ts'

/** By default a run moves all streams. */
export interface StartRunOptions {
  readonly mode: 'incremental' | 'full'
  readonly streams?: string[]
  /** Reads the streams again from this moment on. */
  readonly from?: string
}

/** Starts a run. Its end is announced to the user who started it, on whatever page of the portal they are. */
export function useStartRun({ Id, Name }: Pick<Connector, 'Id' | 'Name'>, onStarted: (runId: string) => void) {
  const clientId = useOrganisationId()
  const invalidate = useInvalidate()
  return useMutation({
    mutationFn: ({ mode, streams, from }: StartRunOptions) =>
      call('POST /tributary/clients/:clientId/connectors/:connectorId/process', {
        params: { clientId, connectorId: Id },
        body: {
          fullTransactionSync: mode === 'full',
          ...(streams && { streams }),
          ...(from !== undefined && { from }),
        },
      }),
    onSuccess: ({ RunId }) => {
      announceToScreenReader(`${Name} has started`)
      rememberStarted({ clientId, connectorId: Id, runId: RunId, name: Name })
      onStarted(RunId)
    },
    onSettled: () => invalidate(connectorList(clientId)),
  })
}
