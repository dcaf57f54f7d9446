/** Confirms an irreversible action by having the user type a name. */
import { TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { FormDialog } from './form-dialog.tsx'
import { ErrorBanner } from '../feedback/error-banner.tsx'

interface TypeToConfirmDialogProps {
  title: string
  /** The text to type, exactly. */
  requiredText: string
  prompt: ReactNode
  confirm: string
  children: ReactNode
  isBusy: boolean
  error: string | null
  onDismissError: () => void
  onConfirm: () => void
  onClose: () => void
}

export function TypeToConfirmDialog(props: TypeToConfirmDialogProps) {
  const [typed, setTyped] = useState('')
  const matches = typed.trim() === props.requiredText
  return (
    <FormDialog
      title={props.title}
      isBusy={props.isBusy}
      onClose={props.onClose}
      onSubmit={() => matches && props.onConfirm()}
      submitLabel={props.confirm}
      isSubmitDisabled={!matches}
      isDanger
    >
      <ErrorBanner message={props.error} onDismiss={props.onDismissError} />
      {props.children}
      <TextInput
        label={props.prompt}
        value={typed}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
    </FormDialog>
  )
}
