import { Dialog } from './dialog.tsx'
import { LeavingButtons, leavingQuestion, type LeavingButtonsProps } from './unsaved-changes.tsx'

/** Over the page and whatever lies over it, for somebody may go elsewhere from anywhere. The button that loses nothing has the focus. */
export function LeavingDialog({ onStay, onLeave }: Omit<LeavingButtonsProps, 'hasFocus'>) {
  return (
    <Dialog
      kind="modal"
      title="Leave without saving?"
      onClose={onStay}
      onSubmit={onStay}
      footer={<LeavingButtons hasFocus onStay={onStay} onLeave={onLeave} />}
    >
      <p>{leavingQuestion}</p>
    </Dialog>
  )
}
