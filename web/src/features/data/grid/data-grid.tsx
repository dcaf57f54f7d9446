/**
 * Rows of a table of any length: only the visible ones are rendered, and pages are read as a person scrolls. The arrow keys move between cells, Ctrl C
 * copies one, Enter opens its row.
 */
import { IconArrowDown, IconArrowUp, IconKey } from '@tabler/icons-react'
import type { DataColumn } from '@tributary/contract/data'
import { type CSSProperties, type KeyboardEvent, type PointerEvent, use } from 'react'
import { copyText } from '../../../ui/display/copy-button.tsx'
import { announceToScreenReader } from '../../../ui/feedback/toasts.tsx'
import tableCss from '../../../ui/tables/data-table.module.css'
import { TableViewContext } from '../../../ui/tables/table-view.ts'
import { exactText, formatCell, isNumberKind } from '../data-words.ts'
import type { TableView } from '../table-address.ts'
import type { GridRow } from '../use-table-rows.ts'
import { ColumnMenu } from './column-menu.tsx'
import { type GridColumn, rowNumberPx } from './grid-layout.ts'
import css from './grid.module.css'
import type { GridLayout } from './use-grid-layout.ts'
import { type GridCellPosition, useGridWindow } from './use-grid-window.ts'

/** As in the style sheet. */
const rowHeights = { comfortable: 36, compact: 28 } as const

interface DataGridProps {
  caption: string
  layout: GridLayout
  rows: readonly GridRow[]
  /** The index of the first of them. */
  base: number
  hasMore: boolean
  view: TableView
  onSort: (sort: string | null, isDescending: boolean) => void
  onDescribe: (column: DataColumn) => void
  onOpenRow: (row: number) => void
  /** Called when rows beyond those in memory are near. */
  onReach: (edge: 'start' | 'end') => void
}

export function DataGrid(props: DataGridProps) {
  const { caption, layout, rows, base, hasMore, onOpenRow, onReach } = props
  const { density } = use(TableViewContext)
  const { visible } = layout
  const rowPx = rowHeights[density]
  const shown = useGridWindow({ base, count: rows.length, columns: visible.length, rowPx, onReach })
  const { frame, first, last, active, setActive, onScroll, onKey } = shown
  const end = base + rows.length
  const indexes = Array.from({ length: Math.max(0, last - first) }, (_, offset) => first + offset)
  const width = visible.reduce((sum, { widthPx }) => sum + widthPx, rowNumberPx)

  function handleKey(event: KeyboardEvent) {
    if (onKey(event) || active.row < 0) return
    const column = visible[active.column]
    if (event.key === 'Enter') {
      event.preventDefault()
      onOpenRow(active.row)
    } else if (event.key.toLowerCase() === 'c' && (event.ctrlKey || event.metaKey) && column !== undefined)
      void copyCell(exactText(rows[active.row - base]?.[column.index] ?? null), column.column.Name)
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the scrolling frame; its cells have the focus
    <section ref={frame} className={css.frame} data-density={density} aria-label={caption} onScroll={onScroll}>
      <table
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- https://www.w3.org/WAI/ARIA/apg/patterns/grid/
        role="grid"
        className={`${tableCss.table} ${css.table}`}
        aria-label={caption}
        aria-rowcount={hasMore ? -1 : end + 1}
        aria-colcount={visible.length + 1}
        style={{ width }}
        onKeyDown={handleKey}
      >
        <GridHead {...props} active={active} onFocusCell={setActive} />
        <tbody>
          <Spacer heightPx={first * rowPx} />
          {indexes.map((index) => (
            <GridRowCells
              key={index}
              index={index}
              row={rows[index - base]}
              columns={visible}
              active={active}
              onFocusCell={setActive}
              onOpen={() => onOpenRow(index)}
            />
          ))}
          <Spacer heightPx={(end - last) * rowPx} />
        </tbody>
      </table>
    </section>
  )
}

async function copyCell(text: string, name: string): Promise<void> {
  if (await copyText(text, name)) announceToScreenReader(`Copied ${name}`)
}

interface FocusProps {
  active: GridCellPosition
  onFocusCell: (position: GridCellPosition) => void
}

/** One cell of the grid is in the tab order. */
function cellFocus(position: GridCellPosition, { active, onFocusCell }: FocusProps) {
  const isActive = position.row === active.row && position.column === active.column
  return {
    'data-cell': `${position.row} ${position.column}`,
    tabIndex: isActive ? 0 : -1,
    onFocus: () => isActive || onFocusCell(position),
  }
}

function GridHead({ layout, view, onSort, onDescribe, ...focus }: DataGridProps & FocusProps) {
  return (
    <thead>
      <tr aria-rowindex={1}>
        <th scope="col" className={css.corner} style={{ width: rowNumberPx }}>
          <span className="visually-hidden">Row</span>
        </th>
        {layout.visible.map((one, at) => (
          <HeadCell
            key={one.column.Name}
            one={one}
            layout={layout}
            order={view.sort === one.column.Name ? (view.isDescending ? 'descending' : 'ascending') : 'none'}
            onSort={onSort}
            onDescribe={onDescribe}
            focus={cellFocus({ row: -1, column: at }, focus)}
          />
        ))}
      </tr>
    </thead>
  )
}

interface HeadCellProps extends Pick<DataGridProps, 'layout' | 'onSort' | 'onDescribe'> {
  one: GridColumn
  order: 'ascending' | 'descending' | 'none'
  focus: ReturnType<typeof cellFocus>
}

function HeadCell({ one, layout, order, onSort, onDescribe, focus }: HeadCellProps) {
  const { column, widthPx } = one
  const { Name, Type, IsKey, Description } = column
  const Icon = order === 'descending' ? IconArrowDown : IconArrowUp
  // Ascending, descending, then the order of the key again.
  const next = () => (order === 'descending' ? onSort(null, false) : onSort(Name, order === 'ascending'))
  return (
    <th
      scope="col"
      aria-sort={order}
      data-number={isNumberKind(column.Kind) || undefined}
      {...pinned(one)}
      style={{ width: widthPx, ...left(one) }}
    >
      <div className={css.head}>
        <button
          type="button"
          className={css.sort}
          title={[Type, Description].filter((text) => text !== null).join(' · ')}
          onClick={next}
          {...focus}
        >
          {IsKey ? <IconKey size={12} /> : null}
          <span>{Name}</span>
          {order === 'none' ? null : <Icon size={14} />}
        </button>
        <ColumnMenu one={one} layout={layout} onSort={onSort} onDescribe={onDescribe} />
      </div>
      <ResizeHandle widthPx={widthPx} onResize={(width) => layout.setWidth(Name, width)} />
    </th>
  )
}

function pinned({ leftPx }: GridColumn) {
  return { 'data-pinned': leftPx === null ? undefined : true }
}

function left({ leftPx }: GridColumn): CSSProperties {
  return leftPx === null ? {} : { left: leftPx }
}

/** For the pointer. The keyboard changes widths in the list of columns. */
function ResizeHandle({ widthPx, onResize }: { widthPx: number; onResize: (widthPx: number | null) => void }) {
  function follow(event: PointerEvent<HTMLSpanElement>) {
    const { currentTarget, clientX: start, pointerId } = event
    currentTarget.setPointerCapture(pointerId)
    const cell = currentTarget.closest('th')
    let width = widthPx
    const move = ({ clientX }: globalThis.PointerEvent) => {
      width = Math.max(48, widthPx + clientX - start)
      if (cell !== null) cell.style.width = `${width}px`
    }
    const stop = () => {
      currentTarget.removeEventListener('pointermove', move)
      if (width !== widthPx) onResize(width)
    }
    currentTarget.addEventListener('pointermove', move)
    currentTarget.addEventListener('pointerup', stop, { once: true })
  }
  return <span className={css.resize} aria-hidden onPointerDown={follow} onDoubleClick={() => onResize(null)} />
}

interface GridRowProps extends FocusProps {
  index: number
  /** Undefined while it is read again. */
  row: GridRow | undefined
  columns: readonly GridColumn[]
  onOpen: () => void
}

function GridRowCells({ index, row, columns, onOpen, ...focus }: GridRowProps) {
  return (
    <tr aria-rowindex={index + 2} data-row={index}>
      <th scope="row" className={css.number}>
        <button
          type="button"
          aria-label={`Open row ${index + 1}`}
          onClick={onOpen}
          {...cellFocus({ row: index, column: -1 }, focus)}
        >
          {index + 1}
        </button>
      </th>
      {columns.map((one, at) => {
        const value = row?.[one.index] ?? null
        return (
          <td
            key={one.column.Name}
            data-number={isNumberKind(one.column.Kind) || undefined}
            data-empty={value === null || undefined}
            title={exactText(value)}
            style={left(one)}
            {...pinned(one)}
            {...cellFocus({ row: index, column: at }, focus)}
          >
            {row === undefined ? '…' : formatCell(value, one.column)}
          </td>
        )
      })}
    </tr>
  )
}

/** Takes the height of the rows that are not rendered. */
function Spacer({ heightPx }: { heightPx: number }) {
  return heightPx <= 0 ? null : <tr aria-hidden className={css.space} style={{ height: heightPx }} />
}
