/** Calls of verifications. */
import { pollMs } from '@tributary/contract/limits'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { callPage } from '../../api/call.ts'
import { callQuery } from '../../api/call-query.ts'
import type { ConnectorParams } from '../../api/queries/runs.ts'

export const differencesPageSize = 50

export const verificationKey = ({ clientId, connectorId }: ConnectorParams) => ['verification', clientId, connectorId]

export const verificationOf = (params: ConnectorParams) => ({
  ...callQuery(verificationKey(params), 'GET /tributary/clients/:clientId/connectors/:connectorId/verification', {
    params,
  }),
  refetchInterval: pollMs,
})

/** @param stream null: of all tables */
export const differencesOf = (params: ConnectorParams, stream: string | null, page: number) =>
  queryOptions({
    queryKey: [...verificationKey(params), 'differences', stream, page],
    queryFn: ({ signal }) =>
      callPage('GET /tributary/clients/:clientId/connectors/:connectorId/verification/differences', {
        params,
        query: { page, pageSize: differencesPageSize, ...(stream !== null && { stream }) },
        signal,
      }),
    placeholderData: keepPreviousData,
    refetchInterval: pollMs,
  })
