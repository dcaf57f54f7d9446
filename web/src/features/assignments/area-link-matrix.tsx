/** All areas against all subareas, to be read. Only the cells in sight are drawn; arrow keys move through all of them. */
/* oxlint-disable jsx-a11y/prefer-tag-over-role -- the elements of a table cannot be drawn in part, in both directions */
import { Button } from '@mantine/core'
import { IconCheck, IconDownload, IconInfinity } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useWorkspace } from '../../api/session/workspace.ts'
import { csv } from '../../ui/files/csv.ts'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { has, type LinkSubject, matching, sorted } from '../../domain/link-editor/links.ts'
import { saveFile } from '../../ui/files/download.ts'
import { useSearchTerm } from '../../ui/forms/search-box.tsx'
import css from './area-link-matrix.module.css'

/** Those of the style sheet. */
const cellHeight = 36
const cellWidth = 112
const nameWidth = 180

interface LinkMatrixProps {
  areas: readonly LinkSubject[]
  subareas: readonly LinkSubject[]
}

export function LinkMatrix({ areas, subareas }: LinkMatrixProps) {
  const term = useSearchTerm()
  const rows = useMemo(() => sorted(matching(areas, term), 'asc'), [areas, term])
  const columns = useMemo(() => sorted(subareas, 'asc'), [subareas])
  if (areas.length === 0 || columns.length === 0)
    return <EmptyState kind="first" title="There is nothing to link yet." />
  if (rows.length === 0) return <EmptyState kind="noMatch" title={`None of the areas matches '${term}'.`} />
  return (
    <>
      <div className={css.above}>
        <p className={css.legend}>
          <IconCheck size={16} aria-hidden /> linked <IconInfinity size={16} aria-hidden /> linked to all current and
          future ones
        </p>
        <ExportButton areas={rows} subareas={columns} />
      </div>
      <Grid rows={rows} columns={columns} />
    </>
  )
}

interface GridProps {
  rows: readonly LinkSubject[]
  columns: readonly LinkSubject[]
}

function Grid({ rows, columns }: GridProps) {
  const { frame, seen, onScroll } = useSeen(rows.length, columns.length)
  const { at, onKeyDown, onFocus } = useMoving(frame, rows.length, columns.length)
  const shownRows = withFocus(seen.rows, at.row)
  const shownColumns = withFocus(seen.columns, at.column)
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
      <Head columns={columns} shown={shownColumns} />
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
                <Cell
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

function Head({ columns, shown }: { columns: readonly LinkSubject[]; shown: readonly number[] }) {
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

interface Place {
  readonly row: number
  readonly column: number
}

interface CellProps {
  area: LinkSubject
  subarea: LinkSubject | undefined
  at: Place
  isCurrent: boolean
  onFocus: (at: Place) => void
}

function Cell({ area, subarea, at, isCurrent, onFocus }: CellProps) {
  if (subarea === undefined) return null
  const word = wordOf(area, subarea)
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
      {word === 'linked' ? <IconCheck size={16} aria-hidden /> : null}
      {word === 'all current and future' ? <IconInfinity size={18} aria-hidden /> : null}
    </span>
  )
}

type Word = 'linked' | 'all current and future' | 'not linked'

function wordOf(area: LinkSubject, subarea: LinkSubject): Word {
  if (area.links.all || subarea.links.all) return 'all current and future'
  return has(area.links, subarea.id) ? 'linked' : 'not linked'
}

/** The rows and columns in sight, with some around them. */
function useSeen(rowCount: number, columnCount: number) {
  const frame = useRef<HTMLDivElement>(null)
  const [view, setView] = useState({ top: 0, left: 0, height: 640, width: 1_280 })
  const look = () => {
    const { scrollTop = 0, scrollLeft = 0, clientHeight = 640, clientWidth = 1_280 } = frame.current ?? {}
    const next = {
      top: stepOf(scrollTop, cellHeight),
      left: stepOf(scrollLeft, cellWidth),
      height: clientHeight,
      width: clientWidth,
    }
    setView((known) => (JSON.stringify(known) === JSON.stringify(next) ? known : next))
  }
  useEffect(look, [])
  const rows = range(view.top - 4, view.top + Math.ceil(view.height / cellHeight) + 8, rowCount)
  const columns = range(view.left - 4, view.left + Math.ceil(view.width / cellWidth) + 8, columnCount)
  return { frame, seen: { rows, columns }, onScroll: look }
}

function stepOf(scrolled: number, size: number): number {
  return Math.floor(scrolled / size / 4) * 4
}

function range(from: number, to: number, count: number): readonly number[] {
  const first = Math.max(0, from)
  return Array.from({ length: Math.max(0, Math.min(to, count) - first) }, (_, index) => first + index)
}

/** The row or column that has the focus is drawn wherever one scrolls to. */
function withFocus(seen: readonly number[], current: number): readonly number[] {
  return seen.includes(current) ? seen : [current, ...seen]
}

function useMoving(frame: { readonly current: HTMLDivElement | null }, rowCount: number, columnCount: number) {
  const [at, setAt] = useState<Place>({ row: 0, column: 0 })
  const wanted = useRef<Place | null>(null)
  const place = { row: Math.min(at.row, rowCount - 1), column: Math.min(at.column, columnCount - 1) }
  // It waits for the drawing that was meant: an earlier one may end after the key was pressed.
  useLayoutEffect(() => {
    if (wanted.current?.row !== place.row || wanted.current.column !== place.column) return
    wanted.current = null
    frame.current?.querySelector<HTMLElement>(`[data-cell="${place.row} ${place.column}"]`)?.focus()
  })
  function onKeyDown(event: KeyboardEvent) {
    const next = moved(event, place, { row: rowCount - 1, column: columnCount - 1 })
    if (next === null) return
    event.preventDefault()
    if (next.row !== place.row || next.column !== place.column) wanted.current = next
    setAt(next)
  }
  return { at: place, onKeyDown, onFocus: setAt }
}

function moved({ key, ctrlKey }: KeyboardEvent, { row, column }: Place, last: Place): Place | null {
  const places: Readonly<Record<string, Place>> = {
    ArrowUp: { row: row - 1, column },
    ArrowDown: { row: row + 1, column },
    ArrowLeft: { row, column: column - 1 },
    ArrowRight: { row, column: column + 1 },
    PageUp: { row: row - 10, column },
    PageDown: { row: row + 10, column },
    Home: { row: ctrlKey ? 0 : row, column: 0 },
    End: { row: ctrlKey ? last.row : row, column: last.column },
  }
  const wanted = places[key]
  if (wanted === undefined) return null
  return { row: Math.max(0, Math.min(wanted.row, last.row)), column: Math.max(0, Math.min(wanted.column, last.column)) }
}

const marks: Readonly<Record<Word, string>> = { linked: 'x', 'all current and future': '∞', 'not linked': '' }

function ExportButton({ areas, subareas }: LinkMatrixProps) {
  const { organisation } = useWorkspace()
  function save() {
    const lines = areas.map((area) => [area.name, ...subareas.map((subarea) => marks[wordOf(area, subarea)])])
    const today = new Date().toISOString().slice(0, 10)
    saveFile(
      `${organisation.Key}-areas-and-subareas-${today}.csv`,
      csv([['Area', ...subareas.map(({ name }) => name)], ...lines]),
    )
  }
  return (
    <Button variant="default" size="compact-sm" leftSection={<IconDownload size={16} aria-hidden />} onClick={save}>
      Export CSV
    </Button>
  )
}
