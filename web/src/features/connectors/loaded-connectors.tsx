import type { Connector } from '@tributary/contract/connectors'
import type { ReactNode } from 'react'
import { useWorkspace } from '../../api/session/workspace.ts'
import { isAdminRole } from '../../domain/connectors/connector-state.ts'
import { useConnectorType } from '../../domain/connectors/use-connector-type.ts'
import { QueryPlaceholder } from '../../domain/requests/query-placeholder.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { useConnectors } from './use-connectors.ts'

interface LoadedConnectorsProps {
  /** Shown while they are loading. */
  loading: ReactNode
  /** Adds the first one. */
  firstAction: ReactNode
  /** Gets all connectors, and those that match the search. */
  children: (all: readonly Connector[], found: readonly Connector[]) => ReactNode
}

/** Renders the connectors of a type, or a placeholder while they are loading, after an error, or if there are none. */
export function LoadedConnectors({ loading, firstAction, children }: LoadedConnectorsProps) {
  const { name, title } = useConnectorType()
  const { identity } = useWorkspace()
  const { query, all, shown } = useConnectors(name)
  if (all === undefined || shown === undefined) return <QueryPlaceholder of={query}>{loading}</QueryPlaceholder>
  if (all.length > 0) return children(all, shown)
  return (
    <EmptyState kind="first" title="Nothing much to do here." action={firstAction}>
      {isAdminRole(identity.role)
        ? `Connect ${title} and its refreshes will appear here.`
        : 'Please ask your administrator for permission to see connectors.'}
    </EmptyState>
  )
}
