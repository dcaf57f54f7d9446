import { pollMs } from '@tributary/contract/limits'
import type { Run } from '@tributary/contract/runs'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../call.ts'

export interface ConnectorPlace {
  readonly clientId: string
  readonly connectorId: string
}
export interface RunPlace extends ConnectorPlace {
  readonly runId: string
}

/** Polled while the run is unfinished, also in a hidden tab: the user may be waiting for its end. */
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
