/** Queries of the tie-out. */
import { pollMs } from '@tributary/contract/limits'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import type { ConnectorParams } from '../../api/queries/runs.ts'

const tieOutKey = (what: string, { clientId, connectorId }: ConnectorParams) => ['tie-out', what, clientId, connectorId]

export const latestTieOut = (params: ConnectorParams) =>
  queryOptions({
    queryKey: tieOutKey('latest', params),
    queryFn: ({ signal }) =>
      call('GET /tributary/clients/:clientId/connectors/:connectorId/tie-out', { params, signal }),
    refetchInterval: pollMs,
  })

/** `runId` is part of the key, because the server stores only the lines of the latest tie-out. */
export const tieOutLines = (params: ConnectorParams, { period, runId }: { period: string; runId: string }) =>
  queryOptions({
    queryKey: [...tieOutKey('lines', params), period, runId],
    queryFn: ({ signal }) =>
      call('GET /tributary/clients/:clientId/connectors/:connectorId/tie-out/lines', {
        params,
        query: { period },
        signal,
      }),
    placeholderData: keepPreviousData,
  })

export const tieOutDocuments = (
  params: ConnectorParams,
  { period, accountId }: { period: string; accountId: string },
) =>
  queryOptions({
    queryKey: [...tieOutKey('documents', params), period, accountId],
    queryFn: ({ signal }) =>
      call('GET /tributary/clients/:clientId/connectors/:connectorId/tie-out/documents', {
        params,
        query: { period, accountId },
        signal,
      }),
  })

export const pastTieOuts = (params: ConnectorParams) =>
  queryOptions({
    queryKey: tieOutKey('history', params),
    queryFn: ({ signal }) =>
      call('GET /tributary/clients/:clientId/connectors/:connectorId/tie-out/history', { params, signal }),
  })
