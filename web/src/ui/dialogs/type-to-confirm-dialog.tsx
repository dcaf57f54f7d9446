/** What cannot be undone asks for more than a click: its name, typed. */
import { Button, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { CancelButton, Dialog } from './dialog.tsx'
import { ErrorBanner } from '../feedback/error-banner.tsx'

interface TypeToConfirmProps {
  title: string
  /** What must be typed, exactly. */
  answer: string
  prompt: ReactNode
  confirm: string
  children: ReactNode
  isBusy: boolean
  error: string | null
  onDismissError: () => void
  onConfirm: () => void
  onClose: () => void
}

export function TypeToConfirm(props: TypeToConfirmProps) {
  const [typed, setTyped] = useState('')
  const matches = typed.trim() === props.answer
  return (
    <Dialog
      kind="modal"
      title={props.title}
      isBusy={props.isBusy}
      onClose={props.onClose}
      onSubmit={() => matches && props.onConfirm()}
      footer={
        <>
          <CancelButton />
          <Button type="submit" color="red" disabled={!matches} loading={props.isBusy}>
            {props.confirm}
          </Button>
        </>
      }
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
    </Dialog>
  )
}
