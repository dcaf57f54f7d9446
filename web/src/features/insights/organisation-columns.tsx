import type { OrganisationInsight } from '@tributary/contract/insights'
import { IconCheck, IconClockExclamation, IconProgress } from '@tabler/icons-react'
import { IconCircle, IconX } from '@tabler/icons-react/visitor-icons'
import { Link } from 'react-router'
import { paths } from '../../paths.ts'
import { RelativeTime } from '../../domain/time/relative-time.tsx'
import { StatusBadge } from '../../ui/display/status-badge.tsx'
import { countColumn, type TableColumn } from '../../ui/tables/data-table.tsx'
import css from './insights.module.css'
import { callShare } from './organisation-order.ts'
import { formatCount } from '../../ui/formats.ts'

export const organisationColumns: readonly TableColumn<OrganisationInsight>[] = [
  {
    title: 'Organisation',
    cell: ({ Id, CompanyName, CreatedAtUtc }) => (
      <>
        <Link to={paths.enterOrganisation(Id)}>{CompanyName}</Link>
        <span className={css.note}>
          {'Created '}
          <RelativeTime at={CreatedAtUtc} />
        </span>
      </>
    ),
  },
  { title: 'Needs', cell: (organisation) => <Needs organisation={organisation} /> },
  countColumn('Connectors', ({ Connectors }) => Connectors),
  countColumn('Rows', ({ Rows }) => Rows),
  { title: 'Calls today', cell: ({ Calls }) => <CallsToday calls={Calls} /> },
  { title: 'Licences', cell: ({ Licences }) => <GrantedLicences licences={Licences} /> },
]

function Needs({ organisation: { Failing, Late, Running, NeverConnected } }: { organisation: OrganisationInsight }) {
  const isFine = Failing === 0 && Late === 0 && !NeverConnected
  return (
    <span className={css.needs}>
      {Failing === 0 ? null : <StatusBadge label={`${formatCount(Failing)} failing`} tone="error" icon={IconX} />}
      {Late === 0 ? null : <StatusBadge label={`${formatCount(Late)} late`} tone="warn" icon={IconClockExclamation} />}
      {NeverConnected ? <StatusBadge label="Never connected" tone="quiet" icon={IconCircle} /> : null}
      {isFine ? <StatusBadge label="Nothing" tone="ok" icon={IconCheck} /> : null}
      {Running === 0 ? null : <StatusBadge label={`${formatCount(Running)} running`} tone="info" icon={IconProgress} />}
    </span>
  )
}

/** The connectors nearest to the documented limit of their source. */
const shownCalls = 3

function CallsToday({ calls }: { calls: OrganisationInsight['Calls'] }) {
  if (calls.length === 0) return '–'
  return (
    <ul className={css.lines}>
      {calls.slice(0, shownCalls).map((one) => (
        <li key={`${one.Type} ${one.ConnectorName}`}>
          {`${one.ConnectorName}: ${formatCount(one.Used)} ${formatLimit(one)}`}
          <meter
            className={css.share}
            aria-label={`Share of the day’s calls of ${one.ConnectorName}`}
            min={0}
            max={1}
            high={0.8}
            optimum={0}
            value={Math.min(1, callShare(one))}
          />
        </li>
      ))}
      {calls.length > shownCalls ? <li>{`and ${calls.length - shownCalls} more`}</li> : null}
    </ul>
  )
}

/** Formats 'of 5,000', or '(60 a minute)'. */
function formatLimit({ Limit, Per }: OrganisationInsight['Calls'][number]): string {
  return Per === 'day' ? `of ${formatCount(Limit)}` : `(at most ${formatCount(Limit)} a minute)`
}

/** The number of licences, with the list behind a click. */
function GrantedLicences({ licences }: { licences: OrganisationInsight['Licences'] }) {
  const total = licences.reduce((sum, { Connectors }) => sum + Connectors, 0)
  if (total === 0) return 'Base only'
  return (
    <details>
      <summary className={css.summary}>{total === 1 ? '1 licence' : `${formatCount(total)} licences`}</summary>
      <ul className={css.lines}>
        {licences.map(({ Type, Title, Connectors }) => (
          <li key={`${Type} ${Title}`}>{Connectors === 1 ? Title : `${Title} × ${formatCount(Connectors)}`}</li>
        ))}
      </ul>
    </details>
  )
}
