/** Dialogs: short ones centred, long ones as a drawer on the right; full screen on a phone. Unsaved input is never lost unasked. */
import { Button } from '@mantine/core'
import { createContext, type ReactNode, use } from 'react'
import { lazyComponent, LazyBoundary } from '../lazy.tsx'

export interface DialogProps {
  kind: 'modal' | 'drawer' | 'wide drawer'
  title: string
  subtitle?: ReactNode
  onClose: () => void
  /** Asked about before closing. */
  isDirty?: boolean
  /** A call is under way that tells its outcome here, or closes this at its end: till then nothing else does. */
  isBusy?: boolean
  /** Makes the content a form. */
  onSubmit?: () => void
  children: ReactNode
  footer?: ReactNode
}

const DialogFrame = lazyComponent(async () => (await import('./dialog-frame.tsx')).DialogFrame)

/** Null while nothing may close it. */
export const Closing = createContext<(() => void) | null>(null)

/** For the foot of a dialog: as Escape does, it asks first where something is not saved. */
export function CancelButton({ hasFocus = false, children = 'Cancel' }: { hasFocus?: boolean; children?: string }) {
  const close = use(Closing)
  return (
    <Button
      variant="default"
      disabled={close === null}
      onClick={() => close?.()}
      data-autofocus={hasFocus || undefined}
    >
      {children}
    </Button>
  )
}

/** Shown as long as it is rendered. */
export function Dialog(props: DialogProps) {
  return (
    <LazyBoundary onLoadFailure={props.onClose}>
      <DialogFrame {...props} />
    </LazyBoundary>
  )
}
