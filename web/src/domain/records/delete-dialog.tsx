/** Confirms a deletion and says what is deleted with it. The least destructive button has the focus. */
import type { ReactNode } from 'react'
import { useMutation } from '../../api/use-mutation.ts'
import { announceToScreenReader } from '../../ui/feedback/toasts.tsx'
import { CancelButton } from '../../ui/dialogs/dialog.tsx'
import { MutationDialog } from '../requests/mutation-dialog.tsx'

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
      announceToScreenReader(`${name} is deleted.`)
      onClose()
    },
  })
  return (
    <MutationDialog
      title={`Delete ${name}?`}
      mutation={remove}
      onClose={onClose}
      onSubmit={() => remove.mutate()}
      submitLabel="Delete"
      isDanger
      otherButtons={<CancelButton hasFocus />}
    >
      {children}
    </MutationDialog>
  )
}
