/**
 * A virtualised list of radio buttons or checkboxes: only the visible range is rendered. Arrow keys move the
 * focus, Shift selects a range.
 */
import { type KeyboardEvent, type Ref, useImperativeHandle, useRef } from 'react'
import { rowIndexForKey, useVirtualRows } from '../../ui/hooks/use-virtual-rows.ts'
import css from './link-panes.module.css'
import type { LinkItem } from './links.ts'

/** The height of `.row` in the style sheet. */
const rowHeight = 44

/** Imperative handle for the parent. */
export interface VirtualListHandle {
  readonly focus: () => void
}

/** At the end of a row, and the same in words for screen readers. */
export interface ItemNote {
  readonly text: string
  readonly words: string
}

interface VirtualListProps {
  kind: 'radio' | 'checkbox'
  /** Names the list, and groups its radios. */
  label: string
  items: readonly LinkItem[]
  isChecked: (id: string) => boolean
  isReadOnly?: boolean
  noteOf?: (id: string) => ItemNote
  /** With Shift `range` holds every id from the last picked one to this one, otherwise this one alone. */
  onPick: (id: string, range: readonly string[]) => void
  handle?: Ref<VirtualListHandle>
}

export function VirtualList(props: VirtualListProps) {
  const { kind, label, items, isChecked, isReadOnly = false, noteOf, handle = null } = props
  const { scroller, onScroll, ...rows } = useVirtualRows(items.length, rowHeight, () =>
    Math.max(0, kind === 'radio' ? items.findIndex(({ id }) => isChecked(id)) : 0),
  )
  const { pick, onKeyDown } = usePicking(props, rows)
  useImperativeHandle(handle, () => ({ focus: rows.focus }))
  return (
    <div ref={scroller} className={css.scroller} onScroll={onScroll}>
      <div className={css.rows} style={{ height: items.length * rowHeight }}>
        {rows.indexes.map((index) => {
          const item = items[index]
          if (item === undefined) return null
          const note = noteOf?.(item.id)
          return (
            <label key={item.id} className={css.row} style={{ transform: `translateY(${index * rowHeight}px)` }}>
              <input
                type={kind}
                name={label}
                data-index={index}
                className={css.control}
                checked={isChecked(item.id)}
                // Not `disabled`, so that the keyboard still reaches the row.
                // oxlint-disable-next-line jsx-a11y/role-supports-aria-props -- the type is not text
                aria-description={note?.words}
                aria-disabled={isReadOnly || isLocked(kind, item) || undefined}
                tabIndex={index === rows.currentRow ? 0 : -1}
                onKeyDown={onKeyDown}
                onClick={(event) => pick(index, event.shiftKey)}
                // The click handler does the work; React requires a change handler on a controlled input.
                onChange={() => undefined}
              />
              <Names item={item} />
              {note === undefined ? null : (
                <span className={css.note} aria-hidden>
                  {note.text}
                </span>
              )}
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

function usePicking(
  { kind, items, isReadOnly, onPick }: VirtualListProps,
  {
    currentRow,
    setCurrentRow,
    focusRow,
  }: Pick<ReturnType<typeof useVirtualRows>, 'currentRow' | 'setCurrentRow' | 'focusRow'>,
) {
  const anchor = useRef<string | null>(null)

  function pick(index: number, isRange: boolean) {
    const item = items[index]
    if (item === undefined || isReadOnly === true || isLocked(kind, item)) return
    const from = isRange ? items.findIndex(({ id }) => id === anchor.current) : -1
    const range = from === -1 ? [item] : items.slice(Math.min(from, index), Math.max(from, index) + 1)
    anchor.current = item.id
    setCurrentRow(index)
    onPick(
      item.id,
      range.filter((each) => !isLocked(kind, each)).map(({ id }) => id),
    )
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === ' ' && event.shiftKey) {
      event.preventDefault()
      pick(currentRow, true)
      return
    }
    const next = rowIndexForKey(event.key, currentRow, items.length - 1)
    if (next === null) return
    event.preventDefault()
    focusRow(next)
    // Arrow keys select a radio button, as they do natively.
    if (kind === 'radio') pick(next, false)
  }
  return { pick, onKeyDown }
}
