/** Configure: the organisation's own database, and the tables in it that users load from Excel. */
import { useQuery } from '@tanstack/react-query'
import { useOrganisationId } from '../../api/session/workspace.ts'
import { QueryPlaceholder } from '../../domain/requests/query-placeholder.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx'
import { latestSyncQuery, ownDatabaseQuery } from './api.ts'
import { DatabaseCredentialsForm } from './credentials-form.tsx'
import { LatestSync } from './latest-sync.tsx'
import { PowerBiFilters } from './power-bi-filter.tsx'
import css from './table-sync.module.css'

export function TableSyncPage() {
  return (
    <Page>
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
