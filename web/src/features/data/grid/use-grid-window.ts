/** Which rows of a grid are rendered, and which cell has the focus. Indexes count from the first row of the table. */
import { type KeyboardEvent, type UIEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'

/** Rows rendered above and below the visible range. */
const overscanRows = 12
/** So many rows before the end of what is in memory, more are read. */
const aheadRows = 40
const headPx = 36

export interface GridCellPosition {
  /** -1: the header. */
  readonly row: number
  /** -1: the row number. */
  readonly column: number
}

interface GridWindowOptions {
  readonly base: number
  /** Rows in memory. */
  readonly count: number
  readonly columns: number
  readonly rowPx: number
  readonly onReach: (edge: 'start' | 'end') => void
}

export function useGridWindow({ base, count, columns, rowPx, onReach }: GridWindowOptions) {
  const frame = useRef<HTMLElement>(null)
  const [range, setRange] = useState({ top: 0, height: 640 })
  const [active, setActive] = useState<GridCellPosition>({ row: -1, column: 0 })
  const mustFocus = useRef(false)
  const end = base + count
  const first = Math.max(0, Math.floor(range.top / rowPx) - overscanRows)
  const last = Math.min(end, Math.ceil((range.top + range.height) / rowPx) + overscanRows)

  useLayoutEffect(() => {
    const { current } = frame
    if (current === null) return
    const measure = () => setRange({ top: current.scrollTop, height: current.clientHeight })
    const observer = new ResizeObserver(measure)
    observer.observe(current)
    return () => observer.disconnect()
  }, [])

  useEffect(() => {
    if (last > end - aheadRows) onReach('end')
    if (first < base) onReach('start')
  }, [first, last, base, end, onReach])

  // Waits for the render with the new cell.
  useLayoutEffect(() => {
    if (!mustFocus.current) return
    const cell = frame.current?.querySelector<HTMLElement>(`[data-cell="${active.row} ${active.column}"]`)
    if (cell === null || cell === undefined) return
    mustFocus.current = false
    cell.focus({ preventScroll: active.row >= 0 })
    if (active.row >= 0) cell.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  })

  function moveTo({ row, column }: GridCellPosition) {
    const target = {
      row: Math.max(-1, Math.min(row, end - 1)),
      column: Math.max(-1, Math.min(column, columns - 1)),
    }
    mustFocus.current = true
    setActive(target)
    const { current } = frame
    if (current === null || target.row < 0) return
    const top = target.row * rowPx
    if (top < current.scrollTop) current.scrollTop = top
    else if (top + rowPx > current.scrollTop + current.clientHeight - headPx)
      current.scrollTop = top + rowPx - current.clientHeight + headPx
  }

  return {
    frame,
    first: Math.min(first, end),
    last,
    active,
    setActive,
    onScroll: ({ currentTarget }: UIEvent<HTMLElement>) =>
      setRange({ top: currentTarget.scrollTop, height: currentTarget.clientHeight }),
    /** Returns whether the key moves the focus. */
    onKey(event: KeyboardEvent): boolean {
      const page = Math.max(1, Math.floor(range.height / rowPx) - 2)
      const target = nextCell(event, active, { page, end, columns })
      if (target === null) return false
      event.preventDefault()
      moveTo(target)
      return true
    },
  }
}

interface GridExtent {
  readonly page: number
  readonly end: number
  readonly columns: number
}

function nextCell(
  { key, ctrlKey, metaKey }: KeyboardEvent,
  { row, column }: GridCellPosition,
  { page, end, columns }: GridExtent,
): GridCellPosition | null {
  const isWhole = ctrlKey || metaKey
  switch (key) {
    case 'ArrowDown':
      return { row: row + 1, column }
    case 'ArrowUp':
      return { row: row - 1, column }
    case 'ArrowRight':
      return { row, column: column + 1 }
    case 'ArrowLeft':
      return { row, column: column - 1 }
    case 'PageDown':
      return { row: row + page, column }
    case 'PageUp':
      return { row: Math.max(0, row - page), column }
    case 'Home':
      return { row: isWhole ? 0 : row, column: 0 }
    case 'End':
      return { row: isWhole ? end - 1 : row, column: columns - 1 }
    default:
      return null
  }
}
