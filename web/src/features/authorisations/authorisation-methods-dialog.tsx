/**
 * The methods to connect an OAuth source: the provider's app, the organisation's own app, or a custom connection
 * without sign-in.
 */
import type { ConnectorType } from '@tributary/contract/connector-catalogue'
import type { Connector } from '@tributary/contract/connectors'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { buildAuthorisationUrl } from '../../api/queries/authorisations.ts'
import { useOrganisationId } from '../../api/session/workspace.ts'
import { CancelButton, Dialog } from '../../ui/dialogs/dialog.tsx'
import { QueryPlaceholder } from '../../domain/requests/query-placeholder.tsx'
import { useForm } from '../../ui/forms/use-form.ts'
import { RadioGroup } from '../../ui/forms/radio-group.tsx'
import { oauthAppList } from './api.ts'
import { OauthAppFields } from './oauth-app-fields.tsx'
import css from './authorisations.module.css'
import { MutationError } from '../../domain/requests/mutation-error.tsx'
import { OauthAppList, useRemoveOauthApp } from './oauth-app-list.tsx'
import {
  type OauthApps,
  needsAppCredentials,
  type AuthorisationMethod,
  authorisationMethods,
} from './authorisation-methods.ts'
import { call } from '../../api/call.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { useIsMounted } from '../../ui/hooks/use-is-mounted.ts'
import { useRefreshConnectorLists } from './use-choose-companies.ts'
import { useInvalidate } from '../../api/use-invalidate.ts'

interface AuthorisationMethodsDialogProps {
  readonly type: ConnectorType
  /** The connector to reconnect; null to add new ones. */
  readonly reconnected: Connector | null
  readonly onConnected: (connectorIds: readonly string[]) => void
  readonly onClose: () => void
}

export function AuthorisationMethodsDialog(props: AuthorisationMethodsDialogProps) {
  const clientId = useOrganisationId()
  const apps = useQuery(oauthAppList(clientId))
  if (apps.data !== undefined) return <AuthorisationMethods {...props} apps={apps.data} />
  // Already preloaded with the page, so it is almost always there.
  if (apps.error === null) return null
  return (
    <Dialog kind="drawer" title={dialogTitle(props)} onClose={props.onClose} footer={<CancelButton />}>
      <QueryPlaceholder of={apps} />
    </Dialog>
  )
}

function AuthorisationMethods({ apps, ...props }: AuthorisationMethodsDialogProps & { apps: OauthApps }) {
  const { type, reconnected, onConnected, onClose } = props
  const clientId = useOrganisationId()
  const methods = authorisationMethods(type, apps)
  const [method, setMethod] = useState<AuthorisationMethod>(methods[0]?.value ?? 'own')
  const form = useForm({ clientId: '', clientSecret: '' })
  const authoriseUrl = (app?: 'own') =>
    buildAuthorisationUrl(type.Type, clientId, { app, connectorId: reconnected?.Id })
  const add = useAddOauthApp(type.Type, () => window.location.assign(authoriseUrl('own')), onConnected)
  const remove = useRemoveOauthApp()
  const needsAppFields = needsAppCredentials(method, type, apps)
  function submit() {
    if (needsAppFields && form.validate())
      add.mutate({ kind: method === 'machine' ? 'machine' : 'app', ...trimCredentials(form.values) })
  }

  return (
    <Dialog
      kind="drawer"
      title={dialogTitle(props)}
      subtitle={reconnected === null ? type.Description : 'Its name, key, schedule, history and rows stay.'}
      isDirty={form.isDirty && needsAppFields}
      isBusy={add.isPending || remove.isPending}
      onClose={onClose}
      onSubmit={submit}
      footer={
        <>
          <CancelButton />
          {needsAppFields ? (
            <Button type="submit" loading={add.isPending}>
              {method === 'machine' ? 'Connect' : `Save and continue to ${type.Title}`}
            </Button>
          ) : (
            <ContinueLink to={authoriseUrl(method === 'own' ? 'own' : undefined)} title={type.Title} />
          )}
        </>
      }
    >
      <MutationError of={add} />
      <RadioGroup label="How to connect" choices={methods} value={method} onChange={setMethod} hasFocus />
      <GuideSteps steps={method === 'provider' ? type.Guide : []} />
      {needsAppFields ? (
        <OauthAppFields type={type} method={method} form={form} redirectAddress={apps.RedirectAddresses[type.Type]} />
      ) : null}
      <OauthAppList type={type} apps={apps} remove={remove} />
    </Dialog>
  )
}

/** The steps that the user takes at the source. */
function GuideSteps({ steps }: { steps: ConnectorType['Guide'] }) {
  if (steps.length === 0) return null
  return (
    <ol className={css.steps}>
      {steps.map((step) => (
        <li key={step}>{step}</li>
      ))}
    </ol>
  )
}

/** A plain link, because it leaves the portal. */
function ContinueLink({ to, title }: { to: string; title: string }) {
  return (
    <Button component="a" href={to}>
      Continue to {title}
    </Button>
  )
}

function dialogTitle({ type, reconnected }: Pick<AuthorisationMethodsDialogProps, 'type' | 'reconnected'>): string {
  return reconnected === null ? `Add ${type.Title}` : `Reconnect ${reconnected.Name}`
}

function trimCredentials({ clientId, clientSecret }: Readonly<Record<string, string | boolean>>) {
  return { clientId: String(clientId).trim(), clientSecret: String(clientSecret) }
}

interface OauthAppInput {
  readonly kind: 'app' | 'machine'
  readonly clientId: string
  readonly clientSecret: string
}

/**
 * @param onApp called when an own app has been stored; the user signs in with it next.
 * @param onConnected called when a custom connection has created its connector.
 */
function useAddOauthApp(type: string, onApp: () => void, onConnected: AuthorisationMethodsDialogProps['onConnected']) {
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
