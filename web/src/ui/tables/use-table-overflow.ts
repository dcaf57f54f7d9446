import { useLayoutEffect, useRef, useState } from 'react'

/**
 * Whether the table is wider than its frame. Only then the frame scrolls, because the header of a table in a scrolling frame sticks to
 * the frame instead of the page.
 */
export function useTableOverflow() {
  const frame = useRef<HTMLDivElement>(null)
  const table = useRef<HTMLTableElement>(null)
  const [isOverflowing, setOverflowing] = useState(false)
  useLayoutEffect(() => {
    const { current: frameElement } = frame
    const { current: tableElement } = table
    if (frameElement === null || tableElement === null) return
    const measure = () => setOverflowing(tableElement.offsetWidth > frameElement.clientWidth)
    const observer = new ResizeObserver(measure)
    observer.observe(frameElement)
    observer.observe(tableElement)
    measure()
    return () => observer.disconnect()
  }, [])
  return { frame, table, isOverflowing }
}
