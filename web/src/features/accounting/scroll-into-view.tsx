import { type ReactNode, useEffect, useRef } from 'react'

/** Scrolls its content into view on mount, because a result may be rendered far above or below its button. */
export function ScrollIntoView({ children }: { children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    box.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return <div ref={box}>{children}</div>
}
