/** A connector from within: its runs, its tables, how they went by day, what changed at the source, and when it needed somebody. */
import type { Connector } from '@tributary/contract/connectors'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { catalogue } from '../../../api/queries/common-queries.ts'
import type { ConnectorParams } from '../../../api/queries/runs.ts'
import { withConnector } from '../../../paths.ts'
import { useAddress } from '../../../ui/hooks/search-params.ts'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { SkeletonLines } from '../../../ui/feedback/skeleton.tsx'
import { ChangesView } from './schema-changes-view.tsx'
import { type View, views } from './connector-view-names.ts'
import { IncidentsView } from './incidents-view.tsx'
import { RunHistory } from './run-history.tsx'
import css from '../runs.module.css'
import { TablesView } from './tables-view.tsx'
import { later, Part } from '../../../ui/later.tsx'

const ChartsView = later(async () => (await import('./charts-view.tsx')).ChartsView)

interface ConnectorViewProps {
  place: ConnectorParams
  title: string
  /** Undefined until it is known. */
  connector: Connector | undefined
  view: View
  /** That view, drawn by another feature. */
  tieOut: ReactNode
  onRun: (runId: string) => void
  onClose: () => void
}

export function ConnectorView({ place, title, connector, view, tieOut, onRun, onClose }: ConnectorViewProps) {
  return (
    <Dialog
      kind="wide drawer"
      title={title}
      subtitle={<ViewLinks place={place} connector={connector} view={view} />}
      onClose={onClose}
      footer={<Button onClick={onClose}>Close</Button>}
    >
      <Part key={view} fallback={<SkeletonLines count={3} height={220} />}>
        <Shown view={view} place={place} connector={connector} tieOut={tieOut} onRun={onRun} />
      </Part>
    </Dialog>
  )
}

type ShownProps = Pick<ConnectorViewProps, 'view' | 'place' | 'connector' | 'tieOut' | 'onRun'>

function Shown({ view, place, connector, tieOut, onRun }: ShownProps) {
  const isOwn = connector?.SharedBy === null
  switch (view) {
    case 'runs':
      return <RunHistory place={place} onOpen={onRun} />
    case 'tables':
      return <TablesView place={place} isOwn={isOwn} />
    case 'charts':
      return <ChartsView place={place} />
    case 'changes':
      return <ChangesView place={place} isOwn={isOwn} />
    case 'incidents':
      return <IncidentsView place={place} onRun={onRun} />
    case 'tieOut':
      return tieOut
  }
}

function ViewLinks({
  place: { connectorId },
  connector,
  view,
}: Pick<ConnectorViewProps, 'place' | 'connector' | 'view'>) {
  const params = useAddress()
  const pending = connector?.PendingChanges ?? 0
  const kind = useQuery(catalogue).data?.find(({ Type }) => Type === connector?.Type)?.Kind
  // Only books have something to tie out with.
  const names = (Object.keys(views) as View[]).filter(
    (name) => name !== 'tieOut' || name === view || kind === 'accounting',
  )
  const nav = useRef<HTMLElement>(null)
  // On a phone they scroll sideways, and the current one may be out of sight.
  useEffect(() => {
    nav.current?.querySelector(`[data-view="${view}"]`)?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [view])
  return (
    <nav ref={nav} className={css.views} aria-label="Views of the connector">
      {names.map((name) => (
        <Link
          key={name}
          to={`?${withConnector(params, connectorId, { view: name })}`}
          replace
          className={css.view}
          data-view={name}
          {...(name === view && { 'aria-current': 'page' })}
        >
          {views[name]}
          {name === 'changes' && pending > 0 ? (
            <span className={css.pending}>
              {pending}
              <span className="visually-hidden"> waiting</span>
            </span>
          ) : null}
        </Link>
      ))}
    </nav>
  )
}
