/** One row for each connector: state, freshness against the schedule, runs, rows, tie-out and the last 30 days. */
import type { OverviewConnector } from '@tributary/contract/overview'
import { Link } from 'react-router'
import { ConnectorIcon } from '../../domain/connectors/connector-icon.tsx'
import { stateBadges } from '../../domain/connectors/connector-state-badges.ts'
import { TieOutBadge } from '../../domain/tie-out/tie-out-badge.tsx'
import { RelativeTime, ScheduledTime } from '../../domain/time/relative-time.tsx'
import { VerificationSummary } from '../../domain/verifications/verification-summary.tsx'
import { StatusBadge } from '../../ui/display/status-badge.tsx'
import { countColumn, DataTable, type TableColumn } from '../../ui/tables/data-table.tsx'
import { runPath, tablesPath } from './connector-links.ts'
import { DayStrip } from './day-strip.tsx'
import css from './overview.module.css'

export interface OverviewTableProps {
  connectors: readonly OverviewConnector[]
  /** Number of connectors. */
  summary: string
}

export function OverviewTable({ connectors, summary }: OverviewTableProps) {
  const hasTieOut = connectors.some(({ TieOut }) => TieOut !== null)
  return (
    <DataTable
      caption="State of the connectors, those that need help first"
      name="overview"
      summary={summary}
      columns={[...stateColumns, verificationColumn, ...(hasTieOut ? [tieOutColumn] : []), daysColumn]}
      rows={connectors}
      rowKey={({ Id }) => Id}
    />
  )
}

export const nameColumn: TableColumn<OverviewConnector> = {
  title: 'Connector',
  cell: (connector) => (
    <span className={css.connector}>
      <ConnectorIcon name={connector.Type} size={20} />
      <span>
        <Link to={tablesPath(connector)}>{connector.Name}</Link>
        {connector.SharedBy === null ? null : <span className={css.note}>{`Shared by ${connector.SharedBy}`}</span>}
      </span>
    </span>
  ),
}

const stateColumns: readonly TableColumn<OverviewConnector>[] = [
  nameColumn,
  { title: 'State', cell: ({ State }) => <StatusBadge {...stateBadges[State]} /> },
  { title: 'Fresh as of', cell: (connector) => <Freshness connector={connector} /> },
  { title: 'Last run', cell: (connector) => <LastRun connector={connector} /> },
  { title: 'Next run', cell: (connector) => <NextRun connector={connector} /> },
  countColumn('Rows today', ({ RowsToday }) => RowsToday),
]

const tieOutColumn: TableColumn<OverviewConnector> = {
  title: 'Tie-out',
  cell: ({ TieOut }) => (TieOut === null ? '–' : <TieOutBadge state={TieOut} />),
}

const verificationColumn: TableColumn<OverviewConnector> = {
  title: 'Verification',
  cell: ({ Id, Verification }) => (
    <VerificationSummary connectorId={Id} verification={Verification} className={css.verification} />
  ),
}

const daysColumn: TableColumn<OverviewConnector> = {
  title: 'Last 30 days',
  cell: ({ Days }) => <DayStrip days={Days} />,
}

function Freshness({ connector: { FreshAtUtc, LateSinceUtc } }: { connector: OverviewConnector }) {
  return (
    <span>
      {FreshAtUtc === null ? 'No rows yet' : <RelativeTime at={FreshAtUtc} />}
      {LateSinceUtc === null ? null : (
        <span className={css.late}>
          {'due '}
          <RelativeTime at={LateSinceUtc} />
        </span>
      )}
    </span>
  )
}

/** Before the time of a run that has not completed. */
const runWords = {
  QUEUED: 'Queued ',
  RUNNING: 'Started ',
  WAITING: 'Waits since ',
  COMPLETED: '',
  FAILED: 'Failed ',
  CANCELLED: 'Cancelled ',
} as const

function LastRun({ connector }: { connector: OverviewConnector }) {
  const { LastRun: run } = connector
  if (run === null) return 'Never started'
  return (
    <Link to={runPath(connector, run.Id)}>
      {runWords[run.Status]}
      <RelativeTime at={run.CompletedAtUtc ?? run.QueuedAtUtc} />
    </Link>
  )
}

/** The schedule waits while a person must act first. */
function NextRun({ connector: { NextRunAtUtc, Schedule, State, TimeZone } }: { connector: OverviewConnector }) {
  if (State === 'disconnected') return '–'
  if (NextRunAtUtc !== null) return <ScheduledTime at={NextRunAtUtc} timeZone={TimeZone} />
  return Schedule === null ? 'By hand' : 'Paused'
}
