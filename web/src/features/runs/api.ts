import { pollMs, runPollMs } from '@tributary/contract/limits'
import type { Run } from '@tributary/contract/runs'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../api/call.ts'

export interface RunPlace {
  readonly clientId: string
  readonly connectorId: string
}

const runsMax = 50

export const runList = (params: RunPlace) =>
  queryOptions({
    queryKey: ['runs', params.clientId, params.connectorId],
    queryFn: ({ signal }) =>
      call('GET /tributary/clients/:clientId/connectors/:connectorId/runs', { params, query: { page: 1, pageSize: runsMax }, signal }),
    refetchInterval: pollMs,
  })

/** Asked for every second while the run goes on. */
export const runDetail = (params: RunPlace & { runId: string }) =>
  queryOptions({
    queryKey: ['run', params.clientId, params.connectorId, params.runId],
    queryFn: ({ signal }) => call('GET /tributary/clients/:clientId/connectors/:connectorId/runs/:runId', { params, signal }),
    refetchInterval: ({ state }) => (state.data === undefined || isGoing(state.data) ? runPollMs : false),
  })

export const rejectedRows = (params: RunPlace & { runId: string }) =>
  queryOptions({
    queryKey: ['rejected', params.clientId, params.connectorId, params.runId],
    queryFn: ({ signal }) => call('GET /tributary/clients/:clientId/connectors/:connectorId/runs/:runId/rejected', { params, signal }),
  })

export function isGoing({ Status }: Pick<Run, 'Status'>): boolean {
  return Status === 'QUEUED' || Status === 'RUNNING' || Status === 'WAITING'
}
