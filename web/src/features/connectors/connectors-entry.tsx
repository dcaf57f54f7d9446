import { useQuery } from '@tanstack/react-query'
import { Navigate, useParams } from 'react-router'
import { messageOf } from '@tributary/client/call-error'
import { ownTypes } from '../../api/queries/common-queries.ts'
import { useMay, useWorkspace } from '../../api/session/workspace.ts'
import { paths } from '../../paths.ts'
import { EmptyState, LoadFailure } from '../../ui/feedback/empty-state.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { SkeletonCards } from '../../ui/feedback/skeleton.tsx'

/** `/connectors` redirects to the organisation's first type, `/connectors/{type}` to that type's dashboard. */
export function ConnectorsEntry() {
  const { type } = useParams()
  const { organisation } = useWorkspace()
  const may = useMay()
  const { data, error, refetch } = useQuery(ownTypes(organisation.Id))
  const target = type ?? data?.[0]?.Type
  if (target !== undefined) return <Navigate to={paths.refresh(target)} replace />
  return (
    <Page>
      {data === undefined && error === null ? <SkeletonCards count={3} height={168} /> : null}
      {data === undefined && error !== null ? (
        <LoadFailure message={messageOf(error)} onRetry={() => void refetch()} />
      ) : null}
      {data === undefined ? null : (
        <EmptyState kind="first" title="Nothing much to do here.">
          {may('addConnector')
            ? 'Choose a connector on the home page to begin.'
            : 'Please ask your administrator for permission to see connectors.'}
        </EmptyState>
      )}
    </Page>
  )
}
