import { type RefObject, useEffect, useRef } from 'react'

/** What answers a button far away on a long form is brought into sight: on its first drawing, and whenever `cause` changes. */
export function useInSight<Box extends HTMLElement>(cause: unknown): RefObject<Box | null> {
  const box = useRef<Box>(null)
  useEffect(() => {
    if (cause !== null) box.current?.scrollIntoView({ block: 'nearest' })
  }, [cause])
  return box
}
