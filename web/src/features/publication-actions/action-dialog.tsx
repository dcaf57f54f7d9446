/** Adds or changes an action after publications. */
import { secretMask } from '@tributary/contract/limits'
import type { PublicationAction, PublicationActionKind } from '@tributary/contract/publication-actions'
import { useQuery } from '@tanstack/react-query'
import { useOrganisationId } from '../../api/session/workspace.ts'
import { WebhookSecretDialog } from '../../domain/alerts/webhook-secret-dialog.tsx'
import { MutationDialog } from '../../domain/requests/mutation-dialog.tsx'
import { SecretField, SelectField, SwitchField } from '../../ui/forms/choice-fields.tsx'
import { RadioGroup } from '../../ui/forms/radio-group.tsx'
import { TextField } from '../../ui/forms/text-fields.tsx'
import type { FormState } from '../../ui/forms/use-form.ts'
import { NumberedSteps } from '../../ui/layout/numbered-steps.tsx'
import { publicationTargets } from './action-queries.ts'
import { capacityLabels, kindTitles } from './action-words.ts'
import { actionKinds, useActionForm } from './use-action-form.ts'

interface ActionDialogProps {
  /** Null adds one. */
  readonly action: PublicationAction | null
  readonly onClose: () => void
}

const kinds = actionKinds.map((value) => ({ value, label: kindTitles[value] }))

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
      <NumberedSteps label={`What ${kindTitles[kind]} needs`} steps={setupSteps[kind]} />
      <Fields form={form} action={action} />
      <TextField field={form.bind('name')} label="Name" help="How you recognise it here." isRequired />
      <SetField form={form} action={action} />
      <SwitchField field={form.bindSwitch('isOn')} label="Follow each publication" />
    </MutationDialog>
  )
}

interface FieldsProps {
  readonly form: FormState
  readonly action: PublicationAction | null
}

/** An organisation with one target database has nothing to choose. */
function SetField({ form, action }: FieldsProps) {
  const { data: sets = [] } = useQuery(publicationTargets(useOrganisationId()))
  if (sets.length < 2 && action?.SetId == null) return null
  const all = { value: '', label: 'Every target database' }
  const choices = [all, ...sets.map(({ Id, Target }) => ({ value: Id, label: Target }))]
  return <SelectField field={form.bind('setId')} label="Follow the publications of" choices={choices} />
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
