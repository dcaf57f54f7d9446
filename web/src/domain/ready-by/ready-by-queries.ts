/** Calls of *Ready by*. */
import { pollMs } from '@tributary/contract/limits'
import { callQuery } from '../../api/call-query.ts'
import type { ConnectorParams } from '../../api/queries/runs.ts'

const readyByKey = (clientId: string) => ['ready-by', clientId]

export const readyByOf = ({ clientId, connectorId }: ConnectorParams) => ({
  ...callQuery(
    [...readyByKey(clientId), connectorId],
    'GET /tributary/clients/:clientId/connectors/:connectorId/ready-by',
    {
      params: { clientId, connectorId },
    },
  ),
  refetchInterval: pollMs,
})

export const organisationReadyBy = (clientId: string) => ({
  ...callQuery(readyByKey(clientId), 'GET /tributary/clients/:clientId/ready-by', { params: { clientId } }),
  refetchInterval: pollMs,
})
