import { secretMask } from '@tributary/contract/limits'
import { type ReactNode, useId } from 'react'
import { ChoiceField, LinesField, SecretField, SwitchField } from '../../../ui/forms/choice-fields.tsx'
import { TextField } from '../../../ui/forms/text-fields.tsx'
import type { Form } from '../../../ui/forms/form.ts'
import css from '../connectors.module.css'
import { takesConnection } from '../connection-string/fill-connection-fields.ts'
import { PasteConnection } from '../connection-string/paste-connection-string.tsx'
import type { FormField } from './settings-form.ts'
import type { FirstField } from './use-connector-form.ts'

interface SectionFieldsProps {
  title: string
  help: string | null
  fields: readonly FormField[]
  form: Form
  first?: FirstField | undefined
  children?: ReactNode
}

/** One section of the edit form, drawn from the catalogue. */
export function SectionFields({ title, help, fields, form, first, children }: SectionFieldsProps) {
  const id = useId()
  return (
    <section className={css.section} aria-labelledby={id}>
      <h3 className={css.heading} id={id}>
        {title}
      </h3>
      {help === null ? null : <p className="small muted">{help}</p>}
      {children}
      {takesConnection(fields) ? <PasteConnection fields={fields} form={form} side={title} /> : null}
      {fields
        .filter((field) => isShown(field, form))
        .map((field) => (
          <SettingsField
            key={field.path}
            of={field}
            form={form}
            first={first?.path === field.path ? first : undefined}
          />
        ))}
    </section>
  )
}

/** A hidden field is drawn only where it has a value: what is stored must be seen. */
export function isShown({ path, field }: FormField, form: Pick<Form, 'values'>): boolean {
  return !field.Hidden || (form.values[path] !== '' && form.values[path] !== undefined)
}

interface SettingsFieldProps {
  of: FormField
  form: Form
  /** Where this is the field to begin with. */
  first: FirstField | undefined
}

function SettingsField({ of: { path, field }, form, first }: SettingsFieldProps) {
  if (field.Kind === 'switch')
    return (
      <SwitchField
        field={form.toggle(path)}
        label={field.Label}
        {...(field.Help === null ? {} : { help: field.Help })}
      />
    )
  const shared = {
    field: form.text(path),
    label: field.Label,
    isRequired: field.Required,
    hasFocus: first !== undefined,
    ...(field.Help === null ? {} : { help: field.Help }),
    ...(field.Placeholder === null ? {} : { placeholder: field.Placeholder }),
  }
  switch (field.Kind) {
    case 'secret':
      return <SecretField {...shared} mask={secretMask} isStored={first?.isStored} />
    case 'choice':
      return (
        <ChoiceField {...shared} choices={field.Choices.map(({ Value, Label }) => ({ value: Value, label: Label }))} />
      )
    case 'list':
      return <LinesField {...shared} />
    default:
      return <TextField {...shared} {...(field.Kind === 'number' ? { inputMode: 'numeric' as const } : {})} />
  }
}
