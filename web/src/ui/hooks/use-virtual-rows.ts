/** A long list with rows of equal height: only the visible range is rendered, and the arrow keys move the focus. */
import { type UIEvent, useLayoutEffect, useRef, useState } from 'react'

/** More rows than fit into the tallest list, so that scrolling shows no gap. */
const renderedMax = 36
const rowsAbove = 8

/**
 * The focusable element of each row has its index as `data-index`.
 * @param initial index of the row that takes the focus first; the list is scrolled to it on mount.
 */
export function useVirtualRows(count: number, rowHeight: number, initial: number | (() => number) = 0) {
  const scroller = useRef<HTMLDivElement>(null)
  const [active, setActive] = useState(initial)
  const [top, setTop] = useState(0)
  const currentRow = Math.max(0, Math.min(active, count - 1))
  const [first] = useState(currentRow)
  useLayoutEffect(() => {
    scroller.current?.scrollTo({ top: Math.max(0, first - 3) * rowHeight })
  }, [first, rowHeight])
  const focus = () => scroller.current?.querySelector<HTMLElement>(`[data-index="${currentRow}"]`)?.focus()
  const pendingFocus = useRef<number | null>(null)
  // The current row is always rendered, and focusing it scrolls it into view. Waits for the render with the new row,
  // because an earlier render may end after the key press.
  useLayoutEffect(() => {
    if (pendingFocus.current !== currentRow) return
    pendingFocus.current = null
    focus()
  })
  return {
    scroller,
    currentRow,
    setCurrentRow: setActive,
    focus,
    focusRow(index: number) {
      if (index !== currentRow) pendingFocus.current = index
      setActive(index)
    },
    indexes: renderedIndexes(top, currentRow, count),
    onScroll: ({ currentTarget }: UIEvent) =>
      setTop(Math.floor(currentTarget.scrollTop / rowHeight / rowsAbove) * rowsAbove),
  }
}

/** The indexes of the visible range with overscan, and of the current row wherever the user scrolls to. */
function renderedIndexes(top: number, current: number, count: number): readonly number[] {
  const from = Math.max(0, Math.min(top - rowsAbove, count - renderedMax))
  const indexes = Array.from({ length: Math.min(renderedMax, count - from) }, (_, index) => from + index)
  if (current >= count || indexes.includes(current)) return indexes
  return current < from ? [current, ...indexes] : [...indexes, current]
}

/** Index of the row to which a key moves the focus, or null for another key. */
export function rowIndexForKey(key: string, current: number, last: number): number | null {
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: 1,
    ArrowUp: -1,
    PageDown: 10,
    PageUp: -10,
    Home: -current,
    End: last,
  }
  const step = steps[key]
  return step === undefined ? null : Math.max(0, Math.min(current + step, last))
}
