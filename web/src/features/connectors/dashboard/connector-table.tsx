import type { Connector } from '@tributary/contract/connectors'
import { connectorActivity, isActive, canRefresh } from '../../../domain/connectors/connector-state.ts'
import { type TableColumn, DataTable } from '../../../ui/tables/data-table.tsx'
import { useNow } from '../../../domain/time/use-now.ts'
import { StatusBadge } from '../../../ui/display/status-badge.tsx'
import { ActivityLine } from './activity-line.tsx'
import { CardMessage } from './card-message.tsx'
import css from './dashboard.module.css'
import { ConnectorOrigin } from './connector-card.tsx'
import { RunButtons } from './run-buttons.tsx'
import { DurationFact, FreshnessFact, RowsFact } from './run-facts.tsx'
import { RecentRuns } from './recent-runs.tsx'
import { connectorStatusBadge } from '../connector-status.ts'
import { ConnectorLink } from '../../../domain/connectors/connector-link.tsx'
import { TieOutSummary } from '../../../domain/tie-out/tie-out-summary.tsx'
import { connectorTitleId } from '../use-connectors.ts'
import { formatCount } from '../../../ui/formats.ts'

/** The connectors as a table instead of cards. */
export function ConnectorTable({ caption, connectors }: { caption: string; connectors: readonly Connector[] }) {
  const time = useNow(15_000)
  return (
    <DataTable
      caption={caption}
      name="connectors"
      summary={connectors.length === 1 ? '1 connector' : `${formatCount(connectors.length)} connectors`}
      columns={connectorColumns(time)}
      rows={connectors}
      rowKey={({ Id }) => Id}
    />
  )
}

function connectorColumns(time: number): TableColumn<Connector>[] {
  return [
    { title: 'Name', cell: (connector) => <NameCell connector={connector} /> },
    { title: 'Status', cell: (connector) => <StatusBadge {...connectorStatusBadge(connector)} /> },
    {
      title: 'Last runs',
      cell: (connector) => (
        <>
          <ActivityLine
            connectorId={connector.Id}
            log={connector.Log}
            activity={connectorActivity(connector.Log, time)}
          />
          <RecentRuns connector={connector} />
          <TieOutSummary connectorId={connector.Id} state={connector.TieOut} className={css.tieOut} />
        </>
      ),
    },
    {
      title: 'Rows written',
      isNumber: true,
      isHiddenByDefault: true,
      cell: (connector) => <RowsFact connector={connector} />,
    },
    { title: 'Took', isHiddenByDefault: true, cell: (connector) => <DurationFact connector={connector} /> },
    { title: 'Fresh as of', cell: (connector) => <FreshnessFact connector={connector} /> },
    {
      title: 'Next',
      cell: (connector) => (isActive(connector) ? <CardMessage connector={connector} time={time} /> : '–'),
    },
    {
      title: 'Run it',
      isActions: true,
      cell: (connector) =>
        isActive(connector) ? (
          <div className={css.rowButtons}>
            <RunButtons connector={connector} isEnabled={canRefresh(connector, time)} size="compact-sm" />
          </div>
        ) : null,
    },
  ]
}

function NameCell({ connector }: { connector: Connector }) {
  return (
    <>
      <ConnectorLink id={connectorTitleId(connector)} connectorId={connector.Id}>
        {connector.Name}
      </ConnectorLink>
      <span className={css.origin}>
        <ConnectorOrigin connector={connector} />
      </span>
    </>
  )
}
