/** Confirms a deletion and says what is deleted with it. The least destructive button has the focus. */
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { messageOf } from '@tributary/client/call-error'
import { useMutation } from '../../api/use-mutation.ts'
import { showToast } from '../../ui/feedback/toasts.tsx'
import { CancelButton, Dialog } from '../../ui/dialogs/dialog.tsx'
import { ErrorBanner } from '../../ui/feedback/error-banner.tsx'

interface DeleteDialogProps {
  name: string
  /** Deletes the record and refreshes the lists. Errors are shown in the dialog. */
  onDelete: () => Promise<unknown>
  onClose: () => void
  children: ReactNode
}

export function DeleteDialog({ name, onDelete, onClose, children }: DeleteDialogProps) {
  const remove = useMutation({
    mutationFn: onDelete,
    onSuccess: () => {
      showToast(`${name} is deleted.`)
      onClose()
    },
  })
  return (
    <Dialog
      kind="modal"
      title={`Delete ${name}?`}
      isBusy={remove.isPending}
      onClose={onClose}
      onSubmit={() => remove.mutate()}
      footer={
        <>
          <CancelButton hasFocus />
          <Button type="submit" color="red" loading={remove.isPending}>
            Delete
          </Button>
        </>
      }
    >
      <ErrorBanner message={remove.error === null ? null : messageOf(remove.error)} onDismiss={remove.reset} />
      {children}
    </Dialog>
  )
}
