/** The organisation's own apps at the source, and the way to forget one that no connector uses. */
import type { OauthApp } from '@tributary/contract/authorisations'
import type { ConnectorType } from '@tributary/contract/connector-catalogue'
import { Button } from '@mantine/core'
import { type UseMutationResult, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { useWorkspace } from '../../api/session/workspace.ts'
import { tell } from '../../ui/feedback/toasts.tsx'
import { appList } from './api.ts'
import css from './authorisations.module.css'
import { Failure } from './mutation-error.tsx'
import { type Apps, appWords } from './authorisation-methods.ts'

interface OwnAppsProps {
  readonly type: ConnectorType
  readonly apps: Apps
  readonly remove: UseMutationResult<unknown, Error, string>
}

export function OwnApps({ type: { Type }, apps: { Own }, remove }: OwnAppsProps) {
  const apps = Own.filter((app) => app.Type === Type)
  if (apps.length === 0) return null
  return (
    <section className={css.part} aria-labelledby="own-apps">
      <h3 id="own-apps">Apps of your organisation</h3>
      <Failure of={remove} />
      <ul className={css.apps}>
        {apps.map((app) => (
          <OwnApp key={app.Id} app={app} isBusy={remove.isPending} onRemove={() => remove.mutate(app.Id)} />
        ))}
      </ul>
    </section>
  )
}

function OwnApp({ app, isBusy, onRemove }: { app: OauthApp; isBusy: boolean; onRemove: () => void }) {
  const [isAsked, setAsked] = useState(false)
  return (
    <li className={css.app}>
      <div className={css.appWords}>
        <code>{app.ClientId}</code>
        <p className="small subtle">
          {isAsked ? 'Its secret is forgotten here; the app itself stays at the source.' : appWords(app)}
        </p>
      </div>
      {isAsked ? (
        <>
          <Button variant="default" size="compact-md" onClick={() => setAsked(false)}>
            Keep
          </Button>
          <Button color="red" size="compact-md" loading={isBusy} onClick={onRemove}>
            Delete
          </Button>
        </>
      ) : (
        <Button
          variant="default"
          size="compact-md"
          disabled={app.Connectors > 0}
          aria-label={`Delete ${app.ClientId}`}
          onClick={() => setAsked(true)}
        >
          Delete
        </Button>
      )}
    </li>
  )
}

export function useRemoveApp() {
  const clientId = useWorkspace().organisation.Id
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (appId: string) =>
      call('DELETE /tributary/clients/:clientId/oauth-apps/:appId', { params: { clientId, appId } }),
    onSuccess: () => tell('The app is deleted.'),
    onSettled: () => queryClient.invalidateQueries({ queryKey: appList(clientId).queryKey }),
  })
}
