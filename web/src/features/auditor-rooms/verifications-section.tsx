import type { OwnAuditorRoom } from '@tributary/contract/auditor-rooms'
import type { VerifiedTable } from '@tributary/contract/verifications'
import { useQuery } from '@tanstack/react-query'
import { useOrganisationId } from '../../api/session/workspace.ts'
import { QueryResult } from '../../domain/requests/query-result.tsx'
import { describeSource, describeTable, verdictWords } from '../../domain/verifications/verification-words.ts'
import { Panel } from '../../ui/layout/panel.tsx'
import { DataTable, type TableColumn } from '../../ui/tables/data-table.tsx'
import { coveredVerification } from './room-queries.ts'

type CoveredConnector = OwnAuditorRoom['Connectors'][number]

/** What the verification of each table came to. */
export function VerificationsSection({ room }: { readonly room: OwnAuditorRoom }) {
  return (
    <Panel title="Verification">
      {room.Connectors.map((connector) => (
        <ConnectorVerification key={connector.Id} connector={connector} />
      ))}
    </Panel>
  )
}

function ConnectorVerification({ connector: { Id, Name } }: { connector: CoveredConnector }) {
  const verification = useQuery(coveredVerification(useOrganisationId(), Id))
  return (
    <QueryResult query={verification}>
      {({ Source, Tables }) =>
        Tables.length === 0 ? (
          <p className="muted">{`${Name} has no table yet.`}</p>
        ) : (
          <>
            <p className="small muted">
              {[
                `${Name}: ${describeSource(Source) ?? 'Not verified yet'}`,
                ...(Source.Verdict === null ? [] : [verdictWords[Source.Verdict].label]),
              ].join(', ')}
            </p>
            <DataTable
              caption={`Tables of ${Name} and their verification`}
              columns={columns}
              rows={Tables}
              rowKey={({ Name: stream }) => stream}
            />
          </>
        )
      }
    </QueryResult>
  )
}

const columns: TableColumn<VerifiedTable>[] = [
  { title: 'Table', cell: ({ Table }) => Table },
  { title: 'Verification', cell: (table) => describeTable(table) },
  { title: 'What was compared', cell: ({ Notice }) => Notice ?? '' },
]
