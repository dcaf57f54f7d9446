/** Queries of a connector's drawer. */
import { pollMs } from '@tributary/contract/limits'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { CallRequest } from '@tributary/contract/calls'
import { call, callPage } from '../../api/call.ts'
import { useInvalidate } from '../../api/use-invalidate.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { announceToScreenReader } from '../../ui/feedback/toasts.tsx'
import { callQuery } from '../../api/call-query.ts'
import type { ConnectorParams, RunParams } from '../../api/queries/runs.ts'
import { currentTimeZone } from '../../ui/formats.ts'

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

export const connectorHistory = (params: ConnectorParams) =>
  callQuery(
    connectorKey('table history', params),
    'GET /tributary/clients/:clientId/connectors/:connectorId/table-history',
    { params },
  )

type HistoryBody = CallRequest<'PUT /tributary/clients/:clientId/connectors/:connectorId/table-history'>['body']

export function useSaveHistory(params: ConnectorParams) {
  const invalidate = useInvalidate()
  return useMutation({
    mutationFn: (body: HistoryBody) =>
      call('PUT /tributary/clients/:clientId/connectors/:connectorId/table-history', { params, body }),
    onSuccess: () => announceToScreenReader('The setting of history is saved. It takes effect with the next run.'),
    onSettled: () => invalidate(connectorHistory(params)),
  })
}

/** Key of all pages. */
export const runListKey = (ids: ConnectorParams) => connectorKey('runs', ids)

export const streamList = (params: ConnectorParams) => ({
  ...callQuery(connectorKey('streams', params), 'GET /tributary/clients/:clientId/connectors/:connectorId/streams', {
    params,
  }),
  refetchInterval: pollMs,
})

export const runsByDay = (params: ConnectorParams, days: number) => ({
  ...callQuery(
    [...connectorKey('history', params), days, currentTimeZone()],
    'GET /tributary/clients/:clientId/connectors/:connectorId/history',
    { params, query: { days, timeZone: currentTimeZone() } },
  ),
  placeholderData: keepPreviousData,
})

export const connectorUsage = (params: ConnectorParams, days: number) => ({
  ...callQuery(
    [...connectorKey('usage', params), days],
    'GET /tributary/clients/:clientId/connectors/:connectorId/usage',
    { params, query: { days } },
  ),
  placeholderData: keepPreviousData,
  refetchInterval: pollMs,
})

export const schemaChangeList = (params: ConnectorParams) => ({
  ...callQuery(
    connectorKey('changes', params),
    'GET /tributary/clients/:clientId/connectors/:connectorId/schema-changes',
    { params },
  ),
  refetchInterval: pollMs,
})

export const incidentList = (params: ConnectorParams) => ({
  ...callQuery(
    connectorKey('incidents', params),
    'GET /tributary/clients/:clientId/connectors/:connectorId/incidents',
    { params },
  ),
  refetchInterval: pollMs,
})

export const rejectedRows = (params: RunParams) =>
  callQuery(
    [...connectorKey('rejected', params), params.runId],
    'GET /tributary/clients/:clientId/connectors/:connectorId/runs/:runId/rejected',
    { params },
  )
