import type { LoadColumn } from '@tributary/contract/load-columns'
import { type TableColumn, DataTable } from '../../ui/tables/data-table.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { columnTypeWords } from '@tributary/contract/load-wording'

const loadColumns: readonly TableColumn<LoadColumn>[] = [
  { title: 'Column', cell: ({ Name }) => Name },
  { title: 'Holds', cell: ({ Type }) => columnTypeWords[Type] },
  { title: 'In the table', cell: describeColumnChange },
]

export function ColumnTable({ columns: found }: { columns: readonly LoadColumn[] }) {
  if (found.length === 0) return null
  return (
    <Panel title="Columns">
      <DataTable caption="Columns" columns={loadColumns} rows={found} rowKey={({ Name }) => Name} />
    </Panel>
  )
}

function describeColumnChange({ IsNew, IsWidened, Type }: LoadColumn): string {
  if (IsNew) return 'New: the table gets it with this load'
  return IsWidened ? `Widened: from now on it holds ${columnTypeWords[Type]}` : 'As it is'
}
