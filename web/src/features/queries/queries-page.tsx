/** Writes and runs SQL on the data that the person may read. A saved query is in the URL; `?run=true` runs it at once. */
import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { useOrganisationId } from '../../api/session/workspace.ts'
import { QueryPlaceholder } from '../../domain/requests/query-placeholder.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx'
import { useUrlParams } from '../../ui/hooks/search-params.ts'
import { Page } from '../../ui/layout/page.tsx'
import { LazyBoundary, lazyComponent } from '../../ui/lazy-component.tsx'
import { queryDatabases, savedQuery } from './query-api.ts'

const LazyWorkbench = lazyComponent(() => import('./query-workbench.tsx'), 'QueryWorkbench')

const loading = <SkeletonLines count={6} height={36} />

export function QueriesPage() {
  const orgId = useOrganisationId()
  const { queryId } = useParams()
  return (
    <Page kind="editor">
      {queryId === undefined ? <NewQuery key={orgId} /> : <OpenedQuery key={queryId} queryId={queryId} />}
    </Page>
  )
}

function NewQuery() {
  const databases = useQuery(queryDatabases(useOrganisationId()))
  if (databases.data === undefined) return <QueryPlaceholder of={databases}>{loading}</QueryPlaceholder>
  if (databases.data.length === 0) return <NothingReadable />
  return (
    <LazyBoundary fallback={loading}>
      <LazyWorkbench databases={databases.data} saved={null} runsAtOnce={false} />
    </LazyBoundary>
  )
}

function OpenedQuery({ queryId }: { queryId: string }) {
  const orgId = useOrganisationId()
  const databases = useQuery(queryDatabases(orgId))
  const saved = useQuery(savedQuery(orgId, queryId))
  const runsAtOnce = useUrlParams().get('run') !== null
  if (databases.data === undefined || saved.data === undefined)
    return <QueryPlaceholder of={[databases, saved]}>{loading}</QueryPlaceholder>
  if (databases.data.length === 0) return <NothingReadable />
  return (
    <LazyBoundary fallback={loading}>
      <LazyWorkbench databases={databases.data} saved={saved.data} runsAtOnce={runsAtOnce} />
    </LazyBoundary>
  )
}

function NothingReadable() {
  return (
    <EmptyState kind="notAllowed" title="There is nothing here that you may read yet.">
      Ask an administrator of your organisation to assign you to a connector, or to give you a group, an entity or a
      helper table.
    </EmptyState>
  )
}
