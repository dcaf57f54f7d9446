/** Runs, as several parts of the portal ask for them, and starting one. */
import { pollMs } from '@tributary/contract/limits'
import type { Connector } from '@tributary/contract/connectors'
import type { Run } from '@tributary/contract/runs'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { announce } from '../../ui/feedback/toasts.tsx'
import { call } from '../call.ts'
import { connectorList } from './common-queries.ts'
import { rememberStarted } from './started-runs.ts'
import { useMutation } from '../use-mutation.ts'
import { useWorkspace } from '../session/workspace.ts'

export interface ConnectorPlace {
  readonly clientId: string
  readonly connectorId: string
}
export interface RunPlace extends ConnectorPlace {
  readonly runId: string
}

/** Asked for every ten seconds while the run goes on, in a hidden tab, too: somebody may wait there for its end. */
export const runDetail = (params: RunPlace) =>
  queryOptions({
    queryKey: ['run', params.clientId, params.connectorId, params.runId],
    queryFn: ({ signal }) =>
      call('GET /tributary/clients/:clientId/connectors/:connectorId/runs/:runId', { params, signal }),
    refetchInterval: ({ state }) => (state.data === undefined || isGoing(state.data) ? pollMs : false),
    refetchIntervalInBackground: true,
  })

export function isGoing({ Status }: Pick<Run, 'Status'>): boolean {
  return Status === 'QUEUED' || Status === 'RUNNING' || Status === 'WAITING'
}

/** What a run is to move: all of it, unless `streams` names some; `from` reads them again from that moment on. */
export interface RunWish {
  readonly mode: 'incremental' | 'full'
  readonly streams?: string[]
  readonly from?: string
}

/** Starts a run. Whoever did is told when it ends, wherever in the portal they are by then. */
export function useStartRun({ Id, Name }: Pick<Connector, 'Id' | 'Name'>, onStarted: (runId: string) => void) {
  const clientId = useWorkspace().organisation.Id
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ mode, streams, from }: RunWish) =>
      call('POST /tributary/clients/:clientId/connectors/:connectorId/process', {
        params: { clientId, connectorId: Id },
        body: {
          fullTransactionSync: mode === 'full',
          ...(streams && { streams }),
          ...(from !== undefined && { from }),
        },
      }),
    onSuccess: ({ RunId }) => {
      announce(`${Name} has started`)
      rememberStarted({ clientId, connectorId: Id, runId: RunId, name: Name })
      onStarted(RunId)
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: connectorList(clientId).queryKey }),
  })
}
