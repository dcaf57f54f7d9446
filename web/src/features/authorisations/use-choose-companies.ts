import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { connectorList, ownTypes } from '../../api/queries/common-queries.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { useWorkspace } from '../../api/session/workspace.ts'
import { useIsShown } from '../../ui/hooks/use-is-mounted.ts'
import { authorisationOf } from './api.ts'

/** What was chosen becomes connectors; the lists know of them before `onConnected` hears of it. */
export function useChoose(authorisationId: string, onConnected: (connectorIds: readonly string[]) => void) {
  const place = { clientId: useWorkspace().organisation.Id, authorisationId }
  const refresh = useRefreshLists()
  const queryClient = useQueryClient()
  const isShown = useIsShown()
  return useMutation({
    mutationFn: (body: { tenantIds: string[]; confirmOther?: boolean }) =>
      call('POST /tributary/clients/:clientId/authorisations/:authorisationId', { params: place, body }),
    onSuccess: async ({ ConnectorIds }) => {
      await refresh()
      if (isShown()) onConnected(ConnectorIds)
    },
    // Somebody else may have connected one of them meanwhile.
    onError: () => queryClient.invalidateQueries({ queryKey: authorisationOf(place).queryKey }),
  })
}

export function useRefreshLists(): () => Promise<unknown> {
  const clientId = useWorkspace().organisation.Id
  const queryClient = useQueryClient()
  return () =>
    Promise.all(
      [connectorList(clientId), ownTypes(clientId)].map(({ queryKey }) => queryClient.invalidateQueries({ queryKey })),
    )
}
