import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { CancelButton, Dialog, type DialogProps } from './dialog.tsx'

export interface FormDialogProps extends Omit<DialogProps, 'footer'> {
  onSubmit: () => void
  /** The text of the button that submits. */
  submitLabel: string
  isSubmitDisabled?: boolean
  /** The button that submits has the focus when the dialog opens. */
  isSubmitFocused?: boolean
  /** The action cannot be undone. */
  isDanger?: boolean
  /** Before the button that submits. By default the one that cancels. */
  otherButtons?: ReactNode
}

/** A dialog with a form, and the buttons that cancel and submit it. */
export function FormDialog({
  submitLabel,
  isSubmitDisabled = false,
  isSubmitFocused = false,
  isDanger = false,
  otherButtons = <CancelButton />,
  ...dialog
}: FormDialogProps) {
  return (
    <Dialog
      {...dialog}
      footer={
        <>
          {otherButtons}
          <Button
            type="submit"
            color={isDanger ? 'red' : 'brand'}
            disabled={isSubmitDisabled}
            data-autofocus={isSubmitFocused || undefined}
            loading={dialog.isBusy ?? false}
          >
            {submitLabel}
          </Button>
        </>
      }
    />
  )
}
