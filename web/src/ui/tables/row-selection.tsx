/** Checkboxes that select rows of a table. Shift selects all rows since the last one. */
import { type ReactNode, useState } from 'react'
import css from './data-table.module.css'

interface RowSelectionState {
  /** The keys of the selected rows. */
  readonly selected: ReadonlySet<string>
  readonly select: (keys: ReadonlySet<string>) => void
  /** The key of the row that was ticked last. */
  readonly anchor: string | null
  readonly setAnchor: (key: string) => void
}

export interface RowSelection<Row> extends RowSelectionState {
  /** Names the row for screen readers. */
  readonly labelOf: (row: Row) => string
  /** False for a row on which this person may not act. */
  readonly isSelectable?: (row: Row) => boolean
  /** The actions on the selected rows, which replace the number of rows; undefined while none is selected. */
  readonly bar?: ReactNode
}

export function useRowSelection(): RowSelectionState {
  const [selected, select] = useState<ReadonlySet<string>>(new Set())
  const [anchor, setAnchor] = useState<string | null>(null)
  return { selected, select, anchor, setAnchor }
}

interface SelectCellProps<Row> {
  selection: RowSelection<Row>
  rows: readonly Row[]
  rowKey: (row: Row) => string
}

/** Selects all rows of the page. */
export function SelectAllCell<Row>({ selection, rows, rowKey }: SelectCellProps<Row>) {
  const { selected, select } = selection
  const keys = new Set(selectableKeys({ selection, rows, rowKey }))
  const count = selected.intersection(keys).size
  const isAll = count > 0 && count === keys.size
  return (
    <th scope="col" className={css.select}>
      <label className={css.selectAll}>
        <input
          type="checkbox"
          aria-label="Select all"
          checked={isAll}
          disabled={keys.size === 0}
          ref={(input) => {
            if (input !== null) input.indeterminate = count > 0 && !isAll
          }}
          onChange={() => select(isAll ? selected.difference(keys) : selected.union(keys))}
        />
        {/* Where rows are blocks, the checkbox has its own line. */}
        <span aria-hidden>Select all</span>
      </label>
    </th>
  )
}

export function SelectRowCell<Row>({ row, ...table }: SelectCellProps<Row> & { row: Row }) {
  const { selected, select, anchor, setAnchor, labelOf, isSelectable } = table.selection
  const key = table.rowKey(row)
  function toggle(isRange: boolean) {
    const keys = new Set(isRange ? keysBetween(selectableKeys(table), anchor, key) : [key])
    select(selected.has(key) ? selected.difference(keys) : selected.union(keys))
    setAnchor(key)
  }
  return (
    <td className={css.select}>
      {isSelectable?.(row) === false ? null : (
        <input
          type="checkbox"
          aria-label={`Select ${labelOf(row)}`}
          checked={selected.has(key)}
          onChange={({ nativeEvent }) => toggle(nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)}
        />
      )}
    </td>
  )
}

function selectableKeys<Row>({ selection, rows, rowKey }: SelectCellProps<Row>): readonly string[] {
  return rows.filter((row) => selection.isSelectable?.(row) !== false).map(rowKey)
}

/** Both included. Without an anchor in the list, only `to`. */
function keysBetween(keys: readonly string[], anchor: string | null, to: string): readonly string[] {
  const from = anchor === null ? -1 : keys.indexOf(anchor)
  const end = keys.indexOf(to)
  return from === -1 ? [to] : keys.slice(Math.min(from, end), Math.max(from, end) + 1)
}
