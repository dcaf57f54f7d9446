/** How a source at which people sign in is connected: by the provider's app, by one's own, or without anybody signing in. */
import type { ConnectorType } from '@tributary/contract/connector-catalogue'
import type { Connector } from '@tributary/contract/connectors'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { buildAuthorisationUrl } from '../../api/queries/authorisations.ts'
import { messageOf } from '@tributary/client/call-error'
import { useWorkspace } from '../../api/session/workspace.ts'
import { CancelButton, Dialog } from '../../ui/dialogs/dialog.tsx'
import { LoadFailure } from '../../ui/feedback/empty-state.tsx'
import { useForm } from '../../ui/forms/form.ts'
import { RadioChoice } from '../../ui/forms/radio-group.tsx'
import { appList } from './api.ts'
import { AppFields } from './oauth-app-fields.tsx'
import css from './authorisations.module.css'
import { Failure } from './mutation-error.tsx'
import { OwnApps, useRemoveApp } from './oauth-app-list.tsx'
import { useAddApp } from './use-add-oauth-app.ts'
import { type Apps, asksForApp, type Way, waysOf } from './authorisation-methods.ts'

interface WaysDialogProps {
  readonly type: ConnectorType
  /** The connector that is to be connected again; null for new ones. */
  readonly former: Connector | null
  readonly onConnected: (connectorIds: readonly string[]) => void
  readonly onClose: () => void
}

export function WaysDialog(props: WaysDialogProps) {
  const clientId = useWorkspace().organisation.Id
  const { data, error, refetch } = useQuery(appList(clientId))
  if (data !== undefined) return <Ways {...props} apps={data} />
  // Asked for when the page opened, so that there is hardly ever anything to wait for.
  if (error === null) return null
  return (
    <Dialog kind="drawer" title={titleOf(props)} onClose={props.onClose} footer={<CancelButton />}>
      <LoadFailure message={messageOf(error)} onRetry={() => void refetch()} />
    </Dialog>
  )
}

function Ways({ apps, ...props }: WaysDialogProps & { apps: Apps }) {
  const { type, former, onConnected, onClose } = props
  const clientId = useWorkspace().organisation.Id
  const ways = waysOf(type, apps)
  const [way, setWay] = useState<Way>(ways[0]?.value ?? 'own')
  const form = useForm({ clientId: '', clientSecret: '' }, {})
  const addressBy = (app?: 'own') => buildAuthorisationUrl(type.Type, clientId, { app, connectorId: former?.Id })
  const add = useAddApp(type.Type, { onApp: () => window.location.assign(addressBy('own')), onConnected })
  const remove = useRemoveApp()
  const isAsking = asksForApp(way, type, apps)
  function submit() {
    if (isAsking && form.validate())
      add.mutate({ kind: way === 'machine' ? 'machine' : 'app', ...entered(form.values) })
  }

  return (
    <Dialog
      kind="drawer"
      title={titleOf(props)}
      subtitle={former === null ? type.Description : 'Its name, key, schedule, history and rows stay.'}
      isDirty={form.isDirty && isAsking}
      isBusy={add.isPending || remove.isPending}
      onClose={onClose}
      onSubmit={submit}
      footer={
        <>
          <CancelButton />
          {isAsking ? (
            <Button type="submit" loading={add.isPending}>
              {way === 'machine' ? 'Connect' : `Save and continue to ${type.Title}`}
            </Button>
          ) : (
            <ContinueLink to={addressBy(way === 'own' ? 'own' : undefined)} title={type.Title} />
          )}
        </>
      }
    >
      <Failure of={add} />
      <RadioChoice label="How to connect" choices={ways} value={way} onChange={setWay} hasFocus />
      <Steps steps={way === 'provider' ? type.Guide : []} />
      {isAsking ? (
        <AppFields type={type} way={way} form={form} redirectAddress={apps.RedirectAddresses[type.Type]} />
      ) : null}
      <OwnApps type={type} apps={apps} remove={remove} />
    </Dialog>
  )
}

/** What happens at the source. */
function Steps({ steps }: { steps: ConnectorType['Guide'] }) {
  if (steps.length === 0) return null
  return (
    <ol className={css.steps}>
      {steps.map((step) => (
        <li key={step}>{step}</li>
      ))}
    </ol>
  )
}

/** The browser leaves the portal by it. */
function ContinueLink({ to, title }: { to: string; title: string }) {
  return (
    <Button component="a" href={to}>
      Continue to {title}
    </Button>
  )
}

function titleOf({ type, former }: Pick<WaysDialogProps, 'type' | 'former'>): string {
  return former === null ? `Add ${type.Title}` : `Reconnect ${former.Name}`
}

function entered({ clientId, clientSecret }: Readonly<Record<string, string | boolean>>) {
  return { clientId: String(clientId).trim(), clientSecret: String(clientSecret) }
}
