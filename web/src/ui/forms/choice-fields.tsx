/** Fields of longer forms, bound as those of `text-fields.tsx`: one of a few, a switch, several lines, a secret that is stored, ticks. */
import { Button, Checkbox, NativeSelect, Switch, Textarea, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import css from './choice-fields.module.css'
import { common, type FieldProps, PasswordField } from './text-fields.tsx'
import type { BoundSwitch } from './form.ts'

export function LinesField(props: FieldProps) {
  const { field } = props
  return (
    <Textarea
      {...common(props)}
      minRows={3}
      rows={4}
      spellCheck={false}
      onChange={(event) => field.onChange(event.currentTarget.value)}
    />
  )
}

interface SecretFieldProps extends FieldProps {
  mask: string
  /** Although the field begins empty. */
  isStored?: boolean | undefined
}

/** A secret that the server holds: shown as set, until somebody replaces it. `mask` is what it reads as. */
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
        {...common(props)}
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

interface ChoiceFieldProps extends FieldProps {
  choices: readonly { value: string; label: string }[]
}

export function ChoiceField({ choices, ...props }: ChoiceFieldProps) {
  const { field } = props
  return (
    <NativeSelect
      {...common(props)}
      data={[...choices]}
      onChange={(event) => field.onChange(event.currentTarget.value)}
    />
  )
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
