/** Whether the organisation's figures can be trusted: a sentence on top, then each source with its verdict. */
import type { TrustSource, TrustVerdict } from '@tributary/contract/trust'
import { IconCircleX } from '@tabler/icons-react'
import { IconAlertTriangle, IconCircleCheck, IconCircleDashed } from '@tabler/icons-react/visitor-icons'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useOrganisationId } from '../../api/session/workspace.ts'
import { ConnectorIcon } from '../../domain/connectors/connector-icon.tsx'
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
import { describeClosedPeriods, describeProof, describePublication, summariseTrust } from './trust-words.ts'

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
  proven: { label: 'Proven', tone: 'ok', icon: IconCircleCheck },
  differs: { label: 'Differs', tone: 'error', icon: IconCircleX },
  unknown: { label: 'Could not be compared', tone: 'warn', icon: IconAlertTriangle },
  unproven: { label: 'Not proven', tone: 'quiet', icon: IconCircleDashed },
}

function SourceCard({ source }: { source: TrustSource }) {
  const { Name, Type, ConnectorId, Verdict, ProvenAtUtc, FreshAtUtc, Marks } = source
  return (
    <li className={css.source}>
      <div className={css.head}>
        <ConnectorIcon name={Type} size={20} />
        <h2 className={css.name}>
          <Link to={paths.run(Type, ConnectorId, null)}>{Name}</Link>
        </h2>
        <StatusBadge {...badges[Verdict]} />
      </div>
      <p className={css.proof}>{describeProof(source)}</p>
      <dl className={css.facts}>
        <Fact label="Last proven">{ProvenAtUtc === null ? 'Never' : <RelativeTime at={ProvenAtUtc} />}</Fact>
        <Fact label="Fresh as of">
          {FreshAtUtc === null ? 'No completed run yet' : <RelativeTime at={FreshAtUtc} />}
        </Fact>
        <Fact label="Closed months">{describeClosedPeriods(source)}</Fact>
        <Fact label="Published">{describePublication(source)}</Fact>
        <Fact label="Marked as reported">
          {Marks.length === 0
            ? 'Nothing'
            : Marks.map((mark) => `${mark.Name} (up to ${formatDay(mark.PeriodEnd, 'date')})`).join(', ')}
        </Fact>
      </dl>
    </li>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}
