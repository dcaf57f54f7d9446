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
    onChange: (event: { currentTarget: { value: string } }) => field.onChange(event.currentTarget.value),
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
  return <TextInput {...commonFieldProps(props)} type={type} inputMode={inputMode} spellCheck={false} />
}

export function PasswordField(props: FieldProps) {
  return (
    <PasswordInput
      {...commonFieldProps(props)}
      visibilityToggleFocusable
      visibilityToggleButtonProps={{ 'aria-label': 'Show or hide what is typed', 'aria-description': props.label }}
    />
  )
}
