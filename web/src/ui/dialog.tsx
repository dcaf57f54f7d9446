/** Dialogs: short ones centred, long ones as a drawer on the right; full screen on a phone. Unsaved input is never lost unasked. */
import { Button } from '@mantine/core'
import { createContext, type ReactNode, use } from 'react'
import { later, Part } from './later.tsx'

export interface DialogProps {
  kind: 'modal' | 'drawer' | 'wide drawer'
  title: string
  subtitle?: ReactNode
  onClose: () => void
  /** Asked about before closing. */
  isDirty?: boolean
  /** Makes the content a form. */
  onSubmit?: () => void
  children: ReactNode
  footer?: ReactNode
}

const DialogFrame = later(async () => (await import('./dialog-frame.tsx')).DialogFrame)

export const Closing = createContext<() => void>(() => {})

/** For the foot of a dialog: as Escape does, it asks first where something is not saved. */
export function CancelButton({ hasFocus = false }: { hasFocus?: boolean }) {
  const close = use(Closing)
  return (
    <Button variant="default" onClick={close} data-autofocus={hasFocus || undefined}>
      Cancel
    </Button>
  )
}

/** Shown as long as it is rendered. */
export function Dialog(props: DialogProps) {
  return (
    <Part onMissing={props.onClose}>
      <DialogFrame {...props} />
    </Part>
  )
}
