import type { ConnectorType } from '@tributary/contract/connector-catalogue'
import type { Overview, OverviewConnector } from '@tributary/contract/overview'
import { useQuery } from '@tanstack/react-query'
import { Navigate } from 'react-router'
import { catalogue, ownTypes } from '../../api/queries/common-queries.ts'
import { useMay, useWorkspace } from '../../api/session/workspace.ts'
import { formatPeopleToAsk } from '../../domain/users/people-to-ask.ts'
import { QueryPlaceholder } from '../../domain/requests/query-placeholder.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { paths } from '../../paths.ts'
import { organisationOverview } from './api.ts'
import { AttentionCallout } from './attention-callout.tsx'
import { Checklists } from './checklists.tsx'
import { AvailableConnectorCard, ExcelCard, OwnConnectorsCard } from './connector-cards.tsx'
import css from './home.module.css'
import { OverviewSection } from './overview-section.tsx'

export function HomePage() {
  const { identity } = useWorkspace()
  if (identity.auditorUntil !== undefined) return <Navigate to={paths.auditorRoom} replace />
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
  const overview = useQuery(organisationOverview(organisation.Id))
  if (all.data === undefined || own.data === undefined || overview.data === undefined)
    return (
      <QueryPlaceholder of={[all, own, overview]}>
        <CardSkeletons />
      </QueryPlaceholder>
    )
  const owned = new Set(own.data.map(({ Type }) => Type))
  const { Connectors, Checklists: checklists } = overview.data
  return (
    <>
      <AttentionCallout connectors={Connectors} />
      <Checklists key={organisation.Id} checklists={checklists} connectors={Connectors} />
      <OwnConnectors types={own.data} overview={overview.data} />
      <AvailableConnectors types={all.data.filter(({ Type }) => !owned.has(Type))} />
      <OverviewSection key={`overview ${organisation.Id}`} overview={overview.data} />
    </>
  )
}

function OwnConnectors({ types, overview }: { types: readonly ConnectorType[]; overview: Overview }) {
  const { organisation } = useWorkspace()
  const may = useMay()
  const maySeeExcel = may('seeExcel')
  return (
    <section className={css.section} aria-labelledby="own">
      <h2 id="own">Your connectors</h2>
      {types.length === 0 ? <NoConnectors administrators={overview.Administrators} /> : null}
      {types.length === 0 && !maySeeExcel ? null : (
        <ul className={css.grid}>
          {maySeeExcel ? <ExcelCard /> : null}
          {types.map((type) => (
            <OwnConnectorsCard
              key={type.Id}
              type={type}
              connectors={ofType(overview.Connectors, type)}
              organisationId={organisation.Id}
              mayAdd={may('addConnector')}
            />
          ))}
        </ul>
      )}
    </section>
  )
}

function ofType(connectors: readonly OverviewConnector[], type: ConnectorType): readonly OverviewConnector[] {
  return connectors.filter(({ Type }) => Type === type.Type)
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

function NoConnectors({ administrators }: { administrators: Overview['Administrators'] }) {
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
      <p>Please ask your administrator for permission to see connectors.</p>
      {administrators.length === 0 ? null : <p>{`Your administrator: ${formatPeopleToAsk(administrators)}.`}</p>}
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
