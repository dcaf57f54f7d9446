/** Adds, edits or reconnects a connector: one form, generated from the type's sections, next to the setup guide. */
import type { ConnectorType } from '@tributary/contract/connector-catalogue'
import type { CheckResult, Connector } from '@tributary/contract/connectors'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { CallError } from '@tributary/client/call-error'
import { CancelButton, Dialog } from '../../../ui/dialogs/dialog.tsx'
import type { FormState, FormValues } from '../../../ui/forms/use-form.ts'
import { useIsMounted } from '../../../ui/hooks/use-is-mounted.ts'
import { TestResults } from './test-results.tsx'
import { ConnectorFields } from './connector-fields.tsx'
import css from '../connectors.module.css'
import type { AdditionalSettings } from '../additional-settings/additional-settings.ts'
import { AdditionalSettingsFields } from '../additional-settings/additional-settings-fields.tsx'
import { WithSetupGuide } from './setup-guide.tsx'
import { useConnectorForm } from './use-connector-form.ts'
import { type SavedConnector, useSaveConnector } from './use-save-connector.ts'
import { useScrollIntoView } from '../../../ui/hooks/use-scroll-into-view.ts'
import { useTestSettings } from './use-test-settings.ts'
import { focusOnMount } from '../../../ui/hooks/focus-on-mount.ts'
import { MutationError, type FailableMutation } from '../../../domain/requests/mutation-error.tsx'
import { WebhookSecretDialog } from '../../../domain/alerts/webhook-secret-dialog.tsx'

interface ConnectorDrawerProps {
  readonly type: ConnectorType
  /** Null adds a connector; a disconnected one is reconnected. */
  readonly connector: Connector | null
  readonly initialName: string
  readonly onClose: () => void
  readonly onSaved: (saved: SavedConnector) => void
}

export function ConnectorDrawer({ type, connector, initialName, onClose, onSaved }: ConnectorDrawerProps) {
  const { form, first, toSettingsInput } = useConnectorForm({ type, connector, initialName })
  const [settings, setSettings] = useState<AdditionalSettings>({})
  const [pending, setPending] = useState<SavedConnector | null>(null)
  const isShown = useIsMounted()
  const { check, discover } = useTestSettings(type, connector, form)
  const save = useSaveConnector({
    type,
    connector,
    // The webhook secret is shown only once, so the form stays open until the user has seen it.
    onSaved: (saved) => {
      if (saved.webhookSecret !== null) setPending(saved)
      else if (isShown()) onSaved(saved)
    },
  })

  const showFieldErrors = (error: Error) => error instanceof CallError && form.showErrors(error.fields)
  const saveValues = (values: FormValues = form.values) =>
    save.mutate({ ...toSettingsInput(values), additionalSettings: settings }, { onError: showFieldErrors })
  const confirmation = useSaveConfirmation(check.data, form, saveValues)

  if (pending?.webhookSecret != null)
    return <WebhookSecretDialog secret={pending.webhookSecret} onClose={() => onSaved(pending)} />
  return (
    <Dialog
      kind="wide drawer"
      title={drawerTitle(type, connector)}
      subtitle={connector === null ? type.Description : type.Title}
      isDirty={form.isDirty || Object.keys(settings).length > 0}
      isBusy={save.isPending}
      onClose={onClose}
      onSubmit={confirmation.submit}
      footer={
        <DrawerFooter
          confirmation={confirmation}
          isChecking={check.isPending}
          isSaving={save.isPending}
          onCheck={() => form.validate() && check.mutate(toSettingsInput().properties)}
        />
      }
    >
      <LatestError of={[save, check, discover]} />
      <WithSetupGuide type={type}>
        <ConnectorFields
          type={type}
          connector={connector}
          form={form}
          first={first}
          onSaveLake={saveValues}
          tables={{
            offered: discover.data ?? null,
            isDiscovering: discover.isPending,
            onDiscover: () => discover.mutate(toSettingsInput().properties),
          }}
        />
        {connector?.Status === 'CONNECTED' ? (
          <AdditionalSettingsFields connector={connector} settings={settings} onChange={setSettings} />
        ) : null}
        {check.data === undefined || check.isPending ? null : <TestResults results={check.data} />}
      </WithSetupGuide>
    </Dialog>
  )
}

/** Asks for confirmation before saving settings whose latest test failed. `result`: the checks of that test. */
function useSaveConfirmation(result: readonly CheckResult[] | undefined, form: FormState, save: () => void) {
  const [isConfirming, setConfirming] = useState(false)
  const saveNow = () => {
    setConfirming(false)
    save()
  }
  return {
    isConfirming,
    cancel: () => setConfirming(false),
    saveAnyway: () => form.validate() && saveNow(),
    submit() {
      if (!form.validate()) return
      if (result?.some(({ Outcome }) => Outcome === 'failed') === true) setConfirming(true)
      else saveNow()
    },
  }
}

/** Error banner of the latest failed attempt: saving, testing or listing tables. */
function LatestError({ of: attempts }: { of: readonly FailableMutation[] }) {
  const error = attempts.find((attempt) => attempt.error !== null)?.error ?? null
  const box = useScrollIntoView<HTMLDivElement>(error)
  if (error === null) return null
  return (
    <div ref={box}>
      <MutationError of={attempts} />
    </div>
  )
}

interface DrawerFooterProps {
  readonly confirmation: ReturnType<typeof useSaveConfirmation>
  readonly isChecking: boolean
  readonly isSaving: boolean
  readonly onCheck: () => void
}

function DrawerFooter({ confirmation, isChecking, isSaving, onCheck }: DrawerFooterProps) {
  if (confirmation.isConfirming)
    return (
      <>
        <span className={css.ask} role="alert">
          The connection test failed. If you save it, it cannot run until its settings are correct.
        </span>
        <Button variant="default" ref={focusOnMount} onClick={confirmation.cancel}>
          Keep editing
        </Button>
        <Button onClick={confirmation.saveAnyway}>Save anyway</Button>
      </>
    )
  return (
    <>
      <Button variant="default" className={css.start} loading={isChecking} onClick={onCheck}>
        Test connection
      </Button>
      <CancelButton />
      <Button type="submit" loading={isSaving}>
        Save
      </Button>
    </>
  )
}

function drawerTitle(type: ConnectorType, connector: Connector | null): string {
  if (connector === null) return `Add ${type.Title}`
  return `${connector.Status === 'CONNECTED' ? 'Edit' : 'Reconnect'} ${connector.Name}`
}
