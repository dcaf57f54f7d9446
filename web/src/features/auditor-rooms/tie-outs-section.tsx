import type { OwnAuditorRoom } from '@tributary/contract/auditor-rooms'
import type { TieOutCompany, TieOutPeriod } from '@tributary/contract/tie-out'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { useOrganisationId } from '../../api/session/workspace.ts'
import { QueryResult } from '../../domain/requests/query-result.tsx'
import { TieOutBadge } from '../../domain/tie-out/tie-out-badge.tsx'
import { paths } from '../../paths.ts'
import { formatDay, formatDecimal, formatMoment } from '../../ui/formats.ts'
import { Panel } from '../../ui/layout/panel.tsx'
import { countColumn, DataTable, type TableColumn } from '../../ui/tables/data-table.tsx'
import { coveredTieOut } from './room-queries.ts'

type CoveredConnector = OwnAuditorRoom['Connectors'][number]

/** The months of each connector’s latest tie-out, each with its figures to print. */
export function TieOutsSection({ room }: { readonly room: OwnAuditorRoom }) {
  return (
    <Panel title="Tie-outs">
      {room.Connectors.map((connector) => (
        <ConnectorTieOut key={connector.Id} connector={connector} />
      ))}
    </Panel>
  )
}

function ConnectorTieOut({ connector }: { connector: CoveredConnector }) {
  const tieOut = useQuery(coveredTieOut(useOrganisationId(), connector.Id))
  return (
    <QueryResult query={tieOut}>
      {(found) =>
        found === null || found.Periods.length === 0 ? (
          <p className="muted">{`${connector.Name} has no tie-out of the months of this room.`}</p>
        ) : (
          <>
            <p className="small muted">{`${connector.Name}: ${found.Company}, compared ${formatMoment(found.CheckedAtUtc, 'dateTime')}`}</p>
            {found.Companies.length === 0 ? null : (
              <DataTable
                caption={`Companies of ${connector.Name}`}
                columns={companyColumns}
                rows={found.Companies}
                rowKey={({ Id }) => Id}
              />
            )}
            <DataTable
              caption={`Months of ${connector.Name}, latest first`}
              columns={columnsOf(connector)}
              rows={found.Periods}
              rowKey={({ Period }) => Period}
            />
          </>
        )
      }
    </QueryResult>
  )
}

const companyColumns: readonly TableColumn<TieOutCompany>[] = [
  { title: 'Company', cell: ({ Name }) => Name },
  { title: 'State', cell: ({ State }) => <TieOutBadge state={State} /> },
  { title: 'Currency', cell: ({ Currency }) => Currency ?? '–' },
]

function columnsOf({ Id, Type }: CoveredConnector): TableColumn<TieOutPeriod>[] {
  return [
    {
      title: 'Month',
      cell: ({ Period }) => <Link to={paths.certificate(Type, Id, Period)}>{formatDay(Period, 'month')}</Link>,
    },
    { title: 'State', cell: ({ State }) => <TieOutBadge state={State} /> },
    countColumn('Accounts', ({ Accounts }) => Accounts),
    countColumn('Differing', ({ Differing }) => Differing),
    {
      title: 'Difference',
      isNumber: true,
      cell: ({ Difference }) => (Difference === null ? '–' : formatDecimal(Difference, 2)),
    },
  ]
}
