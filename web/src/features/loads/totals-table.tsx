import type { Load } from '@tributary/contract/loads'
import { type TableColumn, DataTable } from '../../ui/tables/data-table.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { formatDecimal } from '../../ui/formats.ts'

type ColumnTotal = Load['Totals'][number]

const totalColumns: readonly TableColumn<ColumnTotal>[] = [
  { title: 'Column', cell: ({ Column }) => Column },
  { title: 'Before', isNumber: true, cell: ({ Before }) => formatDecimal(Before) },
  { title: 'After', isNumber: true, cell: ({ After }) => formatDecimal(After) },
]

/** Totals of the number columns over the replaced slices. */
export function TotalsTable({ totals }: { totals: readonly ColumnTotal[] }) {
  if (totals.length === 0) return null
  return (
    <Panel title="Totals">
      <DataTable caption="Totals" columns={totalColumns} rows={totals} rowKey={({ Column }) => Column} />
    </Panel>
  )
}
