/** Virtualised tree of tables and columns. Arrow keys move and expand, Space selects. */
import type { OfferedTable } from '@tributary/contract/streams'
import { IconCheck, IconChevronRight, IconMinus } from '@tabler/icons-react'
import { type KeyboardEvent, useMemo, useState } from 'react'
import { rowIndexForKey, useVirtualRows } from '../../../ui/hooks/use-virtual-rows.ts'
import { type TreeLine, type TableSelection, type SelectionState, treeLines } from './table-selection.ts'
import css from './table-tree.module.css'
import { formatCount } from '../../../ui/formats.ts'

/** Same value as `.line` in the style sheet. */
const lineHeight = 36

interface TableTreeProps {
  readonly tables: readonly OfferedTable[]
  readonly choice: TableSelection
  /** Columns are always shown; a source that only moves whole tables does not let them be deselected. */
  readonly mayLeaveOut: boolean
  readonly onToggle: (line: TreeLine) => void
}

export function TableTree({ tables, choice, mayLeaveOut, onToggle }: TableTreeProps) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const lines = useMemo(() => treeLines(tables, choice, open), [tables, choice, open])
  const { scroller, onScroll, ...rows } = useVirtualRows(lines.length, lineHeight)
  const toggleOpen = (name: string) => setOpen(open.symmetricDifference(new Set([name])))
  const isFixed = (line: TreeLine) => line.kind === 'column' && (line.isKey || !mayLeaveOut)
  const toggle = (line: TreeLine) => !isFixed(line) && onToggle(line)
  function onKeyDown(event: KeyboardEvent) {
    const line = lines[rows.currentRow]
    if (line === undefined) return
    const next = nextIndex(event.key, rows.currentRow, lines)
    if (next === null && event.key !== ' ' && event.key !== 'Enter') return
    event.preventDefault()
    if (next === null) toggle(line)
    else if (next === 'turn') toggleOpen(line.id)
    else rows.focusRow(next)
  }

  return (
    <div ref={scroller} role="tree" aria-label="Tables" aria-multiselectable className={css.tree} onScroll={onScroll}>
      <div role="none" className={css.lines} style={{ height: lines.length * lineHeight }}>
        {rows.indexes.map((index) => {
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
              tabIndex={index === rows.currentRow ? 0 : -1}
              aria-level={line.kind === 'table' ? 1 : 2}
              aria-setsize={line.size}
              aria-posinset={line.position}
              aria-checked={line.selection === 'some' ? 'mixed' : line.selection === 'all'}
              aria-disabled={isFixed(line) || undefined}
              aria-expanded={line.kind === 'table' ? line.isOpen : undefined}
              onKeyDown={onKeyDown}
              onFocus={() => rows.setCurrentRow(index)}
              onClick={() => toggle(line)}
            >
              {line.kind === 'table' ? <ExpandButton isOpen={line.isOpen} onPress={() => toggleOpen(line.id)} /> : null}
              <CheckMark ticked={line.selection} />
              <TreeLineText line={line} />
            </div>
          )
        })}
      </div>
    </div>
  )
}

/** For the pointer only; on the keyboard the arrow keys expand and collapse. */
function ExpandButton({ isOpen, onPress }: { isOpen: boolean; onPress: () => void }) {
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
      <IconChevronRight />
    </span>
  )
}

function CheckMark({ ticked }: { ticked: SelectionState }) {
  return (
    <span aria-hidden className={css.box} data-ticked={ticked}>
      {ticked === 'all' ? <IconCheck size={14} stroke={3} /> : null}
      {ticked === 'some' ? <IconMinus size={14} stroke={3} /> : null}
    </span>
  )
}

function TreeLineText({ line }: { line: TreeLine }) {
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
  return RowsEstimate === null ? columns : `${columns}, about ${formatCount(RowsEstimate)} rows`
}

/** Index of the line to focus, `turn` to expand or collapse its table, or null for a key that does neither. */
function nextIndex(key: string, current: number, lines: readonly TreeLine[]): number | 'turn' | null {
  const line = lines[current]
  const isTable = line?.kind === 'table'
  if (key === 'ArrowRight')
    return isTable && !line.isOpen ? 'turn' : Math.min(current + (isTable ? 1 : 0), lines.length - 1)
  if (key === 'ArrowLeft') return !isTable ? current - (line?.position ?? 0) : line.isOpen ? 'turn' : current
  return rowIndexForKey(key, current, lines.length - 1)
}
