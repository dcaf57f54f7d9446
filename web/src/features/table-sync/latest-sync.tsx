import type { SyncedTable, TableSync } from '@tributary/contract/table-sync'
import { type Column, DataTable } from '../../ui/tables/data-table.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { RelativeTime } from '../../domain/time/relative-time.tsx'

const kinds = {
  version: 'Version',
  helperTable: 'Helper table',
  rights: 'Rights',
  view: 'View',
  stream: 'Table',
} as const
const outcomes = { created: 'Created', changed: 'Changed', unchanged: 'Unchanged', written: 'Written' } as const

const columns: readonly Column<SyncedTable>[] = [
  { title: 'Table', cell: ({ Table }) => <code>{Table}</code> },
  { title: 'Kind', cell: ({ Kind }) => kinds[Kind] },
  { title: 'Outcome', cell: ({ Outcome }) => outcomes[Outcome] },
  { title: 'Detail', cell: ({ Notice }) => Notice ?? '–' },
]

/** What was done last; undefined while that is not known yet. */
export function LatestSync({ sync }: { sync: TableSync | null | undefined }) {
  if (sync === undefined) return null
  return (
    <Panel title="Tables">
      {sync === null ? (
        <EmptyState kind="first" title="Nothing has been synchronised yet.">
          Synchronise makes a table for each version and helper table, and writes who may see what.
        </EmptyState>
      ) : (
        <>
          <p className="small subtle">
            Synchronised <RelativeTime at={sync.AtUtc} />
            {sync.By === null ? null : ` by ${sync.By}`}, in {sync.Place}
          </p>
          <DataTable caption="Tables" columns={columns} rows={sync.Tables} rowKey={({ Table }) => Table} />
        </>
      )}
    </Panel>
  )
}
