import type { KeyboardEvent } from 'react'

/** Creates a keydown handler that runs the primary action on Ctrl+Enter or Cmd+Enter, from any field inside. */
export function handleCtrlEnter(act: () => void) {
  return (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    act()
  }
}
