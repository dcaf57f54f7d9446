/** The publications that were made, latest first. */
import { useQuery } from '@tanstack/react-query'
import type { Publication, PublicationSet } from '@tributary/contract/publications'
import { useState } from 'react'
import { useOrganisationId } from '../../api/session/workspace.ts'
import { QueryResult } from '../../domain/requests/query-result.tsx'
import { CancelButton, Dialog } from '../../ui/dialogs/dialog.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { formatMoment } from '../../ui/formats.ts'
import { DataTable, type TableColumn } from '../../ui/tables/data-table.tsx'
import { Pager } from '../../ui/tables/pager.tsx'
import { publicationList, publicationPageSize } from './publication-queries.ts'
import { describeVerdicts } from './publication-words.ts'

export function PublicationHistoryDialog({
  set,
  onClose,
}: {
  readonly set: PublicationSet
  readonly onClose: () => void
}) {
  const clientId = useOrganisationId()
  const [page, setPage] = useState(1)
  const publications = useQuery(publicationList({ clientId, setId: set.Id }, page))
  return (
    <Dialog
      title={`Publications in ${set.Target}`}
      subtitle="What published views showed, and what was known of each run then."
      onClose={onClose}
      footer={<CancelButton>Close</CancelButton>}
    >
      <QueryResult query={publications}>
        {({ rows, total }) =>
          rows.length === 0 ? (
            <EmptyState kind="first" title="Nothing was published yet.">
              The first publication follows when each connector has completed a run.
            </EmptyState>
          ) : (
            <>
              <DataTable
                caption="Publications, latest first"
                columns={columns}
                rows={rows}
                rowKey={({ Number: number }) => String(number)}
              />
              <Pager
                label="Pages of publications"
                page={page}
                pages={Math.ceil(total / publicationPageSize)}
                onPage={setPage}
                words={['Newer', 'Older']}
              />
            </>
          )
        }
      </QueryResult>
    </Dialog>
  )
}

const columns: TableColumn<Publication>[] = [
  { title: 'Published', cell: ({ PublishedAtUtc }) => formatMoment(PublishedAtUtc, 'dateTime') },
  { title: 'Shows', cell: (publication) => <Shown publication={publication} /> },
]

function Shown({ publication: { Runs, Notice } }: { publication: Publication }) {
  if (Runs.length === 0) return <>{Notice ?? 'Publishing was switched off, and the views were removed.'}</>
  return (
    <ul>
      {Runs.map((run) => (
        <li key={run.ConnectorId}>
          {`${run.Name} as of ${formatMoment(run.MomentUtc, 'dateTime')}: ${describeVerdicts(run)}`}
        </li>
      ))}
    </ul>
  )
}
