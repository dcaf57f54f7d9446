import { Dialog } from './dialog.tsx'
import { UnsavedChangesButtons, unsavedChangesMessage, type UnsavedChangesButtonsProps } from './unsaved-changes.tsx'

/**
 * Asks before leaving a page with unsaved changes, above any open dialog. The button that keeps them has the
 * focus.
 */
export function UnsavedChangesDialog({ onStay, onLeave }: Omit<UnsavedChangesButtonsProps, 'hasFocus'>) {
  return (
    <Dialog
      title="Leave without saving?"
      onClose={onStay}
      onSubmit={onStay}
      footer={<UnsavedChangesButtons hasFocus onStay={onStay} onLeave={onLeave} />}
    >
      <p>{unsavedChangesMessage}</p>
    </Dialog>
  )
}
