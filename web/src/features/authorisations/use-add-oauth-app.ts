import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { useWorkspace } from '../../api/session/workspace.ts'
import { useIsShown } from '../../ui/hooks/use-is-mounted.ts'
import { appList } from './api.ts'
import { useRefreshLists } from './use-choose-companies.ts'

interface AddedApp {
  /** An app of one's own is stored; somebody signs in with it next. */
  readonly onApp: () => void
  /** A custom connection has made its connector. */
  readonly onConnected: (connectorIds: readonly string[]) => void
}

interface EnteredApp {
  readonly kind: 'app' | 'machine'
  readonly clientId: string
  readonly clientSecret: string
}

export function useAddApp(type: string, { onApp, onConnected }: AddedApp) {
  const params = { clientId: useWorkspace().organisation.Id }
  const refresh = useRefreshLists()
  const queryClient = useQueryClient()
  const isShown = useIsShown()
  return useMutation({
    mutationFn: (entered: EnteredApp) =>
      call('POST /tributary/clients/:clientId/oauth-apps', { params, body: { type, ...entered } }),
    onSuccess: async ({ App, ConnectorIds }) => {
      if (App.Kind === 'machine') await refresh()
      if (!isShown()) return
      if (App.Kind === 'app') onApp()
      else onConnected(ConnectorIds)
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: appList(params.clientId).queryKey }),
  })
}
