import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { connectorList, ownTypes } from '../../api/queries/common-queries.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { useWorkspace } from '../../api/session/workspace.ts'
import { useIsMounted } from '../../ui/hooks/use-is-mounted.ts'
import { authorisationQuery } from './api.ts'

/**
 * Creates connectors for the chosen companies. Calls `onConnected` after the lists are refetched, so that they
 * contain the new connectors.
 */
export function useChooseCompanies(authorisationId: string, onConnected: (connectorIds: readonly string[]) => void) {
  const params = { clientId: useWorkspace().organisation.Id, authorisationId }
  const refresh = useRefreshConnectorLists()
  const queryClient = useQueryClient()
  const isShown = useIsMounted()
  return useMutation({
    mutationFn: (body: { tenantIds: string[]; confirmOther?: boolean }) =>
      call('POST /tributary/clients/:clientId/authorisations/:authorisationId', { params, body }),
    onSuccess: async ({ ConnectorIds }) => {
      await refresh()
      if (isShown()) onConnected(ConnectorIds)
    },
    // Another user may have connected one of the companies in the meantime.
    onError: () => queryClient.invalidateQueries({ queryKey: authorisationQuery(params).queryKey }),
  })
}

export function useRefreshConnectorLists(): () => Promise<unknown> {
  const clientId = useWorkspace().organisation.Id
  const queryClient = useQueryClient()
  return () =>
    Promise.all(
      [connectorList(clientId), ownTypes(clientId)].map(({ queryKey }) => queryClient.invalidateQueries({ queryKey })),
    )
}
