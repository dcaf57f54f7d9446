/** The settings of a call, as the check of the description names them. What was entered stays when the text changes. */
import type { CheckedWorkbenchDescription } from '@tributary/contract/workbench'
import type { SettingsField } from '@tributary/contract/connector-catalogue'
import { useEffect } from 'react'
import { type FormState, useForm } from '../../ui/forms/use-form.ts'
import type { EnteredValues } from './api.ts'

export interface EnteredSettings {
  readonly fields: readonly SettingsField[]
  readonly form: FormState
  /** Of the fields that have a value. */
  readonly values: EnteredValues
}

export function useEnteredSettings({ Settings }: CheckedWorkbenchDescription): EnteredSettings {
  const fields = Settings?.Fields ?? noFields
  const form = useForm(initialValues(fields), () =>
    Object.fromEntries(fields.map(({ Key, Required }) => [Key, { isOptional: !Required }])),
  )
  const { values, setValues } = form
  const added = fields.filter(({ Key }) => values[Key] === undefined)
  useEffect(() => {
    if (added.length > 0) setValues({ ...values, ...initialValues(added) })
  })
  return { fields, form, values: enteredValues(fields, form) }
}

const noFields: readonly SettingsField[] = []

function initialValues(fields: readonly SettingsField[]): Record<string, string> {
  return Object.fromEntries(fields.map(({ Key, Initial }) => [Key, String(Initial ?? '')]))
}

function enteredValues(fields: readonly SettingsField[], { values }: FormState): EnteredValues {
  return Object.fromEntries(
    fields.map(({ Key }) => [Key, String(values[Key] ?? '')] as const).filter(([, value]) => value.trim() !== ''),
  )
}
