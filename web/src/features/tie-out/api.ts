/** Queries of the tie-out. */
import { pollMs } from '@tributary/contract/limits'
import { keepPreviousData } from '@tanstack/react-query'
import { callQuery } from '../../api/call-query.ts'
import type { ConnectorParams } from '../../api/queries/runs.ts'

const tieOutKey = (what: string, { clientId, connectorId }: ConnectorParams) => ['tie-out', what, clientId, connectorId]

export const latestTieOut = (params: ConnectorParams) => ({
  ...callQuery(tieOutKey('latest', params), 'GET /tributary/clients/:clientId/connectors/:connectorId/tie-out', {
    params,
  }),
  refetchInterval: pollMs,
})

/** `runId` is part of the key, because the server stores only the lines of the latest tie-out. */
export const tieOutLines = (params: ConnectorParams, { period, runId }: { period: string; runId: string }) => ({
  ...callQuery(
    [...tieOutKey('lines', params), period, runId],
    'GET /tributary/clients/:clientId/connectors/:connectorId/tie-out/lines',
    { params, query: { period } },
  ),
  placeholderData: keepPreviousData,
})

export const certificateKey = ({ clientId, connectorId }: ConnectorParams) => ['certificates', clientId, connectorId]

export const certificatesOf = (params: ConnectorParams) =>
  callQuery(certificateKey(params), 'GET /tributary/clients/:clientId/certificates', {
    params: { clientId: params.clientId },
    query: { connectorId: params.connectorId },
  })

export const tieOutDocuments = (
  params: ConnectorParams,
  query: { period: string; accountId: string; company: string },
) =>
  callQuery(
    [...tieOutKey('documents', params), query.period, query.accountId, query.company],
    'GET /tributary/clients/:clientId/connectors/:connectorId/tie-out/documents',
    { params, query },
  )

export const pastTieOuts = (params: ConnectorParams) =>
  callQuery(tieOutKey('history', params), 'GET /tributary/clients/:clientId/connectors/:connectorId/tie-out/history', {
    params,
  })
