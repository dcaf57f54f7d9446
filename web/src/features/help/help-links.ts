import type { MouseEvent } from 'react'

export interface HelpLinks {
  /** The address that opens a guide, or a section of it: `users/user#sign-in`. */
  readonly linkTo: (place: string) => string
  readonly onOpen: (place: string) => void
}

/** Leaves clicks that open another tab to the browser. */
export function openInPlace(event: MouseEvent, open: () => void): void {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return
  event.preventDefault()
  open()
}
