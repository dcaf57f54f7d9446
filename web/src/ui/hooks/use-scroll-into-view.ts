import { type RefObject, useEffect, useRef } from 'react'

/**
 * Scrolls the element into view on mount and whenever `cause` changes, for results far from the button of a long
 * form.
 */
export function useScrollIntoView<Box extends HTMLElement>(cause: unknown): RefObject<Box | null> {
  const box = useRef<Box>(null)
  useEffect(() => {
    if (cause !== null) box.current?.scrollIntoView({ block: 'nearest' })
  }, [cause])
  return box
}
