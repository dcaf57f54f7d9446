/** Text fields bound to a form of `use-form.ts`. Further kinds are in `choice-fields.tsx`. */
import { PasswordInput, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import type { BoundTextField } from './use-form.ts'

export interface FieldProps {
  field: BoundTextField
  label: string
  help?: ReactNode
  placeholder?: string
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
  isRequired,
  autoComplete = 'off',
  hasFocus,
}: FieldProps) {
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
      {...commonFieldProps(props)}
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
      {...commonFieldProps(props)}
      visibilityToggleFocusable
      visibilityToggleButtonProps={{ 'aria-label': 'Show or hide what is typed', 'aria-description': label }}
      onChange={(event) => field.onChange(event.currentTarget.value)}
    />
  )
}
