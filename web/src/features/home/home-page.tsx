import type { ConnectorType } from '@tributary/contract/connector-catalogue'
import type { Connector } from '@tributary/contract/connectors'
import { useQuery } from '@tanstack/react-query'
import { needsAttention } from '../../domain/connectors/connector-state.ts'
import { catalogue, connectorList, ownTypes } from '../../api/queries/common-queries.ts'
import { useMay, useWorkspace } from '../../api/session/workspace.ts'
import { QueryPlaceholder } from '../../domain/requests/query-placeholder.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { useNow } from '../../domain/time/relative-time.tsx'
import { ConnectorsNeedingAttention } from './connectors-needing-attention.tsx'
import { AvailableConnectorCard, ExcelCard, OwnConnectorsCard } from './connector-cards.tsx'
import css from './home.module.css'

export function HomePage() {
  return (
    <Page kind="board">
      <HomeContent />
    </Page>
  )
}

/** Rendered once all queries have loaded, so that nothing moves under the pointer. */
function HomeContent() {
  const { organisation } = useWorkspace()
  const all = useQuery(catalogue)
  const own = useQuery(ownTypes(organisation.Id))
  const connectors = useQuery(connectorList(organisation.Id))
  const time = useNow(15_000)
  if (all.data === undefined || own.data === undefined || connectors.data === undefined)
    return (
      <QueryPlaceholder of={[all, own, connectors]}>
        <CardSkeletons />
      </QueryPlaceholder>
    )
  const owned = new Set(own.data.map(({ Type }) => Type))
  return (
    <>
      <ConnectorsNeedingAttention connectors={connectors.data.filter((connector) => needsAttention(connector, time))} />
      <OwnConnectors types={own.data} connectors={connectors.data} time={time} />
      <AvailableConnectors types={all.data.filter(({ Type }) => !owned.has(Type))} />
    </>
  )
}

function OwnConnectors({
  types,
  connectors,
  time,
}: {
  types: readonly ConnectorType[]
  connectors: readonly Connector[]
  time: number
}) {
  const maySeeExcel = useMay()('seeExcel')
  return (
    <section className={css.section} aria-labelledby="own">
      <h2 id="own">Your connectors</h2>
      {types.length === 0 ? <NoConnectors /> : null}
      {types.length === 0 && !maySeeExcel ? null : (
        <ul className={css.grid}>
          {maySeeExcel ? <ExcelCard /> : null}
          {types.map((type) => (
            <OwnConnectorsCard
              key={type.Id}
              type={type}
              connectors={connectors.filter(({ Type }) => Type === type.Type)}
              time={time}
            />
          ))}
        </ul>
      )}
    </section>
  )
}

function AvailableConnectors({ types }: { types: readonly ConnectorType[] }) {
  const { organisation } = useWorkspace()
  const mayAdd = useMay()('addConnector')
  if (types.length === 0) return null
  return (
    <section className={css.section} aria-labelledby="available">
      <h2 id="available">Available connectors</h2>
      <ul className={css.grid}>
        {types.map((type) => (
          <AvailableConnectorCard key={type.Id} type={type} organisationId={organisation.Id} mayAdd={mayAdd} />
        ))}
      </ul>
    </section>
  )
}

function NoConnectors() {
  const mayAdd = useMay()('addConnector')
  if (mayAdd) {
    return (
      <EmptyState kind="first" title="Nothing much to do here.">
        Choose one of the available connectors below. Its runs and their results will appear here.
      </EmptyState>
    )
  }
  return (
    <EmptyState kind="notAllowed" title="You cannot see any connectors yet.">
      Please ask your administrator for permission to see connectors.
    </EmptyState>
  )
}

function CardSkeletons() {
  return (
    <div className={css.grid} aria-hidden>
      {[0, 1, 2, 3, 4].map((index) => (
        <span key={index} className={css.bone} />
      ))}
    </div>
  )
}
