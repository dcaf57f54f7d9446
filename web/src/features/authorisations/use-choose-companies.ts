import { useInvalidate } from '../../api/use-invalidate.ts'
import { call } from '../../api/call.ts'
import { connectorList, ownTypes } from '../../api/queries/common-queries.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { useOrganisationId } from '../../api/session/workspace.ts'
import { useIsMounted } from '../../ui/hooks/use-is-mounted.ts'
import { authorisationQuery } from './api.ts'

/**
 * Creates connectors for the chosen companies. Calls `onConnected` after the lists are refetched, so that they
 * contain the new connectors.
 */
export function useChooseCompanies(authorisationId: string, onConnected: (connectorIds: readonly string[]) => void) {
  const params = { clientId: useOrganisationId(), authorisationId }
  const refresh = useRefreshConnectorLists()
  const invalidate = useInvalidate()
  const isShown = useIsMounted()
  return useMutation({
    mutationFn: (body: { tenantIds: string[]; confirmOther?: boolean; tables?: 'each' | 'shared' }) =>
      call('POST /tributary/clients/:clientId/authorisations/:authorisationId', { params, body }),
    onSuccess: async ({ ConnectorIds }) => {
      await refresh()
      if (isShown()) onConnected(ConnectorIds)
    },
    // Another user may have connected one of the companies in the meantime.
    onError: () => invalidate(authorisationQuery(params)),
  })
}

export function useRefreshConnectorLists(): () => Promise<void> {
  const clientId = useOrganisationId()
  const invalidate = useInvalidate()
  return () => invalidate(connectorList(clientId), ownTypes(clientId))
}
