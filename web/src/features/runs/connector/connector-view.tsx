/** Drawer of a connector: runs, tables, charts and calls by day, schema changes, incidents, verification, tie-out and closed periods. */
import type { ConnectorType } from '@tributary/contract/connector-catalogue'
import type { Connector } from '@tributary/contract/connectors'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef } from 'react'
import { catalogue } from '../../../api/queries/common-queries.ts'
import type { ConnectorParams } from '../../../api/queries/runs.ts'
import { useMay } from '../../../api/session/workspace.ts'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { SkeletonLines } from '../../../ui/feedback/skeleton.tsx'
import { SchemaChangesView } from './schema-changes-view.tsx'
import { type ConnectorViewName, connectorViews } from './connector-view-names.ts'
import { HistoryView } from './history-view.tsx'
import { IncidentsView } from './incidents-view.tsx'
import { RunHistory } from './run-history.tsx'
import css from '../runs.module.css'
import { TablesView } from './tables-view.tsx'
import { ConnectorLink } from '../../../domain/connectors/connector-link.tsx'
import { lazyComponent, LazyBoundary } from '../../../ui/lazy-component.tsx'

const LazyRulesView = lazyComponent(() => import('./rules-view.tsx'), 'RulesView')
const LazyChartsView = lazyComponent(() => import('./charts-view.tsx'), 'ChartsView')
const LazyCallsView = lazyComponent(() => import('./calls-view.tsx'), 'CallsView')

interface ConnectorViewProps {
  ids: ConnectorParams
  title: string
  /** Undefined until loaded. */
  connector: Connector | undefined
  view: ConnectorViewName
  /** Content of the tie-out view, which another feature renders. */
  tieOut: ReactNode
  /** Content of the verification view, likewise. */
  verification: ReactNode
  /** Content of the view of closed periods, which another feature renders. */
  closedPeriods: ReactNode
  /** Content of the view of *Ready by*, likewise. */
  readyBy: ReactNode
  onRun: (runId: string) => void
  onClose: () => void
}

export function ConnectorView({
  ids,
  title,
  connector,
  view,
  tieOut,
  verification,
  closedPeriods,
  readyBy,
  onRun,
  onClose,
}: ConnectorViewProps) {
  return (
    <Dialog
      kind="wide drawer"
      title={title}
      subtitle={<ViewLinks ids={ids} connector={connector} view={view} />}
      onClose={onClose}
      footer={<Button onClick={onClose}>Close</Button>}
    >
      <LazyBoundary key={view} fallback={<SkeletonLines count={3} height={220} />}>
        <CurrentView
          view={view}
          ids={ids}
          connector={connector}
          tieOut={tieOut}
          verification={verification}
          closedPeriods={closedPeriods}
          readyBy={readyBy}
          onRun={onRun}
        />
      </LazyBoundary>
    </Dialog>
  )
}

type CurrentViewProps = Pick<
  ConnectorViewProps,
  'view' | 'ids' | 'connector' | 'tieOut' | 'verification' | 'closedPeriods' | 'readyBy' | 'onRun'
>

function CurrentView(props: CurrentViewProps) {
  if (props.connector?.StoresTablesOnly === true && sqlViews.has(props.view)) return <TablesOnly />
  return viewContents[props.view](props)
}

/** Views of what the target computes, which needs SQL there. */
const sqlViews: ReadonlySet<ConnectorViewName> = new Set(['history', 'verification', 'tieOut', 'closedPeriods'])

function TablesOnly() {
  return (
    <EmptyState kind="first" title="The target of this connector stores tables only.">
      Its Iceberg tables have the rows, but no history, verification, tie-out, closed periods or publications. For
      these, choose a SQL database or Tributary’s own warehouse as the target.
    </EmptyState>
  )
}

const isOwnConnector = ({ connector }: Pick<CurrentViewProps, 'connector'>): boolean => connector?.SharedBy === null

const viewContents: Record<ConnectorViewName, (props: CurrentViewProps) => ReactNode> = {
  runs: ({ ids, onRun }) => <RunHistory ids={ids} onOpen={onRun} />,
  tables: (props) => <TablesView ids={props.ids} isOwn={isOwnConnector(props)} />,
  rules: ({ ids }) => <LazyRulesView ids={ids} />,
  history: ({ ids }) => <HistoryView ids={ids} />,
  verification: ({ verification }) => verification,
  charts: ({ ids }) => <LazyChartsView ids={ids} />,
  calls: ({ ids }) => <LazyCallsView ids={ids} />,
  changes: (props) => <SchemaChangesView ids={props.ids} isOwn={isOwnConnector(props)} />,
  incidents: ({ ids, onRun }) => <IncidentsView ids={ids} onRun={onRun} />,
  tieOut: ({ tieOut }) => tieOut,
  closedPeriods: ({ closedPeriods }) => closedPeriods,
  readyBy: ({ readyBy }) => readyBy,
}

interface ViewAudience {
  readonly kind: ConnectorType['Kind'] | undefined
  readonly isOwn: boolean
  readonly mayEdit: boolean
  readonly storesTablesOnly: boolean
}

/** A shared connector keeps what is about its figures and credentials. */
function isOffered(name: ConnectorViewName, { kind, isOwn, mayEdit, storesTablesOnly }: ViewAudience): boolean {
  if (storesTablesOnly && sqlViews.has(name)) return false
  switch (name) {
    case 'tieOut':
      // Only accounting connectors have a report to tie out with.
      return kind === 'accounting'
    case 'calls':
      return isOwn && kind !== undefined && kind !== 'database'
    case 'rules':
      return isOwn && mayEdit
    case 'closedPeriods':
    case 'history':
    case 'readyBy':
      return isOwn
    default:
      return true
  }
}

function ViewLinks({ ids: { connectorId }, connector, view }: Pick<ConnectorViewProps, 'ids' | 'connector' | 'view'>) {
  const pending = connector?.PendingChanges ?? 0
  const kind = useQuery(catalogue).data?.find(({ Type }) => Type === connector?.Type)?.Kind
  const mayEdit = useMay()('editConnector')
  const isOwn = connector?.SharedBy === null
  const storesTablesOnly = connector?.StoresTablesOnly === true
  const names = (Object.keys(connectorViews) as ConnectorViewName[]).filter(
    (name) => name === view || isOffered(name, { kind, isOwn, mayEdit, storesTablesOnly }),
  )
  const nav = useRef<HTMLElement>(null)
  // On a phone the links scroll sideways, so the current one may be hidden.
  useEffect(() => {
    nav.current?.querySelector(`[data-view="${view}"]`)?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [view])
  return (
    <nav ref={nav} className={css.views} aria-label="Views of the connector">
      {names.map((name) => (
        <ConnectorLink
          key={name}
          connectorId={connectorId}
          view={name}
          replace
          className={css.view}
          data-view={name}
          aria-current={name === view ? 'page' : undefined}
        >
          {connectorViews[name]}
          {name === 'changes' && pending > 0 ? (
            <span className={css.pending}>
              {pending}
              <span className="visually-hidden"> waiting</span>
            </span>
          ) : null}
        </ConnectorLink>
      ))}
    </nav>
  )
}
