/** Fields bound to a form of `form.ts`: label above, help below the label, error below the field. */
import { Button, Checkbox, NativeSelect, PasswordInput, Switch, Textarea, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { useState } from 'react'
import css from './fields.module.css'
import type { BoundSwitch, BoundText } from './form.ts'

interface FieldProps {
  field: BoundText
  label: string
  help?: ReactNode
  placeholder?: string
  isRequired?: boolean
  autoComplete?: string
  hasFocus?: boolean
}

function common({ field, label, help, placeholder, isRequired, autoComplete = 'off', hasFocus }: FieldProps) {
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

export function TextField({ inputMode, type = 'text', ...props }: FieldProps & { inputMode?: 'numeric' | 'email'; type?: string }) {
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

export function LinesField(props: FieldProps) {
  const { field } = props
  return (
    <Textarea {...common(props)} minRows={3} rows={4} spellCheck={false} onChange={(event) => field.onChange(event.currentTarget.value)} />
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

/** A secret that the server holds: shown as set, until somebody replaces it. `mask` is what it reads as. */
export function SecretField({ mask, ...props }: FieldProps & { mask: string }) {
  const { field, label } = props
  const [wasStored] = useState(field.value === mask)
  if (field.value !== mask) {
    return (
      <div className={css.secret}>
        <PasswordField {...props} autoComplete="new-password" />
        {wasStored ? (
          <Button variant="subtle" size="compact-sm" onClick={() => field.onChange(mask)}>
            Keep the stored one
          </Button>
        ) : null}
      </div>
    )
  }
  return (
    <div className={css.stored}>
      <TextInput {...common(props)} value={mask} readOnly className={css.grow} aria-description="A value is stored. It is never shown." />
      <Button variant="default" size="sm" className={css.replace} onClick={() => field.onChange('')} aria-label={`Replace ${label}`}>
        Replace
      </Button>
    </div>
  )
}

interface ChoiceFieldProps extends FieldProps {
  choices: readonly { value: string; label: string }[]
}

export function ChoiceField({ choices, ...props }: ChoiceFieldProps) {
  const { field } = props
  return <NativeSelect {...common(props)} data={[...choices]} onChange={(event) => field.onChange(event.currentTarget.value)} />
}

export function SwitchField({ field, label, help }: { field: BoundSwitch; label: string; help?: ReactNode }) {
  return (
    <Switch
      name={field.name}
      label={label}
      checked={field.checked}
      {...(help === undefined ? {} : { description: help })}
      onChange={(event) => field.onChange(event.currentTarget.checked)}
    />
  )
}

/** A list to tick from; `isChecked` by id. */
export function CheckList({
  items,
  picked,
  onToggle,
}: {
  items: readonly { id: string; label: string; detail: string }[]
  picked: ReadonlySet<string>
  onToggle: (id: string) => void
}) {
  return (
    <ul className={css.checks}>
      {items.map((item) => (
        <li key={item.id}>
          <Checkbox
            size="md"
            label={item.label}
            description={item.detail}
            checked={picked.has(item.id)}
            onChange={() => onToggle(item.id)}
          />
        </li>
      ))}
    </ul>
  )
}
