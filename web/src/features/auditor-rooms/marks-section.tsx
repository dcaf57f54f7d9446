import type { OwnAuditorRoom } from '@tributary/contract/auditor-rooms'
import type { ReportMark } from '@tributary/contract/report-marks'
import { useQuery } from '@tanstack/react-query'
import { useOrganisationId } from '../../api/session/workspace.ts'
import { QueryResult } from '../../domain/requests/query-result.tsx'
import { formatDay, formatMoment } from '../../ui/formats.ts'
import { Panel } from '../../ui/layout/panel.tsx'
import { DataTable, type TableColumn } from '../../ui/tables/data-table.tsx'
import { coveredMarks } from './room-queries.ts'

type CoveredConnector = OwnAuditorRoom['Connectors'][number]

/** What was marked as reported, with superseded marks. */
export function MarksSection({ room }: { readonly room: OwnAuditorRoom }) {
  return (
    <Panel title="Marked as reported">
      {connectorsOfMarks(room).map((connector) => (
        <ConnectorMarks key={connector.Id} connector={connector} />
      ))}
    </Panel>
  )
}

/** Those that are covered whole, then those of single marks. */
function connectorsOfMarks({ Connectors, Marks }: OwnAuditorRoom): readonly CoveredConnector[] {
  const all = [...Connectors, ...Marks.map(({ Connector }) => Connector)]
  return [...new Map(all.map((connector) => [connector.Id, connector])).values()]
}

function ConnectorMarks({ connector: { Id, Name } }: { connector: CoveredConnector }) {
  const marks = useQuery(coveredMarks(useOrganisationId(), Id))
  return (
    <QueryResult query={marks}>
      {(list) =>
        list.length === 0 ? (
          <p className="muted">{`Nothing of ${Name} was marked as reported in the months of this room.`}</p>
        ) : (
          <DataTable
            caption={`Marks of ${Name}, latest first`}
            columns={columns}
            rows={list}
            rowKey={({ Id: markId }) => markId}
          />
        )
      }
    </QueryResult>
  )
}

const columns: TableColumn<ReportMark>[] = [
  { title: 'Mark', cell: ({ Name }) => Name },
  { title: 'Up to', cell: ({ PeriodEnd }) => formatDay(PeriodEnd, 'date') },
  { title: 'Shows the books of', cell: ({ MomentUtc }) => formatMoment(MomentUtc, 'dateTime') },
  {
    title: 'Marked',
    cell: ({ CreatedAtUtc, CreatedBy }) => `${formatMoment(CreatedAtUtc, 'dateTime')} by ${CreatedBy}`,
  },
  { title: 'Views', cell: ({ Views }) => Views.join(', ') },
  { title: 'Superseded', cell: ({ Reason }) => Reason ?? 'No' },
]
