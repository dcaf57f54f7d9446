/** Queries of a connector's drawer. */
import { pollMs } from '@tributary/contract/limits'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call, callPage } from '../../api/call.ts'
import type { ConnectorParams, RunParams } from '../../api/queries/runs.ts'

export const runPageSize = 25

const connectorKey = (what: string, { clientId, connectorId }: ConnectorParams) => [what, clientId, connectorId]

export const runList = (params: ConnectorParams, page: number) =>
  queryOptions({
    queryKey: [...connectorKey('runs', params), page],
    queryFn: ({ signal }) =>
      callPage('GET /tributary/clients/:clientId/connectors/:connectorId/runs', {
        params,
        query: { page, pageSize: runPageSize },
        signal,
      }),
    placeholderData: keepPreviousData,
    refetchInterval: pollMs,
  })

/** Key of all pages. */
export const runListKey = (ids: ConnectorParams) => connectorKey('runs', ids)

export const streamList = (params: ConnectorParams) =>
  queryOptions({
    queryKey: connectorKey('streams', params),
    queryFn: ({ signal }) =>
      call('GET /tributary/clients/:clientId/connectors/:connectorId/streams', { params, signal }),
    refetchInterval: pollMs,
  })

export const runsByDay = (params: ConnectorParams, days: number) =>
  queryOptions({
    queryKey: [...connectorKey('history', params), days],
    queryFn: ({ signal }) =>
      call('GET /tributary/clients/:clientId/connectors/:connectorId/history', { params, query: { days }, signal }),
    placeholderData: keepPreviousData,
  })

export const schemaChangeList = (params: ConnectorParams) =>
  queryOptions({
    queryKey: connectorKey('changes', params),
    queryFn: ({ signal }) =>
      call('GET /tributary/clients/:clientId/connectors/:connectorId/schema-changes', { params, signal }),
    refetchInterval: pollMs,
  })

export const incidentList = (params: ConnectorParams) =>
  queryOptions({
    queryKey: connectorKey('incidents', params),
    queryFn: ({ signal }) =>
      call('GET /tributary/clients/:clientId/connectors/:connectorId/incidents', { params, signal }),
    refetchInterval: pollMs,
  })

export const rejectedRows = (params: RunParams) =>
  queryOptions({
    queryKey: [...connectorKey('rejected', params), params.runId],
    queryFn: ({ signal }) =>
      call('GET /tributary/clients/:clientId/connectors/:connectorId/runs/:runId/rejected', { params, signal }),
  })
