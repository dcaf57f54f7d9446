import type { LoadColumn } from '@tributary/contract/load-columns'
import { type Column, DataTable } from '../../ui/tables/data-table.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { typeWords } from './load-wording.ts'

const columns: readonly Column<LoadColumn>[] = [
  { title: 'Column', cell: ({ Name }) => Name },
  { title: 'Holds', cell: ({ Type }) => typeWords[Type] },
  { title: 'In the table', cell: changeOf },
]

export function ColumnTable({ columns: found }: { columns: readonly LoadColumn[] }) {
  if (found.length === 0) return null
  return (
    <Panel title="Columns">
      <DataTable caption="Columns" columns={columns} rows={found} rowKey={({ Name }) => Name} />
    </Panel>
  )
}

function changeOf({ IsNew, IsWidened, Type }: LoadColumn): string {
  if (IsNew) return 'New: the table gets it with this load'
  return IsWidened ? `Widened: from now on it holds ${typeWords[Type]}` : 'As it is'
}
