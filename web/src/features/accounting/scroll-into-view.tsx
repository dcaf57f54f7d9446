import { type ReactNode, useEffect, useRef } from 'react'

/** Brought into sight when it is first drawn: what answers a button may be far above or below it. */
export function InSight({ children }: { children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    box.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return <div ref={box}>{children}</div>
}
