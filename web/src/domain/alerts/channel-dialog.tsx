/** Adds or changes an alert channel. */
import type { AlertChannel, AlertService } from '@tributary/contract/alert-channels'
import { secretMask } from '@tributary/contract/limits'
import { useState } from 'react'
import { SecretField } from '../../ui/forms/choice-fields.tsx'
import { RadioGroup } from '../../ui/forms/radio-group.tsx'
import { TextField } from '../../ui/forms/text-fields.tsx'
import { useForm } from '../../ui/forms/use-form.ts'
import { Callout } from '../../ui/feedback/callout.tsx'
import { fieldErrorsOf } from '../requests/field-errors.ts'
import { MutationDialog } from '../requests/mutation-dialog.tsx'
import {
  AlertChoiceFields,
  type AlertDraft,
  defaultDraft,
  findMissing,
  toChoiceInput,
  toDraft,
} from './alert-choice-fields.tsx'
import { type AlertOwner, useSaveChannel } from './alert-queries.ts'
import { serviceTitles } from './alert-words.ts'
import css from './alerts.module.css'
import { WebhookSecretDialog } from './webhook-secret-dialog.tsx'

interface ChannelDialogProps {
  readonly owner: AlertOwner
  /** Null adds one. */
  readonly channel: AlertChannel | null
  readonly onClose: () => void
}

const services: readonly { readonly value: AlertService; readonly label: string }[] = [
  { value: 'slack', label: serviceTitles.slack },
  { value: 'teams', label: serviceTitles.teams },
  { value: 'webhook', label: serviceTitles.webhook },
]

const placeholders: Readonly<Record<AlertService, string>> = {
  slack: 'https://hooks.slack.com/services/…',
  teams: 'https://….environment.api.powerplatform.com/…',
  webhook: 'https://hooks.example.com/tributary',
}

export function ChannelDialog({ owner, channel, onClose }: ChannelDialogProps) {
  const [service, setService] = useState<AlertService>(channel?.Service ?? 'slack')
  const [draft, setDraft] = useState<AlertDraft>(channel === null ? defaultDraft : toDraft(channel))
  const [isDraftDirty, setDraftDirty] = useState(false)
  const [missing, setMissing] = useState<string | null>(null)
  const [secret, setSecret] = useState<string | null>(null)
  const form = useForm({ name: channel?.Name ?? '', address: channel === null ? '' : secretMask })
  const save = useSaveChannel(owner, channel?.Id ?? null, (saved) =>
    saved.Secret === null ? onClose() : setSecret(saved.Secret),
  )
  function submit() {
    const isComplete = form.validate()
    setMissing(findMissing(draft))
    if (!isComplete || findMissing(draft) !== null) return
    const entered = String(form.values['address']).trim()
    const address = entered === secretMask && channel !== null ? channel.Address : entered
    const input = { ...toChoiceInput(draft), service, name: String(form.values['name']).trim(), address }
    save.mutate(input, { onError: (error) => form.showErrors(fieldErrorsOf(error)) })
  }
  if (secret !== null) return <WebhookSecretDialog secret={secret} onClose={onClose} />
  return (
    <MutationDialog
      kind="drawer"
      title={channel === null ? 'Add a channel' : `Change ${channel.Name}`}
      isDirty={form.isDirty || isDraftDirty}
      mutation={save}
      onClose={onClose}
      onSubmit={submit}
      submitLabel="Save"
    >
      {channel === null ? (
        <RadioGroup label="Service" choices={services} value={service} onChange={setService} hasFocus />
      ) : null}
      <SetupSteps service={service} />
      <AddressField form={form} service={service} isStored={channel !== null} />
      <TextField
        field={form.bind('name')}
        label="Name"
        help="How you recognise it here, for example the name of the channel in the service."
        placeholder="#data-alerts"
        isRequired
      />
      <AlertChoiceFields
        owner={owner}
        draft={draft}
        timeZone={channel?.TimeZone ?? null}
        onChange={(next) => {
          setDraft(next)
          setDraftDirty(true)
          setMissing(null)
        }}
      />
      {missing === null ? null : (
        <Callout tone="error" isAlert>
          {missing}
        </Callout>
      )}
    </MutationDialog>
  )
}

interface AddressFieldProps {
  readonly form: ReturnType<typeof useForm>
  readonly service: AlertService
  readonly isStored: boolean
}

/** A stored address is a secret, which is replaced and never shown. A new one is shown, because it is pasted and checked. */
function AddressField({ form, service, isStored }: AddressFieldProps) {
  const common = { field: form.bind('address'), label: 'Address', isRequired: true }
  if (isStored) return <SecretField {...common} mask={secretMask} placeholder={placeholders[service]} />
  return <TextField {...common} type="url" placeholder={placeholders[service]} />
}

const setupSteps: Readonly<Record<AlertService, readonly string[]>> = {
  slack: [
    'In Slack, open the settings of an app of your workspace, or create one.',
    'Switch on Incoming Webhooks, choose Add New Webhook, and choose the channel.',
    'Copy the address of the webhook and paste it here.',
  ],
  teams: [
    'In Microsoft Teams, open the menu of the channel and choose Workflows.',
    'Choose the template for webhook alerts to a channel, and save it.',
    'Copy the address that it shows and paste it here. Office 365 connectors no longer work.',
  ],
  webhook: [
    'Let a program of yours accept JSON at an https address, and enter it here.',
    'Save, and copy the secret that signs the messages. It is shown once.',
  ],
}

function SetupSteps({ service }: { service: AlertService }) {
  return (
    <ol className={css.steps} aria-label={`How to get the address for ${serviceTitles[service]}`}>
      {setupSteps[service].map((step) => (
        <li key={step}>{step}</li>
      ))}
    </ol>
  )
}
