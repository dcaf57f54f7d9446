/** The organisation's own OAuth apps; an app that no connector uses can be deleted. */
import type { OauthApp } from '@tributary/contract/authorisations'
import type { ConnectorType } from '@tributary/contract/connector-catalogue'
import { Button } from '@mantine/core'
import { type UseMutationResult } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { useOrganisationId } from '../../api/session/workspace.ts'
import { announceToScreenReader } from '../../ui/feedback/toasts.tsx'
import { oauthAppList } from './api.ts'
import css from './authorisations.module.css'
import { MutationError } from '../../domain/requests/mutation-error.tsx'
import { type OauthApps, describeApp } from './authorisation-methods.ts'
import { useInvalidate } from '../../api/use-invalidate.ts'

interface OauthAppListProps {
  readonly type: ConnectorType
  readonly apps: OauthApps
  readonly remove: UseMutationResult<unknown, Error, string>
}

export function OauthAppList({ type: { Type }, apps: { Own }, remove }: OauthAppListProps) {
  const apps = Own.filter((app) => app.Type === Type)
  if (apps.length === 0) return null
  return (
    <section className={css.part} aria-labelledby="own-apps">
      <h3 id="own-apps">Apps of your organisation</h3>
      <MutationError of={remove} />
      <ul className={css.apps}>
        {apps.map((app) => (
          <OauthAppItem key={app.Id} app={app} isBusy={remove.isPending} onRemove={() => remove.mutate(app.Id)} />
        ))}
      </ul>
    </section>
  )
}

function OauthAppItem({ app, isBusy, onRemove }: { app: OauthApp; isBusy: boolean; onRemove: () => void }) {
  const [isConfirming, setConfirming] = useState(false)
  return (
    <li className={css.app}>
      <div className={css.appWords}>
        <code>{app.ClientId}</code>
        <p className="small subtle">
          {isConfirming ? 'Its secret is deleted here; the app itself stays at the source.' : describeApp(app)}
        </p>
      </div>
      {isConfirming ? (
        <>
          <Button variant="default" size="compact-md" onClick={() => setConfirming(false)}>
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
          onClick={() => setConfirming(true)}
        >
          Delete
        </Button>
      )}
    </li>
  )
}

export function useRemoveOauthApp() {
  const clientId = useOrganisationId()
  const invalidate = useInvalidate()
  return useMutation({
    mutationFn: (appId: string) =>
      call('DELETE /tributary/clients/:clientId/oauth-apps/:appId', { params: { clientId, appId } }),
    onSuccess: () => announceToScreenReader('The app is deleted.'),
    onSettled: () => invalidate(oauthAppList(clientId)),
  })
}
