/** Adding, editing and reconnecting a connector: one form, drawn from the type's sections, with its guide beside it. */
import type { ConnectorType } from '@tributary/contract/connector-catalogue'
import type { CheckResult, Connector } from '@tributary/contract/connectors'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { CallError, messageOf } from '@tributary/client/call-error'
import { CancelButton, Dialog } from '../../../ui/dialogs/dialog.tsx'
import { ErrorBanner } from '../../../ui/feedback/error-banner.tsx'
import type { Form } from '../../../ui/forms/form.ts'
import { useIsShown } from '../../../ui/hooks/use-is-mounted.ts'
import { CheckResults } from './test-results.tsx'
import { ConnectorFields } from './connector-fields.tsx'
import css from '../connectors.module.css'
import type { Extras } from '../additional-settings/additional-settings.ts'
import { ExtrasFields } from '../additional-settings/additional-settings-fields.tsx'
import { WithGuide } from './setup-guide.tsx'
import { useConnectorForm } from './use-connector-form.ts'
import { type Saved, useSaveConnector } from './use-save-connector.ts'
import { useInSight } from '../../../ui/hooks/use-scroll-into-view.ts'
import { useTrySettings } from './use-test-settings.ts'
import { WebhookSecret } from '../additional-settings/webhook-secret-dialog.tsx'

interface ConnectorDrawerProps {
  readonly type: ConnectorType
  /** Null adds a new one; one that is disconnected is connected again. */
  readonly connector: Connector | null
  readonly initialName: string
  readonly onClose: () => void
  readonly onSaved: (saved: Saved) => void
}

export function ConnectorDrawer({ type, connector, initialName, onClose, onSaved }: ConnectorDrawerProps) {
  const { form, first, entered } = useConnectorForm({ type, connector, initialName })
  const [extras, setExtras] = useState<Extras>({})
  const [told, setTold] = useState<Saved | null>(null)
  const isShown = useIsShown()
  const { check, discover } = useTrySettings(type, connector, form)
  const save = useSaveConnector({
    type,
    connector,
    // A secret that is told once must be seen before the form goes.
    onSaved: (saved) => {
      if (saved.webhookSecret !== null) setTold(saved)
      else if (isShown()) onSaved(saved)
    },
  })

  const asking = useAsking(check.data, form, () =>
    save.mutate(
      { ...entered(), extras },
      { onError: (error) => error instanceof CallError && form.fail(error.fields) },
    ),
  )

  if (told?.webhookSecret != null) return <WebhookSecret secret={told.webhookSecret} onClose={() => onSaved(told)} />
  return (
    <Dialog
      kind="wide drawer"
      title={titleOf(type, connector)}
      subtitle={connector === null ? type.Description : type.Title}
      isDirty={form.isDirty || Object.keys(extras).length > 0}
      isBusy={save.isPending}
      onClose={onClose}
      onSubmit={asking.submit}
      footer={
        <DrawerFooter
          asking={asking}
          isChecking={check.isPending}
          isSaving={save.isPending}
          onCheck={() => form.validate() && check.mutate(entered().properties)}
        />
      }
    >
      <Failure of={[save, check, discover]} />
      <WithGuide type={type}>
        <ConnectorFields
          type={type}
          connector={connector}
          form={form}
          first={first}
          tables={{
            offered: discover.data ?? null,
            isLooking: discover.isPending,
            onLook: () => discover.mutate(entered().properties),
          }}
        />
        {connector?.Status === 'CONNECTED' ? (
          <ExtrasFields connector={connector} extras={extras} onChange={setExtras} />
        ) : null}
        {check.data === undefined || check.isPending ? null : <CheckResults results={check.data} />}
      </WithGuide>
    </Dialog>
  )
}

/** `result` is the latest test's. Saving what failed its latest test is asked about first. */
function useAsking(result: readonly CheckResult[] | undefined, form: Form, save: () => void) {
  const [isAsking, setAsking] = useState(false)
  const saveNow = () => {
    setAsking(false)
    save()
  }
  return {
    isAsking,
    stay: () => setAsking(false),
    saveAnyway: () => form.validate() && saveNow(),
    submit() {
      if (!form.validate()) return
      if (result?.some(({ Outcome }) => Outcome === 'failed') === true) setAsking(true)
      else saveNow()
    },
  }
}

interface Attempt {
  readonly error: Error | null
  readonly reset: () => void
}

/** Of what was tried last, whether saving, testing or looking for tables. */
function Failure({ of: attempts }: { of: readonly Attempt[] }) {
  const failed = attempts.filter(({ error }) => error !== null)
  const error = failed[0]?.error ?? null
  const box = useInSight<HTMLDivElement>(error)
  if (error === null) return null
  return (
    <div ref={box}>
      <ErrorBanner message={messageOf(error)} onDismiss={() => failed.forEach(({ reset }) => reset())} />
    </div>
  )
}

function DrawerFooter({ asking, ...buttons }: DrawerButtonsProps & { asking: ReturnType<typeof useAsking> }) {
  if (asking.isAsking) return <SaveAnyway onStay={asking.stay} onSave={asking.saveAnyway} />
  return <DrawerButtons {...buttons} />
}

function SaveAnyway({ onStay, onSave }: { onStay: () => void; onSave: () => void }) {
  return (
    <>
      <span className={css.ask} role="alert">
        The connection test failed. A connector that is saved like this cannot run until its settings are right.
      </span>
      <Button variant="default" ref={focus} onClick={onStay}>
        Keep editing
      </Button>
      <Button onClick={onSave}>Save anyway</Button>
    </>
  )
}

/** The button that was pressed is gone; the one that saves nothing has the focus then. */
function focus(button: HTMLButtonElement | null) {
  button?.focus()
}

interface DrawerButtonsProps {
  readonly isChecking: boolean
  readonly isSaving: boolean
  readonly onCheck: () => void
}

function DrawerButtons({ isChecking, isSaving, onCheck }: DrawerButtonsProps) {
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

function titleOf(type: ConnectorType, connector: Connector | null): string {
  if (connector === null) return `Add ${type.Title}`
  return `${connector.Status === 'CONNECTED' ? 'Edit' : 'Reconnect'} ${connector.Name}`
}
