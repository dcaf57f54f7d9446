/**
 * Dialogs: a centred modal or a drawer on the right, full screen on a phone. Unsaved input is lost only after
 * confirmation.
 */
import { Button } from '@mantine/core'
import { createContext, type ReactNode, use } from 'react'
import { ClosingLazyBoundary } from '../lazy.tsx'
import { lazyComponent } from '../lazy-component.tsx'

export interface DialogProps {
  /** By default a modal. */
  kind?: 'modal' | 'drawer' | 'wide drawer'
  title: string
  subtitle?: ReactNode
  onClose: () => void
  /** The user confirms before the dialog closes. */
  isDirty?: boolean
  /** A call is in progress that reports its outcome in the dialog or closes it. Until then nothing else closes it. */
  isBusy?: boolean
  /** Renders the content as a form. */
  onSubmit?: () => void
  children: ReactNode
  footer?: ReactNode
}

const DialogFrame = lazyComponent(() => import('./dialog-frame.tsx'), 'DialogFrame')

/** Closes the dialog; null while it is locked. */
export const CloseContext = createContext<(() => void) | null>(null)

/** For the footer of a dialog. Like Escape, it asks for confirmation if there is unsaved input. */
export function CancelButton({ hasFocus = false, children = 'Cancel' }: { hasFocus?: boolean; children?: string }) {
  const close = use(CloseContext)
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

/** Open while it is mounted. */
export function Dialog(props: DialogProps) {
  return (
    <ClosingLazyBoundary onClose={props.onClose}>
      <DialogFrame {...props} />
    </ClosingLazyBoundary>
  )
}
