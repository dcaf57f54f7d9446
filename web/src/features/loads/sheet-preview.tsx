import { type TableColumn, DataTable } from '../../ui/tables/data-table.tsx'
import { Callout } from '../../ui/feedback/callout.tsx'
import css from './loads.module.css'
import type { SheetView } from './sheet.ts'
import { cellText } from '@tributary/contract/sheet-preview'
import { columnTypeWords } from '@tributary/contract/load-wording'
import { formatCount } from '../../ui/formats.ts'

const previewRows = 8

/**
 * The first rows of a sheet with the likely types of its columns, or its problem. `rows`: number of rows below the
 * headings.
 */
export function SheetPreview({ view, rows: total }: { view: SheetView; rows: number }) {
  const { rows, problem } = view
  if (problem !== null) return <Callout tone="error">{problem}</Callout>
  const shown = rows.slice(0, previewRows).map((cells, index) => ({ cells, index }))
  return (
    <div className={css.preview}>
      <p className="small subtle">
        {`The first ${formatCount(Math.min(shown.length, total))} of ${formatCount(total)} rows. Check looks at all of them.`}
      </p>
      <DataTable
        caption="First rows"
        columns={sheetColumns(view)}
        rows={shown}
        rowKey={({ index }) => String(index)}
        keepsColumns
      />
    </div>
  )
}

interface SheetRow {
  readonly cells: SheetView['rows'][number]
}

/** Headings may be missing or repeated until the sheet is fixed. */
function sheetColumns({ headings, types }: SheetView): readonly TableColumn<SheetRow>[] {
  return headings.map((title, at) => ({
    id: String(at),
    title,
    note: columnTypeWords[types[at] ?? 'text'],
    isNumber: types[at] === 'number',
    cell: ({ cells }) => cellText(cells[at] ?? null),
  }))
}
