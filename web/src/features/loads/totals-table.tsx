import type { Load } from '@tributary/contract/loads'
import { type Column, DataTable } from '../../ui/tables/data-table.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { amount } from './load-wording.ts'

type LoadTotal = Load['Totals'][number]

const columns: readonly Column<LoadTotal>[] = [
  { title: 'Column', cell: ({ Column }) => Column },
  { title: 'Before', isNumber: true, cell: ({ Before }) => amount(Before) },
  { title: 'After', isNumber: true, cell: ({ After }) => amount(After) },
]

/** The sums of the number columns over the slices. */
export function TotalTable({ totals }: { totals: readonly LoadTotal[] }) {
  if (totals.length === 0) return null
  return (
    <Panel title="Totals">
      <DataTable caption="Totals" columns={columns} rows={totals} rowKey={({ Column }) => Column} />
    </Panel>
  )
}
