/** The form of an action after publications: its values, its rules, and what is sent. */
import { secretMask } from '@tributary/contract/limits'
import type {
  PublicationAction,
  PublicationActionInput,
  PublicationActionKind,
} from '@tributary/contract/publication-actions'
import { useState } from 'react'
import { fieldErrorsOf } from '../../domain/requests/field-errors.ts'
import { type FormValues, useForm } from '../../ui/forms/use-form.ts'
import { useSaveAction } from './action-queries.ts'

export const actionKinds = ['webhook', 'powerBi', 'dbt'] as const satisfies readonly PublicationActionKind[]

interface ActionFormOptions {
  /** Null adds one. */
  readonly action: PublicationAction | null
  readonly onClose: () => void
}

/** `secret`: of a webhook whose address is new. It is shown before the dialog closes. */
export function useActionForm({ action, onClose }: ActionFormOptions) {
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
  const others = actionKinds.filter((each) => each !== kind).flatMap((each) => fieldNames[each])
  return Object.fromEntries([...others, 'setId'].map((name) => [name, { isOptional: true }]))
}

const emptyPowerBi = { TenantId: '', ApplicationId: '', WorkspaceId: '', DatasetId: '', Capacity: 'shared' } as const
const emptyDbt = { Host: 'cloud.getdbt.com', AccountId: '', JobId: '' }

function toValues(action: PublicationAction | null): FormValues {
  const stored = (kind: PublicationActionKind) => (action?.Kind === kind ? secretMask : '')
  const powerBi = action?.PowerBi ?? emptyPowerBi
  const dbt = action?.Dbt ?? emptyDbt
  return {
    name: action?.Name ?? '',
    isOn: action?.IsOn ?? true,
    setId: action?.SetId ?? '',
    address: stored('webhook'),
    tenantId: powerBi.TenantId,
    applicationId: powerBi.ApplicationId,
    clientSecret: stored('powerBi'),
    workspaceId: powerBi.WorkspaceId,
    datasetId: powerBi.DatasetId,
    capacity: powerBi.Capacity,
    host: dbt.Host,
    accountId: dbt.AccountId,
    jobId: dbt.JobId,
    token: stored('dbt'),
  }
}

function toInput(
  kind: PublicationActionKind,
  values: FormValues,
  action: PublicationAction | null,
): PublicationActionInput {
  const text = (name: string) => String(values[name]).trim()
  const common = {
    name: text('name'),
    isOn: values['isOn'] === true,
    setId: text('setId') === '' ? null : text('setId'),
  }
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
