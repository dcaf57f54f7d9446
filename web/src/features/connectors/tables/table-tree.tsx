/** A tree of tables and their columns, of which only the lines in sight are drawn. Arrow keys move and open, Space ticks. */
import type { OfferedTable } from '@tributary/contract/streams'
import { IconCheck, IconChevronRight, IconMinus } from '@tabler/icons-react'
import { type KeyboardEvent, type RefObject, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { count } from '../../../ui/tables/data-table.tsx'
import { type Line, type TableChoice, type Ticked, treeLines } from './table-selection.ts'
import css from './table-tree.module.css'

/** That of `.line` in the style sheet. */
const lineHeight = 36
/** More than fit into the tallest tree, so that scrolling never meets a gap. */
const drawnMax = 36
const linesAbove = 8

interface TableTreeProps {
  readonly tables: readonly OfferedTable[]
  readonly choice: TableChoice
  /** Columns are shown in any case; where the source moves whole tables only, they cannot be unticked. */
  readonly mayLeaveOut: boolean
  readonly onToggle: (line: Line) => void
}

export function TableTree({ tables, choice, mayLeaveOut, onToggle }: TableTreeProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const [active, setActive] = useState(0)
  const [top, setTop] = useState(0)
  const lines = useMemo(() => treeLines(tables, choice, open), [tables, choice, open])
  const current = Math.min(active, lines.length - 1)
  const toggleOpen = (name: string) => setOpen(open.symmetricDifference(new Set([name])))
  const isFixed = (line: Line) => line.kind === 'column' && (line.isKey || !mayLeaveOut)
  const tick = (line: Line) => !isFixed(line) && onToggle(line)
  const onKeyDown = useTreeKeys({ lines, current, setActive, scroller, toggleOpen, tick })

  return (
    <div
      ref={scroller}
      role="tree"
      aria-label="Tables"
      aria-multiselectable
      className={css.tree}
      onScroll={(event) => setTop(Math.floor(event.currentTarget.scrollTop / lineHeight / linesAbove) * linesAbove)}
    >
      <div role="none" className={css.lines} style={{ height: lines.length * lineHeight }}>
        {drawn(top, current, lines.length).map((index) => {
          const line = lines[index]
          if (line === undefined) return null
          return (
            <div
              key={line.id}
              role="treeitem"
              className={css.line}
              data-index={index}
              data-kind={line.kind}
              style={{ transform: `translateY(${index * lineHeight}px)` }}
              tabIndex={index === current ? 0 : -1}
              aria-level={line.kind === 'table' ? 1 : 2}
              aria-setsize={line.size}
              aria-posinset={line.position}
              aria-checked={line.ticked === 'some' ? 'mixed' : line.ticked === 'all'}
              aria-disabled={isFixed(line) || undefined}
              aria-expanded={line.kind === 'table' ? line.isOpen : undefined}
              onKeyDown={onKeyDown}
              onFocus={() => setActive(index)}
              onClick={() => tick(line)}
            >
              {line.kind === 'table' ? <Opener isOpen={line.isOpen} onPress={() => toggleOpen(line.id)} /> : null}
              <Box ticked={line.ticked} />
              <Names line={line} />
            </div>
          )
        })}
      </div>
    </div>
  )
}

/** For the pointer; on the keyboard the arrow keys open and close. */
function Opener({ isOpen, onPress }: { isOpen: boolean; onPress: () => void }) {
  return (
    <span
      aria-hidden
      className={css.opener}
      data-open={isOpen || undefined}
      onClick={(event) => {
        event.stopPropagation()
        onPress()
      }}
    >
      <IconChevronRight size={16} />
    </span>
  )
}

function Box({ ticked }: { ticked: Ticked }) {
  return (
    <span aria-hidden className={css.box} data-ticked={ticked}>
      {ticked === 'all' ? <IconCheck size={14} stroke={3} /> : null}
      {ticked === 'some' ? <IconMinus size={14} stroke={3} /> : null}
    </span>
  )
}

function Names({ line }: { line: Line }) {
  const detail = line.kind === 'table' ? tableDetail(line.table) : `${line.column.Type}${line.isKey ? ', key' : ''}`
  return (
    <>
      <span className={css.name}>{line.kind === 'table' ? line.table.Name : line.column.Name}</span>
      <span className={css.detail}>{detail}</span>
    </>
  )
}

function tableDetail({ Columns, RowsEstimate }: OfferedTable): string {
  const columns = Columns.length === 1 ? '1 column' : `${Columns.length} columns`
  return RowsEstimate === null ? columns : `${columns}, about ${count(RowsEstimate)} rows`
}

/** The lines around those in sight, and the one that has the focus wherever one scrolls to. */
function drawn(top: number, current: number, size: number): readonly number[] {
  const from = Math.max(0, Math.min(top - linesAbove, size - drawnMax))
  const indexes = Array.from({ length: Math.min(drawnMax, size - from) }, (_, index) => from + index)
  if (current < 0 || indexes.includes(current)) return indexes
  return current < from ? [current, ...indexes] : [...indexes, current]
}

interface Walking {
  readonly lines: readonly Line[]
  readonly current: number
  readonly setActive: (index: number) => void
  readonly scroller: RefObject<HTMLDivElement | null>
  readonly toggleOpen: (name: string) => void
  readonly tick: (line: Line) => void
}

function useTreeKeys({ lines, current, setActive, scroller, toggleOpen, tick }: Walking) {
  const wanted = useRef<number | null>(null)

  // The line with the focus is always drawn; moving the focus to it brings it into sight.
  useLayoutEffect(() => {
    if (wanted.current !== current) return
    wanted.current = null
    scroller.current?.querySelector<HTMLElement>(`[data-index="${current}"]`)?.focus()
  })

  function moveTo(index: number) {
    if (index === current) return
    wanted.current = index
    setActive(index)
  }

  return (event: KeyboardEvent) => {
    const line = lines[current]
    if (line === undefined) return
    const next = nextIndex(event.key, current, lines)
    if (next === null && event.key !== ' ' && event.key !== 'Enter') return
    event.preventDefault()
    if (next === null) tick(line)
    else if (next === 'turn') toggleOpen(line.id)
    else moveTo(next)
  }
}

/** `turn`: the columns of the line's table open or close. Null for a key that moves nothing. */
function nextIndex(key: string, current: number, lines: readonly Line[]): number | 'turn' | null {
  const line = lines[current]
  const isTable = line?.kind === 'table'
  if (key === 'ArrowRight')
    return isTable && !line.isOpen ? 'turn' : Math.min(current + (isTable ? 1 : 0), lines.length - 1)
  if (key === 'ArrowLeft') return !isTable ? current - (line?.position ?? 0) : line.isOpen ? 'turn' : current
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: 1,
    ArrowUp: -1,
    PageDown: 10,
    PageUp: -10,
    Home: -current,
    End: lines.length,
  }
  const step = steps[key]
  return step === undefined ? null : Math.max(0, Math.min(current + step, lines.length - 1))
}
