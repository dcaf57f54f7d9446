/** The cards of a type, or a placeholder while loading, after an error, or without matches. */
import type { Connector } from '@tributary/contract/connectors'
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { messageOf } from '@tributary/client/call-error'
import { isAdminRole } from '../../../domain/connectors/connector-state.ts'
import { useConnectorType } from '../../../domain/connectors/use-connector-type.ts'
import { useWorkspace } from '../../../api/session/workspace.ts'
import { EmptyState, LoadFailure } from '../../../ui/feedback/empty-state.tsx'
import { CardGrid } from '../../../ui/display/record-card.tsx'
import { useClearSearch } from '../../../ui/forms/search-box.tsx'
import { SkeletonCards } from '../../../ui/feedback/skeleton.tsx'
import { useConnectors } from '../use-connectors.ts'

export function ConnectorCards({
  renderCard,
  firstAction,
}: {
  renderCard: (connector: Connector) => ReactNode
  firstAction: ReactNode
}) {
  const { name, title } = useConnectorType()
  const { identity } = useWorkspace()
  const { query, all, shown, term } = useConnectors(name)
  const clear = useClearSearch()

  if (all === undefined || shown === undefined) {
    if (query.error !== null)
      return <LoadFailure message={messageOf(query.error)} onRetry={() => void query.refetch()} />
    return <SkeletonCards count={3} height={196} />
  }
  if (all.length === 0) {
    return (
      <EmptyState kind="first" title="Nothing much to do here." action={firstAction}>
        {isAdminRole(identity.role)
          ? `Connect ${title} and its refreshes will appear here.`
          : 'Please ask your administrator for permission to see connectors.'}
      </EmptyState>
    )
  }
  if (shown.length === 0) {
    return (
      <EmptyState
        kind="noMatch"
        title={`No connector matches '${term}'.`}
        action={
          <Button variant="default" onClick={clear}>
            Clear search
          </Button>
        }
      />
    )
  }
  return (
    <>
      <output className="visually-hidden">{term === '' ? '' : `${shown.length} of ${all.length}`}</output>
      <CardGrid label={`${title} connectors`}>{shown.map(renderCard)}</CardGrid>
    </>
  )
}
