/**
 * A table of any length: only the rows in the visible range are rendered. All rows have the same height, and the table scrolls in its
 * frame. It looks like every other table.
 */
import { type CSSProperties, type ReactNode, use, useEffect, useRef, useState } from 'react'
import tableCss from './data-table.module.css'
import { type TableExport, TableToolbar, TableViewButton } from './table-toolbar.tsx'
import { type TableDensity, TableViewContext } from './table-view.ts'
import css from './virtual-table.module.css'

export interface VirtualColumn<Row> {
  readonly title: string
  readonly widthPx: number
  readonly isNumber?: boolean
  readonly text: (row: Row) => string
}

interface VirtualTableProps<Row> {
  caption: string
  /** Number of rows, such as '12 changes'. */
  summary?: ReactNode
  exporting?: TableExport
  /** The first column names the row. */
  columns: readonly VirtualColumn<Row>[]
  count: number
  /** Undefined while the row is loading. */
  rowAt: (index: number) => Row | undefined
  /** Lines of text shown per cell. The `title` attribute holds the full text. */
  lines?: 1 | 3
  /** Called when the visible range changes. `last` is exclusive. */
  onVisibleRangeChange?: (first: number, last: number) => void
}

/** Heights of the rows by their lines of text, as in the style sheet. */
const rowHeights: Readonly<Record<TableDensity, Readonly<Record<1 | 3, number>>>> = {
  comfortable: { 1: 44, 3: 80 },
  compact: { 1: 36, 3: 72 },
}
/** The `max-height` of `.frame` in the style sheet. */
const frameMaxPx = 480
/** Rows rendered above and below the visible range. */
const overscanRows = 10

export function VirtualTable<Row>(props: VirtualTableProps<Row>) {
  return (
    <div>
      <TableToolbar summary={props.summary} exporting={props.exporting}>
        <TableViewButton caption={props.caption} />
      </TableToolbar>
      <VirtualFrame {...props} />
    </div>
  )
}

function VirtualFrame<Row>(props: VirtualTableProps<Row>) {
  const { caption, columns, count, rowAt, lines = 1, onVisibleRangeChange } = props
  const { density } = use(TableViewContext)
  const height = rowHeights[density][lines]
  const { frame, first, last, onScroll } = useVisibleRange(count, height, onVisibleRangeChange)
  const indexes = Array.from({ length: last - first }, (_, offset) => first + offset)
  const width = columns.reduce((sum, { widthPx }) => sum + widthPx, 0)
  return (
    // Focusable, so that the keyboard can scroll it.
    <section
      ref={frame}
      className={`${tableCss.frame} ${css.frame}`}
      data-density={density}
      data-overflowing
      aria-label={caption}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- see above
      tabIndex={0}
      onScroll={onScroll}
    >
      <table
        className={`${tableCss.table} ${css.table}`}
        data-lines={lines}
        aria-rowcount={count + 1}
        style={{ minWidth: width }}
      >
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr aria-rowindex={1}>
            {columns.map(({ title, widthPx, isNumber }) => (
              <th key={title} scope="col" data-number={isNumber || undefined} style={{ width: widthPx }}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Spacer height={first * height} />
          {indexes.map((index) => (
            <Row key={index} index={index} row={rowAt(index)} columns={columns} />
          ))}
          <Spacer height={(count - last) * height} />
        </tbody>
      </table>
    </section>
  )
}

function Row<R>({ index, row, columns }: { index: number; row: R | undefined; columns: readonly VirtualColumn<R>[] }) {
  return (
    <tr aria-rowindex={index + 2} data-row={index}>
      {columns.map(({ title, isNumber, text }, column) => {
        const CellTag = column === 0 ? 'th' : 'td'
        const shown = row === undefined ? '…' : text(row)
        return (
          <CellTag key={title} data-number={isNumber || undefined} {...(column === 0 && { scope: 'row' })}>
            <span className={css.text} title={shown}>
              {shown}
            </span>
          </CellTag>
        )
      })}
    </tr>
  )
}

/** Takes the height of the rows that are not rendered. */
function Spacer({ height }: { height: number }) {
  const style: CSSProperties = { height }
  return height === 0 ? null : <tr aria-hidden className={css.space} style={style} />
}

function useVisibleRange(count: number, height: number, onChange: VirtualTableProps<unknown>['onVisibleRangeChange']) {
  const frame = useRef<HTMLElement>(null)
  const [top, setTop] = useState(0)
  const visible = Math.ceil(frameMaxPx / height)
  const first = Math.max(0, Math.min(top, count - visible) - overscanRows)
  const last = Math.min(count, top + visible + overscanRows)
  useEffect(() => onChange?.(first, last), [first, last, onChange])
  return { frame, first, last, onScroll: () => setTop(Math.floor((frame.current?.scrollTop ?? 0) / height)) }
}
