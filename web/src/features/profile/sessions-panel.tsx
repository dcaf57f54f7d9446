import { useQuery } from '@tanstack/react-query'
import type { SignedInSession } from '@tributary/contract/profile'
import { IconDeviceLaptop } from '@tabler/icons-react'
import { call } from '../../api/call.ts'
import { forgetSession } from '../../api/session/session.ts'
import { useInvalidate } from '../../api/use-invalidate.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { MutationError } from '../../domain/requests/mutation-error.tsx'
import { QueryResult } from '../../domain/requests/query-result.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { RelativeTime } from '../../domain/time/relative-time.tsx'
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx'
import { StatusBadge } from '../../ui/display/status-badge.tsx'
import { EntryButton, EntryList, EntryListItem } from '../../ui/layout/entry-list.tsx'
import css from './profile.module.css'
import { sessionList } from './api.ts'

export function SessionsPanel() {
  const sessions = useQuery(sessionList)
  const invalidate = useInvalidate()
  const end = useMutation({
    mutationFn: (sessionId: string) => call('DELETE /me/sessions/:sessionId', { params: { sessionId } }),
    onSuccess: () => invalidate(sessionList),
  })
  const endAll = useMutation({
    mutationFn: () => call('DELETE /me/sessions'),
    onSuccess: () => {
      forgetSession()
      window.location.replace('/')
    },
  })
  return (
    <Panel
      title="Where you are signed in"
      aside={
        <EntryButton className={css.action ?? ''} loading={endAll.isPending} onClick={() => endAll.mutate()}>
          Sign out everywhere
        </EntryButton>
      }
    >
      <MutationError of={[end, endAll]} />
      <QueryResult query={sessions} loading={<SkeletonLines count={2} height={44} />}>
        {(list) => (
          <EntryList>
            {list.map((session) => (
              <SessionEntry
                key={session.Id}
                session={session}
                isEnding={end.isPending && end.variables === session.Id}
                onEnd={() => end.mutate(session.Id)}
              />
            ))}
          </EntryList>
        )}
      </QueryResult>
    </Panel>
  )
}

interface SessionEntryProps {
  session: SignedInSession
  isEnding: boolean
  onEnd: () => void
}

function SessionEntry({ session, isEnding, onEnd }: SessionEntryProps) {
  return (
    <EntryListItem
      title={session.DeviceName}
      marks={session.IsThisSession ? <StatusBadge label="This session" tone="info" icon={IconDeviceLaptop} /> : null}
      detail={
        <>
          {session.Address === null ? '' : `${session.Address}, `}last active{' '}
          <RelativeTime at={session.LastActiveAtUtc} />
        </>
      }
      action={
        session.IsThisSession ? null : (
          <EntryButton aria-label={`Sign out ${session.DeviceName}`} loading={isEnding} onClick={onEnd}>
            Sign out
          </EntryButton>
        )
      }
    />
  )
}
