import { call } from '../../api/call.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { useOrganisationId } from '../../api/session/workspace.ts'
import { useIsMounted } from '../../ui/hooks/use-is-mounted.ts'
import { oauthAppList } from './api.ts'
import { useRefreshConnectorLists } from './use-choose-companies.ts'
import { useInvalidate } from '../../api/use-invalidate.ts'

interface AddOauthAppCallbacks {
  /** An own app has been stored; the user signs in with it next. */
  readonly onApp: () => void
  /** A custom connection has created its connector. */
  readonly onConnected: (connectorIds: readonly string[]) => void
}

interface OauthAppInput {
  readonly kind: 'app' | 'machine'
  readonly clientId: string
  readonly clientSecret: string
}

export function useAddOauthApp(type: string, { onApp, onConnected }: AddOauthAppCallbacks) {
  const params = { clientId: useOrganisationId() }
  const refresh = useRefreshConnectorLists()
  const invalidate = useInvalidate()
  const isShown = useIsMounted()
  return useMutation({
    mutationFn: (input: OauthAppInput) =>
      call('POST /tributary/clients/:clientId/oauth-apps', { params, body: { type, ...input } }),
    onSuccess: async ({ App, ConnectorIds }) => {
      if (App.Kind === 'machine') await refresh()
      if (!isShown()) return
      if (App.Kind === 'app') onApp()
      else onConnected(ConnectorIds)
    },
    onSettled: () => invalidate(oauthAppList(params.clientId)),
  })
}
