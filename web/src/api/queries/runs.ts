import { pollMs } from '@tributary/contract/limits'
import type { Run } from '@tributary/contract/runs'
import { queryOptions } from '@tanstack/react-query'
import { callQuery } from '../call-query.ts'

export interface ConnectorParams {
  readonly clientId: string
  readonly connectorId: string
}
export interface RunParams extends ConnectorParams {
  readonly runId: string
}

/** Polled while the run is unfinished, also in a hidden tab: the user may be waiting for its end. */
export const runDetail = (params: RunParams) =>
  queryOptions({
    ...callQuery(
      ['run', params.clientId, params.connectorId, params.runId],
      'GET /tributary/clients/:clientId/connectors/:connectorId/runs/:runId',
      { params },
    ),
    refetchInterval: ({ state }) => (state.data === undefined || isUnfinished(state.data) ? pollMs : false),
    refetchIntervalInBackground: true,
  })

export function isUnfinished({ Status }: Pick<Run, 'Status'>): boolean {
  return Status === 'QUEUED' || Status === 'RUNNING' || Status === 'WAITING'
}
