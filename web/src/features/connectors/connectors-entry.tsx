import { useQuery } from '@tanstack/react-query'
import { Navigate, useParams } from 'react-router'
import { ownTypes } from '../../api/queries/common-queries.ts'
import { useMay, useOrganisationId } from '../../api/session/workspace.ts'
import { paths } from '../../paths.ts'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { QueryResult } from '../../domain/requests/query-result.tsx'
import { SkeletonCards } from '../../ui/feedback/skeleton.tsx'

/** `/connectors` redirects to the organisation's first type, `/connectors/{type}` to that type's dashboard. */
export function ConnectorsEntry() {
  const { type } = useParams()
  const mayAdd = useMay()('addConnector')
  const types = useQuery(ownTypes(useOrganisationId()))
  const target = type ?? types.data?.[0]?.Type
  if (target !== undefined) return <Navigate to={paths.refresh(target)} replace />
  return (
    <Page kind="board">
      <QueryResult query={types} loading={<SkeletonCards count={3} height={168} />}>
        {() => (
          <EmptyState kind="first" title="Nothing much to do here.">
            {mayAdd
              ? 'Choose a connector on the home page to begin.'
              : 'Please ask your administrator for permission to see connectors.'}
          </EmptyState>
        )}
      </QueryResult>
    </Page>
  )
}
