/** A table of any length, of which only the rows in sight are drawn. Every row is as high as the others. */
import { type CSSProperties, useEffect, useRef, useState } from 'react'
import css from './virtual-table.module.css'

export interface VirtualColumn<Row> {
  readonly title: string
  readonly widthPx: number
  readonly isNumber?: boolean
  readonly text: (row: Row) => string
}

interface VirtualTableProps<Row> {
  caption: string
  /** The first column names the row. */
  columns: readonly VirtualColumn<Row>[]
  count: number
  /** Undefined while it is not known yet. */
  rowAt: (index: number) => Row | undefined
  /** How many lines of a cell are shown; all of it is told on hover. */
  lines?: 1 | 3
  /** Told whenever other rows come into sight. */
  onSeen?: (first: number, last: number) => void
}

const heights = { 1: 36, 3: 72 } as const
/** As high as the style sheet lets it be. */
const frameMaxPx = 480
const aroundRows = 10

export function VirtualTable<Row>({ caption, columns, count, rowAt, lines = 1, onSeen }: VirtualTableProps<Row>) {
  const height = heights[lines]
  const { frame, first, last, onScroll } = useSeen(count, height, onSeen)
  const shown = Array.from({ length: last - first }, (_, at) => first + at)
  const width = columns.reduce((sum, { widthPx }) => sum + widthPx, 0)
  return (
    // It scrolls, also by the keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- see above
    <section ref={frame} className={css.frame} aria-label={caption} tabIndex={0} onScroll={onScroll}>
      <table className={css.table} data-lines={lines} aria-rowcount={count + 1} style={{ minWidth: width }}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr aria-rowindex={1}>
            {columns.map(({ title, widthPx, isNumber }) => (
              <th key={title} scope="col" data-number={isNumber} style={{ width: widthPx }}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Space height={first * height} />
          {shown.map((index) => (
            <Row key={index} index={index} row={rowAt(index)} columns={columns} />
          ))}
          <Space height={(count - last) * height} />
        </tbody>
      </table>
    </section>
  )
}

function Row<R>({ index, row, columns }: { index: number; row: R | undefined; columns: readonly VirtualColumn<R>[] }) {
  return (
    <tr aria-rowindex={index + 2}>
      {columns.map(({ title, isNumber, text }, at) => {
        const Part = at === 0 ? 'th' : 'td'
        const shown = row === undefined ? '…' : text(row)
        return (
          <Part key={title} data-number={isNumber} {...(at === 0 && { scope: 'row' })}>
            <span className={css.text} title={shown}>
              {shown}
            </span>
          </Part>
        )
      })}
    </tr>
  )
}

/** Stands for the rows that are not drawn. */
function Space({ height }: { height: number }) {
  const style: CSSProperties = { height }
  return height === 0 ? null : <tr aria-hidden className={css.space} style={style} />
}

function useSeen(count: number, height: number, onSeen: VirtualTableProps<unknown>['onSeen']) {
  const frame = useRef<HTMLElement>(null)
  const [top, setTop] = useState(0)
  const visible = Math.ceil(frameMaxPx / height)
  const first = Math.max(0, Math.min(top, count - visible) - aroundRows)
  const last = Math.min(count, top + visible + aroundRows)
  useEffect(() => onSeen?.(first, last), [first, last, onSeen])
  return { frame, first, last, onScroll: () => setTop(Math.floor((frame.current?.scrollTop ?? 0) / height)) }
}
