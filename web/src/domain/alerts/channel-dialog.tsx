/** Adds or changes an alert channel. */
import type { AlertChannel, AlertService } from '@tributary/contract/alert-channels'
import { secretMask } from '@tributary/contract/limits'
import { useState } from 'react'
import { SecretField } from '../../ui/forms/choice-fields.tsx'
import { RadioGroup } from '../../ui/forms/radio-group.tsx'
import { TextField } from '../../ui/forms/text-fields.tsx'
import { useForm } from '../../ui/forms/use-form.ts'
import { NumberedSteps } from '../../ui/layout/numbered-steps.tsx'
import { fieldErrorsOf } from '../requests/field-errors.ts'
import { MutationDialog } from '../requests/mutation-dialog.tsx'
import { AlertChoiceFields } from './alert-choice-fields.tsx'
import { type AlertOwner, useSaveChannel } from './alert-queries.ts'
import { serviceTitles } from './alert-words.ts'
import { defaultDraft, toChoiceInput, toDraft, useAlertDraft } from './use-alert-draft.ts'
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
  const { service, setService, form, choice, save, submit, secret } = useChannelForm({ owner, channel, onClose })
  if (secret !== null) return <WebhookSecretDialog secret={secret} onClose={onClose} />
  return (
    <MutationDialog
      kind="drawer"
      title={channel === null ? 'Add a channel' : `Change ${channel.Name}`}
      isDirty={form.isDirty || choice.isDirty}
      mutation={save}
      onClose={onClose}
      onSubmit={submit}
      submitLabel="Save"
    >
      {channel === null ? (
        <RadioGroup label="Service" choices={services} value={service} onChange={setService} hasFocus />
      ) : null}
      <AddressFields form={form} service={service} stored={channel?.Address ?? null} />
      <AlertChoiceFields
        owner={owner}
        draft={choice.draft}
        timeZone={channel?.TimeZone ?? null}
        missing={choice.missing}
        onChange={choice.change}
      />
    </MutationDialog>
  )
}

/** `secret`: of a webhook whose address is new. It is shown before the dialog closes. */
function useChannelForm({ owner, channel, onClose }: ChannelDialogProps) {
  const [service, setService] = useState<AlertService>(channel?.Service ?? 'slack')
  const [secret, setSecret] = useState<string | null>(null)
  const choice = useAlertDraft(channel === null ? defaultDraft : toDraft(channel))
  const form = useForm({ name: channel?.Name ?? '', address: channel === null ? '' : secretMask })
  const save = useSaveChannel(owner, channel?.Id ?? null, (saved) =>
    saved.Secret === null ? onClose() : setSecret(saved.Secret),
  )
  function submit() {
    const [isFilled, isTicked] = [form.validate(), choice.validate()]
    if (!isFilled || !isTicked) return
    const entered = String(form.values['address']).trim()
    const address = entered === secretMask && channel !== null ? channel.Address : entered
    const input = { ...toChoiceInput(choice.draft), service, name: String(form.values['name']).trim(), address }
    save.mutate(input, { onError: (error) => form.showErrors(fieldErrorsOf(error)) })
  }
  return { service, setService, form, choice, save, submit, secret }
}

interface AddressFieldsProps {
  readonly form: ReturnType<typeof useForm>
  readonly service: AlertService
  /** The masked address; null: none is stored. */
  readonly stored: string | null
}

/** A stored address is a secret, which is replaced and never shown. A new one is shown, because it is pasted and checked. */
function AddressFields({ form, service, stored }: AddressFieldsProps) {
  const isKept = stored !== null && form.values['address'] === secretMask
  const address = {
    field: form.bind('address'),
    label: 'Address',
    isRequired: true,
    placeholder: placeholders[service],
  }
  return (
    <>
      {isKept ? null : (
        <NumberedSteps label={`How to get the address for ${serviceTitles[service]}`} steps={setupSteps[service]} />
      )}
      {stored === null ? (
        <TextField {...address} type="url" />
      ) : (
        <SecretField {...address} mask={secretMask} help={`The stored one begins with ${new URL(stored).origin}.`} />
      )}
      <TextField
        field={form.bind('name')}
        label="Name"
        help="How you recognise it here, for example the name of the channel in the service."
        placeholder="#data-alerts"
        isRequired
      />
    </>
  )
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
