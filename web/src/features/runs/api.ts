/** What the drawer asks the server. */
import { pollMs } from '@tributary/contract/limits'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call, callPage } from '../../api/call.ts'
import type { ConnectorParams, RunParams } from '../../api/queries/runs.ts'

export const runsPerPage = 25

const keyOf = (what: string, { clientId, connectorId }: ConnectorParams) => [what, clientId, connectorId]

export const runList = (params: ConnectorParams, page: number) =>
  queryOptions({
    queryKey: [...keyOf('runs', params), page],
    queryFn: ({ signal }) =>
      callPage('GET /tributary/clients/:clientId/connectors/:connectorId/runs', {
        params,
        query: { page, pageSize: runsPerPage },
        signal,
      }),
    placeholderData: keepPreviousData,
    refetchInterval: pollMs,
  })

/** Whatever page of it. */
export const runListKey = (place: ConnectorParams) => keyOf('runs', place)

export const streamList = (params: ConnectorParams) =>
  queryOptions({
    queryKey: keyOf('streams', params),
    queryFn: ({ signal }) =>
      call('GET /tributary/clients/:clientId/connectors/:connectorId/streams', { params, signal }),
    refetchInterval: pollMs,
  })

export const dayList = (params: ConnectorParams, days: number) =>
  queryOptions({
    queryKey: [...keyOf('history', params), days],
    queryFn: ({ signal }) =>
      call('GET /tributary/clients/:clientId/connectors/:connectorId/history', { params, query: { days }, signal }),
    placeholderData: keepPreviousData,
  })

export const changeList = (params: ConnectorParams) =>
  queryOptions({
    queryKey: keyOf('changes', params),
    queryFn: ({ signal }) =>
      call('GET /tributary/clients/:clientId/connectors/:connectorId/schema-changes', { params, signal }),
    refetchInterval: pollMs,
  })

export const incidentList = (params: ConnectorParams) =>
  queryOptions({
    queryKey: keyOf('incidents', params),
    queryFn: ({ signal }) =>
      call('GET /tributary/clients/:clientId/connectors/:connectorId/incidents', { params, signal }),
    refetchInterval: pollMs,
  })

export const rejectedRows = (params: RunParams) =>
  queryOptions({
    queryKey: [...keyOf('rejected', params), params.runId],
    queryFn: ({ signal }) =>
      call('GET /tributary/clients/:clientId/connectors/:connectorId/runs/:runId/rejected', { params, signal }),
  })
