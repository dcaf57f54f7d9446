/** `/connectors/{type}/refresh`: status of each connector of a type, and the buttons that start runs. */
import type { Connector } from '@tributary/contract/connectors'
import { Button } from '@mantine/core'
import { IconDatabase } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { useConnectorType } from '../../../domain/connectors/use-connector-type.ts'
import { useMay } from '../../../api/session/workspace.ts'
import { paths } from '../../../paths.ts'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { CardGrid } from '../../../ui/display/record-card.tsx'
import { useNow } from '../../../domain/time/use-now.ts'
import { SkeletonCards } from '../../../ui/feedback/skeleton.tsx'
import { lazyDialog } from '../../../ui/lazy.tsx'
import { ConnectorPage } from '../connector-page.tsx'
import css from './dashboard.module.css'
import { sortConnectors, countStates, filterState, stateLabels } from './connector-filters.ts'
import { ListToolbar } from './list-toolbar.tsx'
import { ConnectorCard } from './connector-card.tsx'
import { ConnectorTable } from './connector-table.tsx'
import { useListView } from './use-list-view.ts'
import { NoSearchMatch, useSearchTerm } from '../../../ui/forms/search-box.tsx'
import { useUpdateUrlParams, useUrlParams } from '../../../ui/hooks/search-params.ts'
import { LoadedConnectors } from '../loaded-connectors.tsx'
import { useMembers } from '../use-connectors.ts'

const LazyWarehouseDrawer = lazyDialog(() => import('../warehouse/warehouse-drawer.tsx'), 'WarehouseDrawer')

const cardHeight = 312

export function ConnectorDashboardPage() {
  const { name } = useConnectorType()
  const add = useMay()('addConnector') ? (
    <Button component={Link} to={`${paths.manage(name)}?new=true`}>
      Add connector
    </Button>
  ) : null
  const loading = (
    <>
      <div className={css.toolsBone} />
      <SkeletonCards count={3} height={cardHeight} />
    </>
  )
  return (
    <ConnectorPage>
      <LoadedConnectors loading={loading} firstAction={add}>
        {(all, found) => <FilteredConnectors all={all} found={found} />}
      </LoadedConnectors>
    </ConnectorPage>
  )
}

/** `found`: the connectors that match the search. */
function FilteredConnectors({ all, found }: { all: readonly Connector[]; found: readonly Connector[] }) {
  const time = useNow(15_000)
  const view = useListView(all.length)
  const inState = view.state === null ? found : found.filter((connector) => filterState(connector, time) === view.state)
  const shown = sortConnectors(inState, view.order, time)
  return (
    <>
      <ListToolbar view={view} counts={countStates(all, time)} total={all.length}>
        <ConnectReportsButton />
      </ListToolbar>
      <output className="visually-hidden">
        {shown.length === all.length ? '' : `${shown.length} of ${all.length}`}
      </output>
      {shown.length === 0 ? (
        <NoMatchingConnector view={view} />
      ) : (
        <ConnectorList connectors={shown} layout={view.layout} />
      )}
    </>
  )
}

function ConnectorList({ connectors, layout }: { connectors: readonly Connector[]; layout: 'cards' | 'table' }) {
  const { title } = useConnectorType()
  const members = useMembers()
  const label = `${title} connectors`
  if (layout === 'table') return <ConnectorTable caption={label} connectors={connectors} />
  return (
    <div className={css.even}>
      <CardGrid label={label}>
        {connectors.map((connector) => (
          <ConnectorCard key={connector.Id} connector={connector} members={members} />
        ))}
      </CardGrid>
    </div>
  )
}

function NoMatchingConnector({ view }: { view: ReturnType<typeof useListView> }) {
  const term = useSearchTerm()
  const state = view.state === null ? null : stateLabels[view.state].toLowerCase()
  if (term !== '')
    return (
      <NoSearchMatch title={`No connector matches '${term}'.`}>
        {state === null ? null : `Only those that are '${state}' were searched.`}
      </NoSearchMatch>
    )
  return (
    <EmptyState
      kind="noMatch"
      title={`No connector is '${state}' just now.`}
      action={
        <Button variant="default" onClick={() => view.showState(null)}>
          Show all
        </Button>
      }
    />
  )
}

function ConnectReportsButton() {
  const may = useMay()
  const changeAddress = useUpdateUrlParams()
  // The checklist of a new organisation links here.
  const isAddressed = useUrlParams().get('reports') === 'true'
  const [isOpen, setOpen] = useState(isAddressed)
  if (!may('seeWarehouse')) return null
  function close() {
    setOpen(false)
    if (isAddressed) changeAddress({ reports: null }, { replace: true })
  }
  return (
    <>
      <Button variant="default" leftSection={<IconDatabase />} onClick={() => setOpen(true)}>
        Connect your reports
      </Button>
      {isOpen ? <LazyWarehouseDrawer onClose={close} /> : null}
    </>
  )
}
