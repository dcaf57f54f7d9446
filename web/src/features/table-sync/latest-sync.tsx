import type { SyncedTable, TableSync } from '@tributary/contract/table-sync'
import { type TableColumn, DataTable } from '../../ui/tables/data-table.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { RelativeTime } from '../../domain/time/relative-time.tsx'

const kindLabels = {
  version: 'Version',
  helperTable: 'Helper table',
  rights: 'Rights',
  view: 'View',
  stream: 'Table',
} as const
const outcomeLabels = { created: 'Created', changed: 'Changed', unchanged: 'Unchanged', written: 'Written' } as const

const syncColumns: readonly TableColumn<SyncedTable>[] = [
  { title: 'Table', cell: ({ Table }) => <code>{Table}</code> },
  { title: 'Kind', cell: ({ Kind }) => kindLabels[Kind] },
  { title: 'Outcome', cell: ({ Outcome }) => outcomeLabels[Outcome] },
  { title: 'Detail', cell: ({ Notice }) => Notice ?? '–' },
]

/** Tables of the latest synchronisation; undefined while loading. */
export function LatestSync({ sync }: { sync: TableSync | null | undefined }) {
  if (sync === undefined) return null
  return (
    <Panel title="Tables">
      {sync === null ? (
        <EmptyState kind="first" title="Nothing has been synchronised yet.">
          Synchronise creates a table for each version and helper table, and writes the access rights.
        </EmptyState>
      ) : (
        <>
          <p className="small subtle">
            Synchronised <RelativeTime at={sync.AtUtc} />
            {sync.By === null ? null : ` by ${sync.By}`}, in {sync.Place}
          </p>
          <DataTable caption="Tables" columns={syncColumns} rows={sync.Tables} rowKey={({ Table }) => Table} />
        </>
      )}
    </Panel>
  )
}
