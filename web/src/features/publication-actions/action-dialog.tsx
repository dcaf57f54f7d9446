/** Adds or changes an action after publications. */
import { secretMask } from '@tributary/contract/limits'
import type {
  PublicationAction,
  PublicationActionInput,
  PublicationActionKind,
} from '@tributary/contract/publication-actions'
import { useState } from 'react'
import { WebhookSecretDialog } from '../../domain/alerts/webhook-secret-dialog.tsx'
import { fieldErrorsOf } from '../../domain/requests/field-errors.ts'
import { MutationDialog } from '../../domain/requests/mutation-dialog.tsx'
import { SecretField, SelectField, SwitchField } from '../../ui/forms/choice-fields.tsx'
import { RadioGroup } from '../../ui/forms/radio-group.tsx'
import { TextField } from '../../ui/forms/text-fields.tsx'
import { type FormState, type FormValues, useForm } from '../../ui/forms/use-form.ts'
import { useSaveAction } from './action-queries.ts'
import { capacityLabels, kindTitles } from './action-words.ts'
import css from './actions.module.css'

interface ActionDialogProps {
  /** Null adds one. */
  readonly action: PublicationAction | null
  readonly onClose: () => void
}

const kinds = (['webhook', 'powerBi', 'dbt'] as const).map((value) => ({ value, label: kindTitles[value] }))

export function ActionDialog({ action, onClose }: ActionDialogProps) {
  const { kind, setKind, form, save, submit, secret } = useActionForm({ action, onClose })
  if (secret !== null) return <WebhookSecretDialog secret={secret} onClose={onClose} />
  const Fields = fieldsByKind[kind]
  return (
    <MutationDialog
      kind="drawer"
      title={action === null ? 'Add an action' : `Change ${action.Name}`}
      isDirty={form.isDirty}
      mutation={save}
      onClose={onClose}
      onSubmit={submit}
      submitLabel="Save"
    >
      {action === null ? (
        <RadioGroup label="What follows" choices={kinds} value={kind} onChange={setKind} hasFocus />
      ) : null}
      <SetupSteps kind={kind} />
      <Fields form={form} action={action} />
      <TextField field={form.bind('name')} label="Name" help="How you recognise it here." isRequired />
      <SwitchField field={form.bindSwitch('isOn')} label="Follow each publication" />
    </MutationDialog>
  )
}

/** `secret`: of a webhook whose address is new. It is shown before the dialog closes. */
function useActionForm({ action, onClose }: ActionDialogProps) {
  const [kind, setKind] = useState<PublicationActionKind>(action?.Kind ?? 'webhook')
  const [secret, setSecret] = useState<string | null>(null)
  const form = useForm(toValues(action), () => optionalUnless(kind))
  const save = useSaveAction(action?.Id ?? null, (saved) =>
    saved.SigningSecret === null ? onClose() : setSecret(saved.SigningSecret),
  )
  function submit() {
    if (!form.validate()) return
    save.mutate(toInput(kind, form.values, action), { onError: (error) => form.showErrors(fieldErrorsOf(error)) })
  }
  return { kind, setKind, form, save, submit, secret }
}

const fieldNames: Readonly<Record<PublicationActionKind, readonly string[]>> = {
  webhook: ['address'],
  powerBi: ['tenantId', 'applicationId', 'clientSecret', 'workspaceId', 'datasetId', 'capacity'],
  dbt: ['host', 'accountId', 'jobId', 'token'],
}

/** Fields of the other kinds are not shown. */
function optionalUnless(kind: PublicationActionKind) {
  const others = kinds.filter(({ value }) => value !== kind).flatMap(({ value }) => fieldNames[value])
  return Object.fromEntries(others.map((name) => [name, { isOptional: true }]))
}

function toValues(action: PublicationAction | null): FormValues {
  const stored = (isOfKind: boolean) => (isOfKind ? secretMask : '')
  return {
    name: action?.Name ?? '',
    isOn: action?.IsOn ?? true,
    address: stored(action?.Kind === 'webhook'),
    tenantId: action?.PowerBi?.TenantId ?? '',
    applicationId: action?.PowerBi?.ApplicationId ?? '',
    clientSecret: stored(action?.Kind === 'powerBi'),
    workspaceId: action?.PowerBi?.WorkspaceId ?? '',
    datasetId: action?.PowerBi?.DatasetId ?? '',
    capacity: action?.PowerBi?.Capacity ?? 'shared',
    host: action?.Dbt?.Host ?? 'cloud.getdbt.com',
    accountId: action?.Dbt?.AccountId ?? '',
    jobId: action?.Dbt?.JobId ?? '',
    token: stored(action?.Kind === 'dbt'),
  }
}

function toInput(
  kind: PublicationActionKind,
  values: FormValues,
  action: PublicationAction | null,
): PublicationActionInput {
  const text = (name: string) => String(values[name]).trim()
  const common = { name: text('name'), isOn: values['isOn'] === true, setId: action?.SetId ?? null }
  if (kind === 'webhook') {
    const address = text('address') === secretMask ? (action?.Webhook?.Address ?? '') : text('address')
    return { ...common, webhook: { address } }
  }
  if (kind === 'dbt')
    return {
      ...common,
      dbt: { host: text('host'), accountId: text('accountId'), jobId: text('jobId'), token: text('token') },
    }
  return {
    ...common,
    powerBi: {
      tenantId: text('tenantId'),
      applicationId: text('applicationId'),
      clientSecret: text('clientSecret'),
      workspaceId: text('workspaceId'),
      datasetId: text('datasetId'),
      capacity: text('capacity') === 'premium' ? 'premium' : 'shared',
    },
  }
}

interface FieldsProps {
  readonly form: FormState
  readonly action: PublicationAction | null
}

/** A stored address is a secret, which is replaced and never shown. A new one is shown, because it is pasted and checked. */
function WebhookFields({ form, action }: FieldsProps) {
  const address = {
    field: form.bind('address'),
    label: 'Address',
    isRequired: true,
    placeholder: 'https://hooks.example.com/tributary',
  }
  return action === null ? (
    <TextField {...address} type="url" />
  ) : (
    <SecretField
      {...address}
      mask={secretMask}
      help={`The stored one begins with ${new URL(action.Webhook?.Address ?? '').origin}.`}
    />
  )
}

const capacities = (['shared', 'premium'] as const).map((value) => ({ value, label: capacityLabels[value] }))

function PowerBiFields({ form }: FieldsProps) {
  const ids = [
    { name: 'tenantId', label: 'Tenant', help: 'Directory (tenant) ID of the app registration in Microsoft Entra.' },
    { name: 'applicationId', label: 'Application', help: 'Application (client) ID of the app registration.' },
  ]
  const dataset = [
    { name: 'workspaceId', label: 'Workspace', help: 'In the address of the dataset, after groups/.' },
    { name: 'datasetId', label: 'Dataset', help: 'In the address of the dataset, after datasets/.' },
  ]
  const toField = ({ name, ...rest }: { readonly name: string; readonly label: string; readonly help: string }) => (
    <TextField key={name} field={form.bind(name)} isRequired {...rest} />
  )
  return (
    <>
      {ids.map(toField)}
      <SecretField
        field={form.bind('clientSecret')}
        label="Client secret"
        help="Its value, not its ID."
        mask={secretMask}
        isRequired
      />
      {dataset.map(toField)}
      <SelectField field={form.bind('capacity')} label="Capacity of the workspace" choices={capacities} />
    </>
  )
}

function DbtFields({ form }: FieldsProps) {
  return (
    <>
      <TextField
        field={form.bind('host')}
        label="Host"
        help="In the address bar when you are signed in to dbt."
        isRequired
      />
      <TextField
        field={form.bind('accountId')}
        label="Account"
        help="In the address of the job, after accounts/."
        inputMode="numeric"
        isRequired
      />
      <TextField
        field={form.bind('jobId')}
        label="Job"
        help="In the address of the job, after jobs/."
        inputMode="numeric"
        isRequired
      />
      <SecretField field={form.bind('token')} label="Service token" mask={secretMask} isRequired />
    </>
  )
}

const fieldsByKind = { webhook: WebhookFields, powerBi: PowerBiFields, dbt: DbtFields }

const setupSteps: Readonly<Record<PublicationActionKind, readonly string[]>> = {
  webhook: [
    'Let a program of yours accept JSON at an https address, and enter it here.',
    'Save, and copy the secret that signs the messages. It is shown once.',
  ],
  powerBi: [
    'In Microsoft Entra, register an app and create a client secret.',
    'In Power BI, add the app to the workspace as a contributor.',
    'An administrator of Fabric must allow service principals to use the APIs of Power BI.',
  ],
  dbt: [
    'In the settings of your dbt account, create a service token that may run jobs.',
    'Open the job, and copy the numbers from its address.',
  ],
}

function SetupSteps({ kind }: { kind: PublicationActionKind }) {
  return (
    <ol className={css.steps} aria-label={`What ${kindTitles[kind]} needs`}>
      {setupSteps[kind].map((step) => (
        <li key={step}>{step}</li>
      ))}
    </ol>
  )
}
