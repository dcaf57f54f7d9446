import type { Connector } from '@tributary/contract/connectors'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { call } from '../../api/call.ts'
import { messageOf } from '../../api/call-error.ts'
import { connectorList } from '../../api/lists.ts'
import { useWorkspace } from '../../api/workspace.ts'
import { announce } from '../../ui/announce.tsx'

/** The address that opens a run over the present page; without a run, the connector's history. */
export function withRun(current: URLSearchParams, connectorId: string, runId: string | undefined): URLSearchParams {
  const next = new URLSearchParams(current)
  next.set('connector', connectorId)
  if (runId === undefined) next.delete('run')
  else next.set('run', runId)
  return next
}

/** Starts a run and opens it, so that one sees how it goes. */
export function useStartRun({ Id, Name }: Connector, onError: (message: string) => void) {
  const { organisation } = useWorkspace()
  const queryClient = useQueryClient()
  const clientId = organisation.Id
  const setParams = useSearchParams()[1]
  return useMutation({
    mutationFn: (mode: 'incremental' | 'full') =>
      call('POST /tributary/clients/:clientId/connectors/:connectorId/process', {
        params: { clientId, connectorId: Id },
        body: { fullTransactionSync: mode === 'full' },
      }),
    onSuccess: ({ RunId }) => {
      announce(`${Name} has started`)
      setParams((current) => withRun(current, Id, RunId))
    },
    onError: (error) => onError(messageOf(error)),
    onSettled: () => queryClient.invalidateQueries({ queryKey: connectorList(clientId).queryKey }),
  })
}
