/** Whether the organisation's figures can be trusted: a sentence on top, then each source with its verdict. */
import type { TrustSource, TrustVerdict } from '@tributary/contract/trust'
import { IconCircleX, IconClockExclamation } from '@tabler/icons-react'
import { IconAlertTriangle, IconCircleCheck, IconCircleDashed } from '@tabler/icons-react/visitor-icons'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useOrganisationId } from '../../api/session/workspace.ts'
import { ConnectorIcon } from '../../domain/connectors/connector-icon.tsx'
import { ConnectorLink } from '../../domain/connectors/connector-link.tsx'
import { stateBadges } from '../../domain/connectors/connector-state-badges.ts'
import { QueryResult } from '../../domain/requests/query-result.tsx'
import { RelativeTime } from '../../domain/time/relative-time.tsx'
import { paths } from '../../paths.ts'
import { StatusBadge, type StatusBadgeProps } from '../../ui/display/status-badge.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx'
import { formatDay } from '../../ui/formats.ts'
import { Page } from '../../ui/layout/page.tsx'
import { organisationTrust } from './api.ts'
import css from './trust.module.css'
import {
  describeClosedPeriods,
  describeDifferences,
  describeFigures,
  describePublication,
  describeRows,
  summariseTrust,
} from './trust-words.ts'

export function TrustPage() {
  const query = useQuery(organisationTrust(useOrganisationId()))
  return (
    <Page kind="board">
      <QueryResult query={query} loading={<SkeletonLines count={6} height={48} />}>
        {({ Sources }) => <SourceList sources={Sources} />}
      </QueryResult>
    </Page>
  )
}

function SourceList({ sources }: { sources: readonly TrustSource[] }) {
  const summary = summariseTrust(sources)
  if (summary === null)
    return (
      <EmptyState kind="first" title="No source yet">
        Once a source moves rows, this page says whether they agree with it.
      </EmptyState>
    )
  return (
    <>
      <p className={css.summary}>{summary}</p>
      <ul className={css.sources} aria-label="Sources">
        {sources.map((source) => (
          <SourceCard key={source.ConnectorId} source={source} />
        ))}
      </ul>
    </>
  )
}

const badges: Readonly<Record<TrustVerdict, StatusBadgeProps>> = {
  differs: { label: 'Differs', tone: 'error', icon: IconCircleX },
  unknown: { label: 'Could not be compared', tone: 'warn', icon: IconAlertTriangle },
  outdated: { label: 'Proof is outdated', tone: 'warn', icon: IconClockExclamation },
  unproven: { label: 'Not proven yet', tone: 'quiet', icon: IconCircleDashed },
  notProvable: { label: 'Not provable', tone: 'quiet', icon: IconCircleDashed },
  sampled: { label: 'Sampled', tone: 'ok', icon: IconCircleCheck },
  proven: { label: 'Proven', tone: 'ok', icon: IconCircleCheck },
}

/** Each fact is a link to the view that shows it. */
function SourceCard({ source }: { source: TrustSource }) {
  const { Name, Type, ConnectorId, Verdict, ProvenAtUtc, FreshAtUtc, Marks, State } = source
  const figures = describeFigures(source)
  const hasLedger = source.WatchesClosedPeriods || Marks.length > 0
  return (
    <li className={css.source}>
      <div className={css.head}>
        <ConnectorIcon name={Type} size={20} />
        <h2 className={css.name}>
          <Link to={paths.run(Type, ConnectorId, null)}>{Name}</Link>
        </h2>
        <StatusBadge {...badges[Verdict]} />
      </div>
      <dl className={css.facts}>
        <Fact label="Rows" to={{ connectorId: ConnectorId, view: 'verification' }}>
          {describeRows(source)}
        </Fact>
        {figures === null ? null : (
          <Fact label="Figures" to={{ connectorId: ConnectorId, view: 'tieOut' }}>
            {figures}
          </Fact>
        )}
        <Fact label="Last proven">{ProvenAtUtc === null ? 'Not at present' : <RelativeTime at={ProvenAtUtc} />}</Fact>
        <Fact label="Open differences" to={differencesLink(source)}>
          {describeDifferences(source)}
        </Fact>
        <Fact label="Fresh as of" to={{ connectorId: ConnectorId }}>
          {FreshAtUtc === null ? 'No completed run yet' : <RelativeTime at={FreshAtUtc} />}
          {State === 'fresh' || State === 'never' ? null : ` (${stateBadges[State].label})`}
        </Fact>
        <Fact label="Closed months" to={hasLedger ? { connectorId: ConnectorId, view: 'closedPeriods' } : undefined}>
          {describeClosedPeriods(source)}
        </Fact>
        <Fact label="Published">{describePublication(source)}</Fact>
        <Fact
          label="Marked as reported"
          to={Marks.length > 0 ? { connectorId: ConnectorId, view: 'closedPeriods' } : undefined}
        >
          {Marks.length === 0
            ? 'Nothing'
            : Marks.map((mark) => `${mark.Name} (up to ${formatDay(mark.PeriodEnd, 'date')})`).join(', ')}
        </Fact>
      </dl>
    </li>
  )
}

function differencesLink({ ConnectorId, Differences, Verification }: TrustSource): FactLink | undefined {
  if (Verification.Differences > 0) return { connectorId: ConnectorId, view: 'verification' }
  return Differences > 0 ? { connectorId: ConnectorId, view: 'tieOut' } : undefined
}

interface FactLink {
  readonly connectorId: string
  readonly view?: string
}

interface FactProps {
  readonly label: string
  /** The view that shows it. */
  readonly to?: FactLink | undefined
  readonly children: ReactNode
}

function Fact({ label, to, children }: FactProps) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{to === undefined ? children : <ConnectorLink {...to}>{children}</ConnectorLink>}</dd>
    </div>
  )
}
