import { type ReactNode } from 'react'
import { PlainSettingsField, settingsFieldProps } from '../../../domain/connectors/plain-settings-field.tsx'
import type { FormState } from '../../../ui/forms/use-form.ts'
import { isFieldNeeded } from '../../../domain/connectors/needed-field.ts'
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
  /** At the beginning of the section. */
  children?: ReactNode
}

/** One section of the form, generated from the catalogue. */
export function SectionFields({ title, help, fields, form, first, children }: SectionFieldsProps) {
  return (
    <FormSection title={title}>
      {children}
      {help === null ? null : <p className="small muted">{help}</p>}
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

/** A field that is hidden, or that no choice needs, is shown only if it was filled in, because stored settings must be visible. */
export function isFieldVisible({ path, field }: ConnectorFormField, { values }: Pick<FormState, 'values'>): boolean {
  const value = values[path]
  const isBlank = value === '' || value === undefined || value === false
  if (!field.Hidden && isFieldNeeded(field, path, values)) return true
  return !isBlank && value !== field.Initial
}

interface SettingsFieldProps {
  of: ConnectorFormField
  form: FormState
  /** Set if this is the field that gets the focus. */
  first: FieldToFocus | undefined
}

function SettingsField({ of: { path, field }, form, first }: SettingsFieldProps) {
  if (field.Kind !== 'yaml')
    return (
      <PlainSettingsField
        name={path}
        field={field}
        form={form}
        hasFocus={first !== undefined}
        isStored={first?.isStored}
      />
    )
  return <DescriptionField {...settingsFieldProps({ name: path, field, form, hasFocus: first !== undefined })} />
}
