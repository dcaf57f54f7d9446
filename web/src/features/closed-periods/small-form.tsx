/** The form of closed periods and marks: its fields, the error of its change, and its buttons. */
import { Button, type ButtonProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { fieldErrorsOf } from '../../domain/requests/field-errors.ts'
import { type FailableMutation, MutationError } from '../../domain/requests/mutation-error.tsx'
import type { FormState } from '../../ui/forms/use-form.ts'
import css from './closed-periods.module.css'

export interface SmallFormProps<Body> {
  readonly form: FormState
  readonly mutation: FailableMutation & {
    readonly isPending: boolean
    mutate(body: Body, options: { onSuccess: () => void; onError: (error: Error) => void }): void
  }
  /** What is sent. Called if every field is valid. */
  readonly body: () => Body
  readonly onSuccess?: () => void
  readonly submit: Pick<ButtonProps, 'color' | 'variant' | 'disabled'> & { readonly label: ReactNode }
  /** Before the button that submits. */
  readonly otherButtons?: ReactNode
  readonly children: ReactNode
}

export function SmallForm<Body>({
  form,
  mutation,
  body,
  onSuccess,
  submit: { label, ...button },
  otherButtons,
  children,
}: SmallFormProps<Body>) {
  return (
    <form
      noValidate
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (button.disabled === true || !form.validate()) return
        mutation.mutate(body(), {
          onSuccess: () => onSuccess?.(),
          onError: (error) => form.showErrors(fieldErrorsOf(error)),
        })
      }}
    >
      <MutationError of={mutation} />
      {children}
      <div className={css.actions}>
        {otherButtons}
        <Button type="submit" {...button} loading={mutation.isPending}>
          {label}
        </Button>
      </div>
    </form>
  )
}

/** A text of a form without blanks around it. */
export function trimmed({ values }: FormState, name: string): string {
  return String(values[name] ?? '').trim()
}
