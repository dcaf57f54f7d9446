import type { OwnAuditorRoom } from '@tributary/contract/auditor-rooms'
import type { ClosedPeriodChange } from '@tributary/contract/closed-periods'
import { useQuery } from '@tanstack/react-query'
import { useOrganisationId } from '../../api/session/workspace.ts'
import { QueryResult } from '../../domain/requests/query-result.tsx'
import { formatCount, formatDay, formatDecimal, formatMoment } from '../../ui/formats.ts'
import { Panel } from '../../ui/layout/panel.tsx'
import { DataTable, type TableColumn } from '../../ui/tables/data-table.tsx'
import { coveredChanges } from './room-queries.ts'

type CoveredConnector = OwnAuditorRoom['Connectors'][number]

/** Documents that changed although their month was closed. */
export function ClosedPeriodsSection({ room }: { readonly room: OwnAuditorRoom }) {
  return (
    <Panel title="Closed-period changes">
      {room.Connectors.map((connector) => (
        <ConnectorChanges key={connector.Id} connector={connector} />
      ))}
    </Panel>
  )
}

function ConnectorChanges({ connector: { Id, Name } }: { connector: CoveredConnector }) {
  const changes = useQuery(coveredChanges(useOrganisationId(), Id))
  return (
    <QueryResult query={changes}>
      {({ Changes, Total }) =>
        Changes.length === 0 ? (
          <p className="muted">{`No change in a closed month of ${Name} is known.`}</p>
        ) : (
          <>
            <p className="small muted">{`${Name}: ${Total === 1 ? 'one change' : `${formatCount(Total)} changes`}. What happened and was undone between two runs cannot be seen.`}</p>
            <DataTable
              caption={`Closed-period changes of ${Name}, latest first`}
              columns={columns}
              rows={Changes}
              rowKey={({ Id: changeId }) => changeId}
            />
          </>
        )
      }
    </QueryResult>
  )
}

const words: Readonly<Record<ClosedPeriodChange['Change'], string>> = {
  added: 'Added',
  changed: 'Changed',
  voided: 'Voided',
  deleted: 'Deleted',
}

const columns: TableColumn<ClosedPeriodChange>[] = [
  { title: 'Document', cell: ({ Kind, Number, DocumentId }) => `${Kind} ${Number ?? DocumentId}` },
  { title: 'Change', cell: ({ Change }) => words[Change] },
  { title: 'Dated', cell: ({ Before, After }) => describeDates((After ?? Before)?.Dates ?? []) },
  { title: 'Moved', cell: ({ Moved }) => Moved.map(describeMoved).join(', ') },
  { title: 'Seen', cell: ({ SeenAtUtc }) => formatMoment(SeenAtUtc, 'dateTime') },
  { title: 'Acknowledged', cell: ({ Reason }) => Reason ?? 'Not yet' },
]

function describeDates(dates: readonly string[]): string {
  return dates.map((date) => formatDay(date, 'date')).join(', ')
}

function describeMoved({ Code, Name, AccountId, Moved }: ClosedPeriodChange['Moved'][number]): string {
  return `${[Code, Name ?? AccountId].filter((part) => part !== null).join(' ')} ${formatDecimal(Moved, 2)}`
}
