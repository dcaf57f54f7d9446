import { FormDialog, type FormDialogProps } from '../../ui/dialogs/form-dialog.tsx'
import { type FailableMutation, MutationError } from './mutation-error.tsx'

export interface MutationDialogProps extends Omit<FormDialogProps, 'isBusy'> {
  mutation: FailableMutation & { readonly isPending: boolean }
}

/** A dialog whose form starts a mutation. It is locked while the mutation is pending, and shows its error. */
export function MutationDialog({ mutation, children, ...dialog }: MutationDialogProps) {
  return (
    <FormDialog {...dialog} isBusy={mutation.isPending}>
      <MutationError of={mutation} />
      {children}
    </FormDialog>
  )
}
