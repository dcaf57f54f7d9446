import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { SignedInSession } from '@tributary/contract/profile'
import { IconDeviceLaptop } from '@tabler/icons-react'
import { call } from '../../api/call.ts'
import { messageOf } from '@tributary/client/call-error'
import { forgetSession } from '../../api/session/session.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { ErrorBanner } from '../../ui/feedback/error-banner.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { RelativeTime } from '../../domain/time/relative-time.tsx'
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx'
import { StatusBadge } from '../../ui/display/status-badge.tsx'
import { EntryList, EntryListItem } from './entry-list.tsx'
import css from './profile.module.css'
import { sessionList } from './api.ts'

export function SessionsPanel() {
  const { data, error } = useQuery(sessionList)
  const client = useQueryClient()
  const end = useMutation({
    mutationFn: (sessionId: string) => call('DELETE /me/sessions/:sessionId', { params: { sessionId } }),
    onSuccess: () => client.invalidateQueries({ queryKey: sessionList.queryKey }),
  })
  const endAll = useMutation({
    mutationFn: () => call('DELETE /me/sessions'),
    onSuccess: () => {
      forgetSession()
      window.location.replace('/')
    },
  })
  const failure = end.error ?? endAll.error ?? (data === undefined ? error : null)
  return (
    <Panel
      title="Where you are signed in"
      aside={
        <Button
          className={css.action ?? ''}
          variant="default"
          size="xs"
          loading={endAll.isPending}
          onClick={() => endAll.mutate()}
        >
          Sign out everywhere
        </Button>
      }
    >
      <ErrorBanner
        message={failure && messageOf(failure)}
        onDismiss={() => {
          end.reset()
          endAll.reset()
        }}
      />
      {data === undefined && error === null ? <SkeletonLines count={2} height={44} /> : null}
      <EntryList>
        {(data ?? []).map((session) => (
          <SessionEntry
            key={session.Id}
            session={session}
            isEnding={end.isPending && end.variables === session.Id}
            onEnd={() => end.mutate(session.Id)}
          />
        ))}
      </EntryList>
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
          <Button
            variant="default"
            size="xs"
            aria-label={`Sign out ${session.DeviceName}`}
            loading={isEnding}
            onClick={onEnd}
          >
            Sign out
          </Button>
        )
      }
    />
  )
}
