/**
 * Read-only matrix of all areas and subareas. Only the visible cells are rendered; the arrow keys reach all of them.
 */
/* oxlint-disable jsx-a11y/prefer-tag-over-role -- table elements cannot be virtualised in both directions */
import { IconCheck, IconInfinity } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { isLinked, type LinkSubject, searchItems, sortByName } from '../../domain/link-editor/links.ts'
import { useSearchTerm } from '../../ui/forms/search-box.tsx'
import { useCsvExport } from '../../domain/records/use-csv-export.ts'
import { TableToolbar } from '../../ui/tables/table-toolbar.tsx'
import css from './area-link-matrix.module.css'

/** Same values as in the style sheet. */
const cellHeight = 36
const cellWidth = 112
const nameWidth = 180

interface AreaLinkMatrixProps {
  areas: readonly LinkSubject[]
  subareas: readonly LinkSubject[]
}

export function AreaLinkMatrix({ areas, subareas }: AreaLinkMatrixProps) {
  const term = useSearchTerm()
  const exportCsv = useCsvExport()
  const rows = useMemo(() => sortByName(searchItems(areas, term), 'asc'), [areas, term])
  const columns = useMemo(() => sortByName(subareas, 'asc'), [subareas])
  if (rows.length === 0) return <EmptyState kind="noMatch" title={`None of the areas matches '${term}'.`} />
  return (
    <>
      <TableToolbar
        summary={
          <span className={css.legend}>
            <IconCheck /> linked <IconInfinity /> linked to all current and future ones
          </span>
        }
        exporting={{
          start: () => exportCsv('areas and subareas', exportedRows({ areas: rows, subareas: columns })),
        }}
      />
      <MatrixGrid rows={rows} columns={columns} />
    </>
  )
}

interface MatrixGridProps {
  rows: readonly LinkSubject[]
  columns: readonly LinkSubject[]
}

function MatrixGrid({ rows, columns }: MatrixGridProps) {
  const { frame, visible, onScroll } = useVisibleRange(rows.length, columns.length)
  const { at, onKeyDown, onFocus } = useGridNavigation(frame, rows.length, columns.length)
  const shownRows = withFocusedIndex(visible.rows, at.row)
  const shownColumns = withFocusedIndex(visible.columns, at.column)
  return (
    <div
      ref={frame}
      className={css.frame}
      role="grid"
      tabIndex={-1}
      aria-label="Areas and subareas"
      aria-rowcount={rows.length + 1}
      aria-colcount={columns.length + 1}
      aria-readonly
      onScroll={onScroll}
      onKeyDown={onKeyDown}
    >
      <MatrixHeader columns={columns} shown={shownColumns} />
      <div
        role="rowgroup"
        className={css.body}
        style={{ height: rows.length * cellHeight, width: nameWidth + columns.length * cellWidth }}
      >
        {shownRows.map((row) => {
          const area = rows[row]
          if (area === undefined) return null
          return (
            <div key={area.id} role="row" aria-rowindex={row + 2} className={css.row} style={{ top: row * cellHeight }}>
              <span role="rowheader" aria-colindex={1} className={css.rowName} title={area.name}>
                {area.name}
              </span>
              {shownColumns.map((column) => (
                <LinkCell
                  key={column}
                  area={area}
                  subarea={columns[column]}
                  at={{ row, column }}
                  isCurrent={row === at.row && column === at.column}
                  onFocus={onFocus}
                />
              ))}
            </div>
          )
        })}
      </div>
    </div>
  )
}

function MatrixHeader({ columns, shown }: { columns: readonly LinkSubject[]; shown: readonly number[] }) {
  return (
    <div className={css.head} role="row" aria-rowindex={1} style={{ width: nameWidth + columns.length * cellWidth }}>
      <span role="columnheader" aria-colindex={1} className={css.corner}>
        Area
      </span>
      {shown.map((column) => (
        <span
          key={column}
          role="columnheader"
          aria-colindex={column + 2}
          className={css.columnName}
          style={{ left: nameWidth + column * cellWidth }}
          title={columns[column]?.name}
        >
          {columns[column]?.name}
        </span>
      ))}
    </div>
  )
}

interface CellPosition {
  readonly row: number
  readonly column: number
}

interface LinkCellProps {
  area: LinkSubject
  subarea: LinkSubject | undefined
  at: CellPosition
  isCurrent: boolean
  onFocus: (at: CellPosition) => void
}

function LinkCell({ area, subarea, at, isCurrent, onFocus }: LinkCellProps) {
  if (subarea === undefined) return null
  const word = linkLabel(area, subarea)
  return (
    <span
      role="gridcell"
      aria-colindex={at.column + 2}
      aria-label={`${area.name}, ${subarea.name}: ${word}`}
      tabIndex={isCurrent ? 0 : -1}
      data-cell={`${at.row} ${at.column}`}
      className={css.cell}
      style={{ left: nameWidth + at.column * cellWidth }}
      onFocus={() => onFocus(at)}
    >
      {word === 'linked' ? <IconCheck /> : null}
      {word === 'all current and future' ? <IconInfinity size={18} /> : null}
    </span>
  )
}

type LinkLabel = 'linked' | 'all current and future' | 'not linked'

function linkLabel(area: LinkSubject, subarea: LinkSubject): LinkLabel {
  if (area.links.all || subarea.links.all) return 'all current and future'
  return isLinked(area.links, subarea.id) ? 'linked' : 'not linked'
}

/** Indexes of the visible rows and columns, with a margin around them. */
function useVisibleRange(rowCount: number, columnCount: number) {
  const frame = useRef<HTMLDivElement>(null)
  const [view, setView] = useState({ top: 0, left: 0, height: 640, width: 1_280 })
  const measureViewport = () => {
    const { scrollTop = 0, scrollLeft = 0, clientHeight = 640, clientWidth = 1_280 } = frame.current ?? {}
    const next = {
      top: scrollStep(scrollTop, cellHeight),
      left: scrollStep(scrollLeft, cellWidth),
      height: clientHeight,
      width: clientWidth,
    }
    setView((known) => (JSON.stringify(known) === JSON.stringify(next) ? known : next))
  }
  useEffect(measureViewport, [])
  const rows = indexRange(view.top - 4, view.top + Math.ceil(view.height / cellHeight) + 8, rowCount)
  const columns = indexRange(view.left - 4, view.left + Math.ceil(view.width / cellWidth) + 8, columnCount)
  return { frame, visible: { rows, columns }, onScroll: measureViewport }
}

function scrollStep(scrolled: number, size: number): number {
  return Math.floor(scrolled / size / 4) * 4
}

function indexRange(from: number, to: number, count: number): readonly number[] {
  const first = Math.max(0, from)
  return Array.from({ length: Math.max(0, Math.min(to, count) - first) }, (_, index) => first + index)
}

/** Keeps the focused row or column rendered wherever the user scrolls to. */
function withFocusedIndex(visible: readonly number[], current: number): readonly number[] {
  return visible.includes(current) ? visible : [current, ...visible]
}

function useGridNavigation(frame: { readonly current: HTMLDivElement | null }, rowCount: number, columnCount: number) {
  const [at, setAt] = useState<CellPosition>({ row: 0, column: 0 })
  const focusTarget = useRef<CellPosition | null>(null)
  const position = { row: Math.min(at.row, rowCount - 1), column: Math.min(at.column, columnCount - 1) }
  // Focuses only after the render that contains the target cell: a render that started earlier may finish after the
  // key press.
  useLayoutEffect(() => {
    if (focusTarget.current?.row !== position.row || focusTarget.current.column !== position.column) return
    focusTarget.current = null
    frame.current?.querySelector<HTMLElement>(`[data-cell="${position.row} ${position.column}"]`)?.focus()
  })
  function onKeyDown(event: KeyboardEvent) {
    const next = targetPosition(event, position, { row: rowCount - 1, column: columnCount - 1 })
    if (next === null) return
    event.preventDefault()
    if (next.row !== position.row || next.column !== position.column) focusTarget.current = next
    setAt(next)
  }
  return { at: position, onKeyDown, onFocus: setAt }
}

function targetPosition(
  { key, ctrlKey }: KeyboardEvent,
  { row, column }: CellPosition,
  last: CellPosition,
): CellPosition | null {
  const targets: Readonly<Record<string, CellPosition>> = {
    ArrowUp: { row: row - 1, column },
    ArrowDown: { row: row + 1, column },
    ArrowLeft: { row, column: column - 1 },
    ArrowRight: { row, column: column + 1 },
    PageUp: { row: row - 10, column },
    PageDown: { row: row + 10, column },
    Home: { row: ctrlKey ? 0 : row, column: 0 },
    End: { row: ctrlKey ? last.row : row, column: last.column },
  }
  const target = targets[key]
  if (target === undefined) return null
  return { row: Math.max(0, Math.min(target.row, last.row)), column: Math.max(0, Math.min(target.column, last.column)) }
}

const csvMarks: Readonly<Record<LinkLabel, string>> = { linked: 'x', 'all current and future': '∞', 'not linked': '' }

function exportedRows({ areas, subareas }: AreaLinkMatrixProps): readonly (readonly string[])[] {
  const lines = areas.map((area) => [area.name, ...subareas.map((subarea) => csvMarks[linkLabel(area, subarea)])])
  return [['Area', ...subareas.map(({ name }) => name)], ...lines]
}
