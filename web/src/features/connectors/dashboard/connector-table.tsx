import type { Connector } from '@tributary/contract/connectors'
import { Link } from 'react-router'
import { activityOf, isActive, mayRefresh } from '../../../domain/connectors/connector-state.ts'
import { withConnector } from '../../../paths.ts'
import { useAddress } from '../../../ui/hooks/search-params.ts'
import { type Column, DataTable } from '../../../ui/tables/data-table.tsx'
import { useTick } from '../../../domain/time/relative-time.tsx'
import { StatusBadge } from '../../../ui/display/status-badge.tsx'
import { ActivityLine } from './activity-line.tsx'
import { CardMessage } from './card-message.tsx'
import css from './dashboard.module.css'
import { Origin, TieOutLine } from './connector-card.tsx'
import { RunButtons } from './run-buttons.tsx'
import { RunStrip } from './recent-runs.tsx'
import { statusLook } from '../connector-status.ts'
import { titleIdOf } from '../use-connectors.ts'

/** The same as the cards, for many connectors at once. */
export function RunTable({ caption, connectors }: { caption: string; connectors: readonly Connector[] }) {
  const time = useTick(15_000)
  return <DataTable caption={caption} columns={columns(time)} rows={connectors} rowKey={({ Id }) => Id} />
}

function columns(time: number): Column<Connector>[] {
  return [
    { title: 'Name', cell: (connector) => <NameCell connector={connector} /> },
    { title: 'Status', cell: (connector) => <StatusBadge {...statusLook(connector)} /> },
    {
      title: 'Last run',
      cell: ({ Id, Log }) => <ActivityLine connectorId={Id} log={Log} activity={activityOf(Log, time)} />,
    },
    {
      title: 'Runs',
      cell: (connector) => (
        <>
          <RunStrip connector={connector} />
          <TieOutLine connector={connector} />
        </>
      ),
    },
    {
      title: 'Next',
      cell: (connector) => (isActive(connector) ? <CardMessage connector={connector} time={time} /> : '–'),
    },
    {
      title: 'Run it',
      cell: (connector) =>
        isActive(connector) ? (
          <div className={css.rowButtons}>
            <RunButtons connector={connector} isEnabled={mayRefresh(connector.Log, time)} />
          </div>
        ) : (
          '–'
        ),
    },
  ]
}

function NameCell({ connector }: { connector: Connector }) {
  const params = useAddress()
  return (
    <>
      <Link id={titleIdOf(connector)} to={`?${withConnector(params, connector.Id)}`}>
        {connector.Name}
      </Link>
      <span className={css.origin}>
        <Origin connector={connector} />
      </span>
    </>
  )
}
