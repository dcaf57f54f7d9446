import type { KeyboardEvent } from 'react'

/** Ctrl+Enter does what the main button does, from every field inside. */
export function onControlEnter(act: () => void) {
  return (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    act()
  }
}
