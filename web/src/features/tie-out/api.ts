/** What the tie-out asks the server. */
import { pollMs } from '@tributary/contract/limits'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import type { ConnectorParams } from '../../api/queries/runs.ts'

const keyOf = (what: string, { clientId, connectorId }: ConnectorParams) => ['tie-out', what, clientId, connectorId]

export const latestTieOut = (params: ConnectorParams) =>
  queryOptions({
    queryKey: keyOf('latest', params),
    queryFn: ({ signal }) =>
      call('GET /tributary/clients/:clientId/connectors/:connectorId/tie-out', { params, signal }),
    refetchInterval: pollMs,
  })

/** `runId`: of which tie-out; the lines kept are those of the latest, so that another run's are asked for anew. */
export const linesOf = (params: ConnectorParams, { period, runId }: { period: string; runId: string }) =>
  queryOptions({
    queryKey: [...keyOf('lines', params), period, runId],
    queryFn: ({ signal }) =>
      call('GET /tributary/clients/:clientId/connectors/:connectorId/tie-out/lines', {
        params,
        query: { period },
        signal,
      }),
    placeholderData: keepPreviousData,
  })

export const documentsOf = (params: ConnectorParams, { period, accountId }: { period: string; accountId: string }) =>
  queryOptions({
    queryKey: [...keyOf('documents', params), period, accountId],
    queryFn: ({ signal }) =>
      call('GET /tributary/clients/:clientId/connectors/:connectorId/tie-out/documents', {
        params,
        query: { period, accountId },
        signal,
      }),
  })

export const pastTieOuts = (params: ConnectorParams) =>
  queryOptions({
    queryKey: keyOf('history', params),
    queryFn: ({ signal }) =>
      call('GET /tributary/clients/:clientId/connectors/:connectorId/tie-out/history', { params, signal }),
  })
