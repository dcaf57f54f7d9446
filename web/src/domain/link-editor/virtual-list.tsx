/** A long list of radios or checkboxes of which only those in sight are drawn. Arrow keys move, Shift takes a range. */
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

/** That of `.row` in the style sheet. */
const rowHeight = 44
/** More than fit into the tallest list, so that scrolling never meets a gap. */
const drawnMax = 32
const rowsAbove = 8

/** What a list does at somebody else's word. */
export interface ListHandle {
  readonly focus: () => void
}

interface LinkListProps {
  kind: 'radio' | 'checkbox'
  /** Names the list, and groups its radios. */
  label: string
  items: readonly LinkItem[]
  isChecked: (id: string) => boolean
  isReadOnly?: boolean
  /** `range` holds every id between the last one picked and this one when Shift was down, else this one alone. */
  onPick: (id: string, range: readonly string[]) => void
  handle?: Ref<ListHandle>
}

export function LinkList(props: LinkListProps) {
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
    // The one that is chosen may lie far down.
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
        {drawn(top, current, items.length).map((index) => {
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
                // Not `disabled`: one may still walk through what is ticked.
                aria-disabled={isReadOnly || isHeld(kind, item) || undefined}
                tabIndex={index === current ? 0 : -1}
                onKeyDown={onKeyDown}
                onClick={(event) => pick(index, event.shiftKey)}
                // The click has done it; React only wants to know that somebody listens.
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

/** What is ticked by a choice elsewhere stays ticked; as the subject it can be chosen like any other. */
export function isHeld(kind: LinkListProps['kind'], { isFixed }: LinkItem): boolean {
  return kind === 'checkbox' && isFixed === true
}

/** The rows around those in sight, and the one that has the focus wherever one scrolls to. */
function drawn(top: number, current: number, count: number): readonly number[] {
  const from = Math.max(0, top - rowsAbove)
  const indexes = Array.from({ length: Math.max(0, Math.min(drawnMax, count - from)) }, (_, index) => from + index)
  if (current >= count || indexes.includes(current)) return indexes
  return current < from ? [current, ...indexes] : [...indexes, current]
}

function focusRow(scroller: RefObject<HTMLDivElement | null>, index: number): void {
  scroller.current?.querySelector<HTMLElement>(`[data-index="${index}"] input`)?.focus()
}

interface Moving {
  readonly current: number
  readonly setActive: (index: number) => void
  readonly scroller: RefObject<HTMLDivElement | null>
}

function usePicking({ kind, items, isReadOnly, onPick }: LinkListProps, { current, setActive, scroller }: Moving) {
  const wanted = useRef<number | null>(null)
  const anchor = useRef<string | null>(null)

  // The row with the focus is always drawn; moving the focus to it brings it into sight. It waits for the drawing that was meant:
  // an earlier one may end after the key was pressed.
  useLayoutEffect(() => {
    if (wanted.current !== current) return
    wanted.current = null
    focusRow(scroller, current)
  })

  function pick(index: number, isRange: boolean) {
    const item = items[index]
    if (item === undefined || isReadOnly === true || isHeld(kind, item)) return
    const from = isRange ? items.findIndex(({ id }) => id === anchor.current) : -1
    const range = from === -1 ? [item] : items.slice(Math.min(from, index), Math.max(from, index) + 1)
    anchor.current = item.id
    setActive(index)
    onPick(
      item.id,
      range.filter((each) => !isHeld(kind, each)).map(({ id }) => id),
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
    if (next !== current) wanted.current = next
    setActive(next)
    // As radios do everywhere: the arrow keys choose.
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
