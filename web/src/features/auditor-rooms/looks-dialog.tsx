/** What the person of a room looked at, by day. */
import { useQuery } from '@tanstack/react-query'
import type { AuditorLook, AuditorRoom } from '@tributary/contract/auditor-rooms'
import { useOrganisationId } from '../../api/session/workspace.ts'
import { QueryResult } from '../../domain/requests/query-result.tsx'
import { CancelButton, Dialog } from '../../ui/dialogs/dialog.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { formatMoment } from '../../ui/formats.ts'
import { countColumn, DataTable, type TableColumn } from '../../ui/tables/data-table.tsx'
import { roomLooks } from './room-queries.ts'

export function LooksDialog({ room, onClose }: { room: AuditorRoom; onClose: () => void }) {
  const looks = useQuery(roomLooks(useOrganisationId(), room.Id))
  return (
    <Dialog
      title={`What ${room.FirstName} ${room.LastName} looked at`}
      subtitle="Downloads are in the audit log, too."
      onClose={onClose}
      footer={<CancelButton>Close</CancelButton>}
    >
      <QueryResult query={looks}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState kind="first" title="Nothing yet.">
              What the person opens in their room is listed here.
            </EmptyState>
          ) : (
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by key to be scrolled by key.
            <section tabIndex={0} aria-label="Looks">
              <DataTable
                caption="Looks, latest first"
                columns={columns}
                rows={list}
                rowKey={({ What, Object: object, Day }) => `${What} ${object} ${Day}`}
              />
            </section>
          )
        }
      </QueryResult>
    </Dialog>
  )
}

const columns: TableColumn<AuditorLook>[] = [
  { title: 'What', cell: ({ What }) => What },
  { title: 'Of', cell: ({ Object: object }) => object ?? '' },
  { title: 'Last time', cell: ({ LastAtUtc }) => formatMoment(LastAtUtc, 'dateTime') },
  countColumn('Times that day', ({ Looks }) => Looks),
]
