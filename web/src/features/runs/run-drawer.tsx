/**
 * Drawer of a connector over any page: a run, a view of the connector, or the reload dialog. The URL selects which.
 */
import { useQuery } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import { connectorList } from '../../api/queries/common-queries.ts'
import type { ConnectorParams } from '../../api/queries/runs.ts'
import { useOrganisationId } from '../../api/session/workspace.ts'
import { useUrlParams } from '../../ui/hooks/search-params.ts'
import { ConnectorView } from './connector/connector-view.tsx'
import { parseViewName } from './connector/connector-view-names.ts'
import { useOpenConnector } from '../../domain/connectors/connector-link.tsx'
import { lazyDialog } from '../../ui/lazy.tsx'
import { RunView } from './run-view.tsx'

const LazyReloadDialog = lazyDialog(() => import('./reload-dialog.tsx'), 'ReloadDialog')

interface RunDrawerProps {
  readonly connectorId: string
  readonly runId: string | null
  /** Renders the tie-out view, which belongs to another feature. */
  readonly TieOut: ComponentType<{ ids: ConnectorParams; onRun: (runId: string) => void }>
  /** Renders the verification view, likewise. */
  readonly Verification: ComponentType<{
    ids: ConnectorParams
    title: string
    isOwn: boolean
    onRun: (runId: string) => void
  }>
  /** Renders the view of closed periods, which belongs to another feature. */
  readonly ClosedPeriods: ComponentType<{ ids: ConnectorParams; onRun: (runId: string) => void }>
  /** Renders the view of *Ready by*, likewise. */
  readonly ReadyBy: ComponentType<{ ids: ConnectorParams; onRun: (runId: string) => void }>
  readonly onClose: () => void
}

export function RunDrawer({
  connectorId,
  runId,
  TieOut,
  Verification,
  ClosedPeriods,
  ReadyBy,
  onClose,
}: RunDrawerProps) {
  const clientId = useOrganisationId()
  const params = useUrlParams()
  const { data } = useQuery(connectorList(clientId))
  const connector = data?.find(({ Id }) => Id === connectorId)
  const ids = { clientId, connectorId }
  const title = connector?.Name ?? 'Connector'
  const view = params.get('view')
  const openConnector = useOpenConnector(connectorId)
  const showRun = (run: string) => openConnector({ run })

  if (runId !== null) {
    return (
      <RunView
        key={runId}
        ids={{ ...ids, runId }}
        title={title}
        connector={connector}
        onHistory={() => openConnector()}
        onClose={onClose}
      />
    )
  }
  if (view === 'reload' || view === 'reloadFrom') {
    return (
      <LazyReloadDialog
        key={view}
        ids={ids}
        title={title}
        scope={view === 'reload' ? 'all' : 'from'}
        table={params.get('table')}
        onStarted={showRun}
        onClose={onClose}
      />
    )
  }
  return (
    <ConnectorView
      ids={ids}
      title={title}
      connector={connector}
      view={parseViewName(view)}
      tieOut={<TieOut ids={ids} onRun={showRun} />}
      verification={<Verification ids={ids} title={title} isOwn={connector?.SharedBy === null} onRun={showRun} />}
      closedPeriods={<ClosedPeriods ids={ids} onRun={showRun} />}
      readyBy={<ReadyBy ids={ids} onRun={showRun} />}
      onRun={showRun}
      onClose={onClose}
    />
  )
}
