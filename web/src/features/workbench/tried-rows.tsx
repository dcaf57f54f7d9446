import type { TriedTable } from '@tributary/contract/workbench'
import { formatCount, formatList } from '../../ui/formats.ts'
import { DataTable, type TableColumn } from '../../ui/tables/data-table.tsx'
import css from './workbench.module.css'

const rowsShown = 10

export function TriedRows({ table }: { readonly table: TriedTable }) {
  const { Name, Columns, Rows, RowsRead } = table
  const unseen = Columns.filter(({ IsSeen }) => !IsSeen)
  const shown = Rows.slice(0, rowsShown).map((cells, index) => ({ number: index + 1, cells }))
  return (
    <div className={css.table}>
      <h4>
        {Name} <span className="small subtle">{countWords(shown.length, RowsRead)}</span>
      </h4>
      {RowsRead > 0 && unseen.length > 0 ? (
        <p className="small">
          {`No row has a value of ${formatList(unseen.map(({ Name: column, Pointer }) => `${column} (${Pointer})`))}. Compare the pointer with a reply.`}
        </p>
      ) : null}
      <DataTable
        caption={`Rows of ${Name}`}
        rows={shown}
        rowKey={({ number }) => String(number)}
        keepsColumns
        columns={rowColumns(Columns)}
      />
    </div>
  )
}

function countWords(shown: number, read: number): string {
  const rows = `${formatCount(read)} ${read === 1 ? 'row' : 'rows'}`
  return shown < read ? `${rows}, the first ${formatCount(shown)} here` : rows
}

interface ShownRow {
  readonly number: number
  readonly cells: readonly (string | null)[]
}

function rowColumns(columns: TriedTable['Columns']): readonly TableColumn<ShownRow>[] {
  return [
    { title: 'Row', cell: ({ number }) => number },
    ...columns.map(({ Name: title, Type, Pointer }, at) => ({
      title,
      note: Pointer === '' ? Type : `${Type}, ${Pointer}`,
      cell: ({ cells }: ShownRow) =>
        cells[at] === null ? <span className="subtle">null</span> : <code>{cells[at]}</code>,
    })),
  ]
}
