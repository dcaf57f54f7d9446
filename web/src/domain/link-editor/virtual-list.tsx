/**
 * A virtualised list of radio buttons or checkboxes: only the visible range is rendered. Arrow keys move the
 * focus, Shift selects a range.
 */
import {
  type KeyboardEvent,
  type Ref,
  type RefObject,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import css from './link-editor.module.css'
import type { LinkItem } from './links.ts'

/** The height of `.row` in the style sheet. */
const rowHeight = 44
/** More rows than fit into the tallest list, so that scrolling shows no gap. */
const renderedMax = 32
const rowsAbove = 8

/** Imperative handle for the parent. */
export interface VirtualListHandle {
  readonly focus: () => void
}

interface VirtualListProps {
  kind: 'radio' | 'checkbox'
  /** Names the list, and groups its radios. */
  label: string
  items: readonly LinkItem[]
  isChecked: (id: string) => boolean
  isReadOnly?: boolean
  /** With Shift `range` holds every id from the last picked one to this one, otherwise this one alone. */
  onPick: (id: string, range: readonly string[]) => void
  handle?: Ref<VirtualListHandle>
}

export function VirtualList(props: VirtualListProps) {
  const { kind, label, items, isChecked, isReadOnly = false, handle = null } = props
  const scroller = useRef<HTMLDivElement>(null)
  const [active, setActive] = useState(() =>
    Math.max(0, kind === 'radio' ? items.findIndex(({ id }) => isChecked(id)) : 0),
  )
  const current = Math.min(active, Math.max(0, items.length - 1))
  const [top, setTop] = useState(0)
  const { pick, onKeyDown } = usePicking(props, { current, setActive, scroller })
  const first = useRef(current)
  useLayoutEffect(() => {
    // The selected row may be far down.
    scroller.current?.scrollTo({ top: Math.max(0, first.current - 3) * rowHeight })
  }, [])
  useImperativeHandle(handle, () => ({ focus: () => focusRow(scroller, current) }), [current])

  return (
    <div
      ref={scroller}
      className={css.scroller}
      onScroll={(event) => setTop(Math.floor(event.currentTarget.scrollTop / rowHeight / rowsAbove) * rowsAbove)}
    >
      <div className={css.rows} style={{ height: items.length * rowHeight }}>
        {renderedIndexes(top, current, items.length).map((index) => {
          const item = items[index]
          if (item === undefined) return null
          return (
            <label
              key={item.id}
              className={css.row}
              data-index={index}
              style={{ transform: `translateY(${index * rowHeight}px)` }}
            >
              <input
                type={kind}
                name={label}
                className={css.control}
                checked={isChecked(item.id)}
                // Not `disabled`, so that the keyboard still reaches the row.
                aria-disabled={isReadOnly || isLocked(kind, item) || undefined}
                tabIndex={index === current ? 0 : -1}
                onKeyDown={onKeyDown}
                onClick={(event) => pick(index, event.shiftKey)}
                // The click handler does the work; React requires a change handler on a controlled input.
                onChange={() => undefined}
              />
              <Names item={item} />
            </label>
          )
        })}
      </div>
    </div>
  )
}

function Names({ item }: { item: LinkItem }) {
  return (
    <span className={css.names}>
      <span className={css.name}>{item.name}</span>
      {item.detail === undefined ? null : <span className={css.detail}>{item.detail}</span>}
    </span>
  )
}

/** A fixed item cannot be unticked. As a subject, in a list of radio buttons, it can be selected like any other. */
export function isLocked(kind: VirtualListProps['kind'], { isFixed }: LinkItem): boolean {
  return kind === 'checkbox' && isFixed === true
}

/** The indexes of the visible range with overscan, and of the focused row wherever it is. */
function renderedIndexes(top: number, current: number, count: number): readonly number[] {
  const from = Math.max(0, top - rowsAbove)
  const indexes = Array.from({ length: Math.max(0, Math.min(renderedMax, count - from)) }, (_, index) => from + index)
  if (current >= count || indexes.includes(current)) return indexes
  return current < from ? [current, ...indexes] : [...indexes, current]
}

function focusRow(scroller: RefObject<HTMLDivElement | null>, index: number): void {
  scroller.current?.querySelector<HTMLElement>(`[data-index="${index}"] input`)?.focus()
}

interface ListNavigation {
  readonly current: number
  readonly setActive: (index: number) => void
  readonly scroller: RefObject<HTMLDivElement | null>
}

function usePicking(
  { kind, items, isReadOnly, onPick }: VirtualListProps,
  { current, setActive, scroller }: ListNavigation,
) {
  const pendingFocus = useRef<number | null>(null)
  const anchor = useRef<string | null>(null)

  // The focused row is always rendered, and focusing it scrolls it into view. Waits for the render with the new row,
  // because an earlier render may end after the key press.
  useLayoutEffect(() => {
    if (pendingFocus.current !== current) return
    pendingFocus.current = null
    focusRow(scroller, current)
  })

  function pick(index: number, isRange: boolean) {
    const item = items[index]
    if (item === undefined || isReadOnly === true || isLocked(kind, item)) return
    const from = isRange ? items.findIndex(({ id }) => id === anchor.current) : -1
    const range = from === -1 ? [item] : items.slice(Math.min(from, index), Math.max(from, index) + 1)
    anchor.current = item.id
    setActive(index)
    onPick(
      item.id,
      range.filter((each) => !isLocked(kind, each)).map(({ id }) => id),
    )
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === ' ' && event.shiftKey) {
      event.preventDefault()
      pick(current, true)
      return
    }
    const next = nextIndex(event.key, current, items.length - 1)
    if (next === null) return
    event.preventDefault()
    if (next !== current) pendingFocus.current = next
    setActive(next)
    // Arrow keys select a radio button, as they do natively.
    if (kind === 'radio') pick(next, false)
  }
  return { pick, onKeyDown }
}

function nextIndex(key: string, current: number, last: number): number | null {
  if (key === 'ArrowDown') return Math.min(current + 1, last)
  if (key === 'ArrowUp') return Math.max(current - 1, 0)
  if (key === 'PageDown') return Math.min(current + 10, last)
  if (key === 'PageUp') return Math.max(current - 10, 0)
  if (key === 'Home') return 0
  return key === 'End' ? last : null
}
