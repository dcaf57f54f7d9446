/** Further bound fields, for longer forms: a select, a switch, a textarea, a stored secret, a list of checkboxes. */
import { Button, Checkbox, NativeSelect, Switch, Textarea, TextInput, type NativeSelectProps } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import css from './choice-fields.module.css'
import { commonFieldProps, type FieldProps, PasswordField } from './text-fields.tsx'
import type { BoundSwitchField } from './use-form.ts'

export function TextareaField(props: FieldProps) {
  return <Textarea {...commonFieldProps(props)} minRows={3} rows={4} spellCheck={false} />
}

interface SecretFieldProps extends FieldProps {
  mask: string
  /** A secret is stored although the field starts empty. */
  isStored?: boolean | undefined
}

/**
 * A secret stored on the server. Shows that it is set until the user replaces it. `mask` is the value that keeps
 * it.
 */
export function SecretField({ mask, isStored = false, ...props }: SecretFieldProps) {
  const { field, label } = props
  const [wasStored] = useState(isStored || field.value === mask)
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
      <TextInput
        {...commonFieldProps(props)}
        value={mask}
        readOnly
        className={css.grow}
        aria-description="A value is stored. It is never shown."
      />
      <Button
        variant="default"
        size="sm"
        className={css.replace}
        onClick={() => field.onChange('')}
        aria-label={`Replace ${label}`}
      >
        Replace
      </Button>
    </div>
  )
}

interface SelectFieldProps extends FieldProps {
  /** The choices, or groups of them. */
  choices: Readonly<NonNullable<NativeSelectProps['data']>>
}

export function SelectField({ choices, ...props }: SelectFieldProps) {
  return <NativeSelect {...commonFieldProps(props)} data={[...choices]} />
}

export function SwitchField({ field, label, help }: { field: BoundSwitchField; label: string; help?: ReactNode }) {
  return (
    <Switch
      name={field.name}
      label={label}
      checked={field.checked}
      description={help}
      onChange={(event) => field.onChange(event.currentTarget.checked)}
    />
  )
}

/** A list of checkboxes. `picked` holds the ids of the checked ones. */
export function CheckboxList({
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
