/** Text fields bound to a form of `use-form.ts`. Further kinds are in `choice-fields.tsx`. */
import { PasswordInput, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import type { BoundTextField } from './use-form.ts'

export interface FieldProps {
  field: BoundTextField
  label: string
  help?: ReactNode
  placeholder?: string | undefined
  isRequired?: boolean
  autoComplete?: string
  hasFocus?: boolean
}

/** Props that every field passes to its Mantine input. */
export function commonFieldProps({
  field,
  label,
  help,
  placeholder,
  isRequired = false,
  autoComplete = 'off',
  hasFocus = false,
}: FieldProps) {
  return {
    name: field.name,
    label,
    value: field.value,
    error: field.error,
    onBlur: field.onBlur,
    labelProps: { 'data-required': isRequired || undefined },
    'aria-required': isRequired,
    autoComplete,
    description: help,
    placeholder,
    'data-autofocus': hasFocus || undefined,
  }
}

export function TextField({
  inputMode,
  type = 'text',
  ...props
}: FieldProps & { inputMode?: 'numeric' | 'email' | undefined; type?: string }) {
  const { field } = props
  return (
    <TextInput
      {...commonFieldProps(props)}
      type={type}
      inputMode={inputMode}
      spellCheck={false}
      onChange={(event) => field.onChange(event.currentTarget.value)}
    />
  )
}

export function PasswordField(props: FieldProps) {
  const { field, label } = props
  return (
    <PasswordInput
      {...commonFieldProps(props)}
      visibilityToggleFocusable
      visibilityToggleButtonProps={{ 'aria-label': 'Show or hide what is typed', 'aria-description': label }}
      onChange={(event) => field.onChange(event.currentTarget.value)}
    />
  )
}
