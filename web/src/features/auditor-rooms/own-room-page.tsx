/** The room, for its person: one page with a section for each kind of evidence. */
import { useQuery } from '@tanstack/react-query'
import { useWorkspace } from '../../api/session/workspace.ts'
import { QueryResult } from '../../domain/requests/query-result.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { formatMoment } from '../../ui/formats.ts'
import { Page } from '../../ui/layout/page.tsx'
import { ownRoom } from './room-queries.ts'
import { describeExtent } from './room-words.ts'
import { sections } from './sections.ts'

export function OwnRoomPage() {
  const { identity } = useWorkspace()
  return (
    <Page kind="form">
      {identity.auditorUntil === undefined ? (
        <EmptyState kind="noMatch" title="You have no auditor room here.">
          It has ended, or you are in this organisation with a role. Ask an administrator if you need one.
        </EmptyState>
      ) : (
        <OwnRoom />
      )}
    </Page>
  )
}

function OwnRoom() {
  const { organisation } = useWorkspace()
  const room = useQuery(ownRoom(organisation.Id))
  return (
    <QueryResult query={room}>
      {(own) => (
        <>
          <p>
            {`${organisation.CompanyName} has opened this for you until ${formatMoment(own.EndsAtUtc, 'dateTime')}: ${describeExtent(own)}. What you open and download is recorded for them.`}
          </p>
          {own.Sections.map((name) => {
            const Section = sections[name]
            return <Section key={name} room={own} />
          })}
        </>
      )}
    </QueryResult>
  )
}
