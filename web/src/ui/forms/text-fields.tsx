/** Fields bound to a form of `form.ts`: label above, help below the label, error below the field. Further kinds are in `choice-fields.tsx`. */
import { PasswordInput, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import type { BoundText } from './form.ts'

export interface FieldProps {
  field: BoundText
  label: string
  help?: ReactNode
  placeholder?: string
  isRequired?: boolean
  autoComplete?: string
  hasFocus?: boolean
}

/** What all fields have in common. */
export function common({ field, label, help, placeholder, isRequired, autoComplete = 'off', hasFocus }: FieldProps) {
  return {
    name: field.name,
    label,
    value: field.value,
    error: field.error,
    onBlur: field.onBlur,
    ...(isRequired === true ? { labelProps: { 'data-required': true } } : {}),
    'aria-required': isRequired === true,
    autoComplete,
    ...(help === undefined ? {} : { description: help }),
    ...(placeholder === undefined ? {} : { placeholder }),
    ...(hasFocus === true ? { 'data-autofocus': true } : {}),
  }
}

export function TextField({
  inputMode,
  type = 'text',
  ...props
}: FieldProps & { inputMode?: 'numeric' | 'email'; type?: string }) {
  const { field } = props
  return (
    <TextInput
      {...common(props)}
      type={type}
      {...(inputMode === undefined ? {} : { inputMode })}
      spellCheck={false}
      onChange={(event) => field.onChange(event.currentTarget.value)}
    />
  )
}

export function PasswordField(props: FieldProps) {
  const { field, label } = props
  return (
    <PasswordInput
      {...common(props)}
      visibilityToggleFocusable
      visibilityToggleButtonProps={{ 'aria-label': 'Show or hide what is typed', 'aria-description': label }}
      onChange={(event) => field.onChange(event.currentTarget.value)}
    />
  )
}
