import { secretMask } from '@tributary/contract/limits'
import { type ReactNode } from 'react'
import { SelectField, TextareaField, SecretField, SwitchField } from '../../../ui/forms/choice-fields.tsx'
import { TextField } from '../../../ui/forms/text-fields.tsx'
import type { FormState } from '../../../ui/forms/use-form.ts'
import { acceptsConnectionString } from '../connection-string/fill-connection-fields.ts'
import { PasteConnectionString } from '../connection-string/paste-connection-string.tsx'
import { DescriptionField } from '../description/description-field.tsx'
import type { ConnectorFormField } from './settings-form.ts'
import { FormSection } from './form-section.tsx'
import type { FieldToFocus } from './use-connector-form.ts'

interface SectionFieldsProps {
  title: string
  help: string | null
  fields: readonly ConnectorFormField[]
  form: FormState
  first?: FieldToFocus | undefined
  children?: ReactNode
}

/** One section of the form, generated from the catalogue. */
export function SectionFields({ title, help, fields, form, first, children }: SectionFieldsProps) {
  return (
    <FormSection title={title}>
      {help === null ? null : <p className="small muted">{help}</p>}
      {children}
      {acceptsConnectionString(fields) ? <PasteConnectionString fields={fields} form={form} side={title} /> : null}
      {fields
        .filter((field) => isFieldVisible(field, form))
        .map((field) => (
          <SettingsField
            key={field.path}
            of={field}
            form={form}
            first={first?.path === field.path ? first : undefined}
          />
        ))}
    </FormSection>
  )
}

/** A hidden field is shown only if it has a value, because stored settings must be visible. */
export function isFieldVisible({ path, field }: ConnectorFormField, form: Pick<FormState, 'values'>): boolean {
  return !field.Hidden || (form.values[path] !== '' && form.values[path] !== undefined)
}

interface SettingsFieldProps {
  of: ConnectorFormField
  form: FormState
  /** Set if this is the field that gets the focus. */
  first: FieldToFocus | undefined
}

function SettingsField({ of: { path, field }, form, first }: SettingsFieldProps) {
  if (field.Kind === 'switch')
    return <SwitchField field={form.bindSwitch(path)} label={field.Label} help={field.Help} />
  const shared = {
    field: form.bind(path),
    label: field.Label,
    isRequired: field.Required,
    hasFocus: first !== undefined,
    help: field.Help,
    placeholder: field.Placeholder ?? undefined,
  }
  switch (field.Kind) {
    case 'secret':
      return <SecretField {...shared} mask={secretMask} isStored={first?.isStored} />
    case 'choice':
      return (
        <SelectField {...shared} choices={field.Choices.map(({ Value, Label }) => ({ value: Value, label: Label }))} />
      )
    case 'yaml':
      return <DescriptionField {...shared} />
    case 'list':
      return <TextareaField {...shared} />
    default:
      return <TextField {...shared} inputMode={field.Kind === 'number' ? 'numeric' : undefined} />
  }
}
