/** Configure: the organisation's own database, and the tables in it that users load from Excel. */
import { useQuery } from '@tanstack/react-query'
import { useOrganisationId } from '../../api/session/workspace.ts'
import { QueryPlaceholder } from '../../domain/requests/query-placeholder.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx'
import { latestSyncQuery, ownDatabaseQuery } from './api.ts'
import { DatabaseCredentialsForm } from './credentials-form.tsx'
import { PowerBiFilters } from './power-bi-filter.tsx'
import css from './table-sync.module.css'
import type { SyncedTable, TableSync } from '@tributary/contract/table-sync'
import { type TableColumn, DataTable } from '../../ui/tables/data-table.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { tableOutcomeColumns } from '../../domain/databases/table-outcome-columns.ts'
import { Panel } from '../../ui/layout/panel.tsx'
import { MissingHere } from '../../domain/structure-map/gap-list.tsx'
import { RelativeTime } from '../../domain/time/relative-time.tsx'

export function TableSyncPage() {
  return (
    <Page kind="form">
      <TableSyncContent />
    </Page>
  )
}

function TableSyncContent() {
  const clientId = useOrganisationId()
  const stored = useQuery(ownDatabaseQuery(clientId))
  const latest = useQuery(latestSyncQuery(clientId))
  if (stored.data === undefined)
    return (
      <QueryPlaceholder of={stored}>
        <SkeletonLines count={8} height={44} />
      </QueryPlaceholder>
    )
  return (
    <div className={css.page}>
      <DatabaseCredentialsForm key={clientId} stored={stored.data} />
      <LatestSync sync={latest.data} />
      <PowerBiFilters tables={latest.data?.Tables ?? []} />
    </div>
  )
}

const kindLabels = {
  version: 'Version',
  helperTable: 'Helper table',
  rights: 'Rights',
  view: 'View',
  stream: 'Table',
} as const

const syncColumns: readonly TableColumn<SyncedTable>[] = [
  { title: 'Table', cell: ({ Table }) => <code>{Table}</code> },
  { title: 'Kind', cell: ({ Kind }) => kindLabels[Kind] },
  ...tableOutcomeColumns,
]

const tableGaps = ['versionsWithoutTable', 'helperTablesWithoutTable'] as const

/** Tables of the latest synchronisation; undefined while loading. */
function LatestSync({ sync }: { sync: TableSync | null | undefined }) {
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
      <MissingHere kinds={tableGaps} advice="Choose ‘Synchronise’ above to create what is missing." />
    </Panel>
  )
}
