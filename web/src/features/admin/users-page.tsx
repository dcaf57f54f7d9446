import type { User } from '@tributary/contract/organisations'
import { useQuery } from '@tanstack/react-query'
import { Button } from '@mantine/core'
import { IconArchive, IconCircleCheck, IconLock } from '@tabler/icons-react'
import { messageOf } from '../../api/call-error.ts'
import { memberList, useRoleName } from '../../api/lists.ts'
import { useMay, useWorkspace } from '../../api/workspace.ts'
import { initials } from '../../ui/avatar-stack.tsx'
import { EmptyState, LoadFailure } from '../../ui/empty-state.tsx'
import { CardGrid, RecordCard } from '../../ui/record-card.tsx'
import { Allowed } from '../../ui/refused.tsx'
import { SearchBox, useClearSearch, useSearchTerm } from '../../ui/search.tsx'
import { SkeletonCards } from '../../ui/skeleton.tsx'
import { type BadgeLook, StatusBadge } from '../../ui/status-badge.tsx'
import css from './admin.module.css'
import { AdminPage } from './admin-page.tsx'

export function UsersPage() {
  const may = useMay()
  return (
    <Allowed when={may('seeAdminMenu')} title="Users">
      <AdminPage title="Users" search={<SearchBox label="Search users" />}>
        <UserList />
      </AdminPage>
    </Allowed>
  )
}

function UserList() {
  const { organisation } = useWorkspace()
  const { data, error, refetch } = useQuery(memberList(organisation.Id))
  const term = useSearchTerm()
  const clear = useClearSearch()
  if (data === undefined) {
    if (error !== null) return <LoadFailure message={messageOf(error)} onRetry={() => void refetch()} />
    return <SkeletonCards count={6} height={112} />
  }
  const shown = data.filter((user) => `${user.FirstName} ${user.LastName} ${user.EmailAddress}`.toLowerCase().includes(term))
  return (
    <>
      <output className={css.count}>
        {shown.length === data.length ? `${data.length} users` : `${shown.length} of ${data.length} users`}
      </output>
      {shown.length === 0 ? (
        <EmptyState
          kind="noMatch"
          title={`No user matches '${term}'.`}
          action={
            <Button variant="default" onClick={clear}>
              Clear search
            </Button>
          }
        />
      ) : (
        <CardGrid label="Users">
          {shown.map((user) => (
            <UserCard key={user.Id} user={user} />
          ))}
        </CardGrid>
      )}
    </>
  )
}

function UserCard({ user }: { user: User }) {
  const roleName = useRoleName()
  const name = `${user.FirstName} ${user.LastName}`
  return (
    <RecordCard
      mark={
        <span className={css.avatar} aria-hidden>
          {initials(name)}
        </span>
      }
      title={name}
      subtitle={user.EmailAddress}
    >
      <div className={css.standing}>
        <span className="small muted">{roleName(user.Role.Name)}</span>
        <StatusBadge {...statusLook(user.Status.Name)} />
      </div>
    </RecordCard>
  )
}

/** A missing status displays as ACTIVE. */
function statusLook(status: string): BadgeLook {
  const word = (status === '' ? 'active' : status).toUpperCase()
  if (word === 'LOCKED') return { word, tone: 'warn', icon: IconLock }
  if (word === 'ARCHIVED') return { word, tone: 'quiet', icon: IconArchive }
  return { word, tone: 'ok', icon: IconCircleCheck }
}
