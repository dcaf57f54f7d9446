/** A field of a source's settings, as the catalogue describes it. Texts of descriptions have their own editor. */
import type { SettingsField } from '@tributary/contract/connector-catalogue'
import { secretMask } from '@tributary/contract/limits'
import { SecretField, SelectField, SwitchField, TextareaField } from '../../ui/forms/choice-fields.tsx'
import { type FieldProps, TextField } from '../../ui/forms/text-fields.tsx'
import type { FormState } from '../../ui/forms/use-form.ts'
import { isFieldNeeded } from './needed-field.ts'

interface SettingsFieldOptions {
  /** The name of the field in the form. */
  readonly name: string
  readonly field: SettingsField
  readonly form: FormState
  readonly hasFocus?: boolean
}

export function settingsFieldProps({ name, field, form, hasFocus = false }: SettingsFieldOptions): FieldProps {
  return {
    field: form.bind(name),
    label: field.Label,
    isRequired: field.Required && isFieldNeeded(field, name, form.values),
    hasFocus,
    help: field.Help,
    placeholder: field.Placeholder ?? undefined,
  }
}

/** @param isStored a secret is stored although the field starts empty */
export function PlainSettingsField({
  isStored,
  ...options
}: SettingsFieldOptions & { readonly isStored?: boolean | undefined }) {
  const { name, field, form } = options
  if (field.Kind === 'switch')
    return <SwitchField field={form.bindSwitch(name)} label={field.Label} help={field.Help} />
  const shared = settingsFieldProps(options)
  switch (field.Kind) {
    case 'secret':
      return <SecretField {...shared} mask={secretMask} isStored={isStored} />
    case 'choice':
      return (
        <SelectField {...shared} choices={field.Choices.map(({ Value, Label }) => ({ value: Value, label: Label }))} />
      )
    case 'list':
      return <TextareaField {...shared} />
    default:
      return <TextField {...shared} inputMode={field.Kind === 'number' ? 'numeric' : undefined} />
  }
}
