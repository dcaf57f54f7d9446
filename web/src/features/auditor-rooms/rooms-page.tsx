/** The auditor rooms of the organisation, for its administrators. */
import { Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { AuditorRoom } from '@tributary/contract/auditor-rooms'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { useOrganisationId } from '../../api/session/workspace.ts'
import { useInvalidate } from '../../api/use-invalidate.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { MutationDialog } from '../../domain/requests/mutation-dialog.tsx'
import { QueryResult } from '../../domain/requests/query-result.tsx'
import { RelativeTime } from '../../domain/time/relative-time.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx'
import { formatMoment } from '../../ui/formats.ts'
import { EntryButton, EntryList, EntryListItem } from '../../ui/layout/entry-list.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { lazyDialog } from '../../ui/lazy.tsx'
import { roomList } from './room-queries.ts'
import { describeExtent } from './room-words.ts'

const LazyRoomDialog = lazyDialog(() => import('./room-dialog.tsx'), 'RoomDialog')
const LazyLooksDialog = lazyDialog(() => import('./looks-dialog.tsx'), 'LooksDialog')

type OpenDialog = { readonly kind: 'open' } | { readonly kind: 'change' | 'end' | 'looks'; readonly room: AuditorRoom }

export function RoomsPage() {
  const rooms = useQuery(roomList(useOrganisationId()))
  const [opened, setOpened] = useState<OpenDialog | null>(null)
  const close = () => setOpened(null)
  return (
    <Page kind="form">
      <Panel
        title="Rooms"
        aside={
          <Button size="xs" onClick={() => setOpened({ kind: 'open' })}>
            Open a room
          </Button>
        }
      >
        <p className="muted">
          A named outsider, such as your auditor, reads what you choose until a date, and nothing else. They sign in
          with a second factor. You see what they looked at.
        </p>
        <QueryResult query={rooms} loading={<SkeletonLines count={2} height={44} />}>
          {(list) =>
            list.length === 0 ? (
              <EmptyState kind="first" title="There are no auditor rooms.">
                Open one for a person, choose connectors and months, or single marks, and they get an invitation by
                email.
              </EmptyState>
            ) : (
              <RoomEntries rooms={list} onOpen={setOpened} />
            )
          }
        </QueryResult>
      </Panel>
      {opened?.kind === 'open' ? <LazyRoomDialog room={null} onClose={close} /> : null}
      {opened?.kind === 'change' ? <LazyRoomDialog room={opened.room} onClose={close} /> : null}
      {opened?.kind === 'looks' ? <LazyLooksDialog room={opened.room} onClose={close} /> : null}
      {opened?.kind === 'end' ? <EndRoomDialog room={opened.room} onClose={close} /> : null}
    </Page>
  )
}

const nameOf = ({ FirstName, LastName }: AuditorRoom) => `${FirstName} ${LastName}`

function RoomEntries({ rooms, onOpen }: { rooms: readonly AuditorRoom[]; onOpen: (dialog: OpenDialog) => void }) {
  return (
    <EntryList>
      {rooms.map((room) => (
        <EntryListItem
          key={room.Id}
          title={nameOf(room)}
          detail={<RoomFacts room={room} />}
          action={
            <Group gap="xs" wrap="nowrap">
              <EntryButton aria-label={`Looks of ${nameOf(room)}`} onClick={() => onOpen({ kind: 'looks', room })}>
                Looks
              </EntryButton>
              {room.State === 'ENDED' ? null : (
                <>
                  <EntryButton
                    aria-label={`Change the room of ${nameOf(room)}`}
                    onClick={() => onOpen({ kind: 'change', room })}
                  >
                    Change
                  </EntryButton>
                  <EntryButton
                    aria-label={`End now: the room of ${nameOf(room)}`}
                    onClick={() => onOpen({ kind: 'end', room })}
                  >
                    End now
                  </EntryButton>
                </>
              )}
            </Group>
          }
        />
      ))}
    </EntryList>
  )
}

const stateWords = { INVITED: 'Invited, not accepted yet', OPEN: 'Open', ENDED: 'Ended' } as const

function RoomFacts({ room }: { room: AuditorRoom }) {
  const { EmailAddress, EndedAtUtc, EndsAtUtc, LastLookAtUtc, State } = room
  return (
    <>
      {EmailAddress}. {stateWords[State]}
      {EndedAtUtc === null
        ? `, until ${formatMoment(EndsAtUtc, 'dateTime')}`
        : ` ${formatMoment(EndedAtUtc, 'dateTime')}`}
      . {describeExtent(room)}.{' '}
      {LastLookAtUtc === null ? (
        'Has looked at nothing yet.'
      ) : (
        <>
          Last looked <RelativeTime at={LastLookAtUtc} />.
        </>
      )}
    </>
  )
}

function EndRoomDialog({ room, onClose }: { room: AuditorRoom; onClose: () => void }) {
  const clientId = useOrganisationId()
  const invalidate = useInvalidate()
  const end = useMutation({
    mutationFn: () =>
      call('POST /tributary/clients/:clientId/auditor-rooms/:roomId/end', { params: { clientId, roomId: room.Id } }),
    onSuccess: async () => {
      await invalidate(roomList(clientId))
      onClose()
    },
  })
  return (
    <MutationDialog
      title={`End the room of ${nameOf(room)}?`}
      mutation={end}
      onClose={onClose}
      onSubmit={() => end.mutate()}
      submitLabel="End now"
      isDanger
      isSubmitFocused
    >
      <p>They are signed out at once and read nothing any more. What they looked at stays in this list.</p>
    </MutationDialog>
  )
}
