import type { User } from '@tributary/contract/organisations'
import { Button } from '@mantine/core'
import { IconMailPlus, IconUserPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '../../api/call-error.ts'
import { memberList } from '../../api/lists.ts'
import { useMay, useWorkspace } from '../../api/workspace.ts'
import { EmptyState, LoadFailure } from '../../ui/empty-state.tsx'
import { CardGrid } from '../../ui/record-card.tsx'
import { Allowed } from '../../ui/refused.tsx'
import { SearchBox, useClearSearch, useSearchTerm } from '../../ui/search.tsx'
import { SkeletonCards } from '../../ui/skeleton.tsx'
import css from './admin.module.css'
import { AdminPage } from './admin-page.tsx'
import { DeleteUserDialog } from './delete-user-dialog.tsx'
import { InvitationsPanel } from './invitations-panel.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { UserCard } from './user-card.tsx'
import { UserDrawer } from './user-drawer.tsx'

export function UsersPage() {
  const may = useMay()
  return (
    <Allowed when={may('seeAdminMenu')} title="Users">
      <AdminPage title="Users" search={<SearchBox label="Search users" />}>
        <UserCards />
      </AdminPage>
    </Allowed>
  )
}

type Opened = { readonly what: 'add' | 'invite' } | { readonly what: 'edit' | 'delete'; readonly user: User }

function UserCards() {
  const [opened, setOpened] = useState<Opened | null>(null)
  const close = () => setOpened(null)
  return (
    <>
      <div className={css.toolbar}>
        <Button leftSection={<IconUserPlus size={16} aria-hidden />} onClick={() => setOpened({ what: 'add' })}>
          Add user
        </Button>
        <Button variant="default" leftSection={<IconMailPlus size={16} aria-hidden />} onClick={() => setOpened({ what: 'invite' })}>
          Invite by email
        </Button>
      </div>
      <InvitationsPanel />
      <UserList onEdit={(user) => setOpened({ what: 'edit', user })} onDelete={(user) => setOpened({ what: 'delete', user })} />
      {opened?.what === 'add' ? <UserDrawer user={null} onClose={close} /> : null}
      {opened?.what === 'edit' ? <UserDrawer user={opened.user} onClose={close} /> : null}
      {opened?.what === 'delete' ? <DeleteUserDialog user={opened.user} onClose={close} /> : null}
      {opened?.what === 'invite' ? <InviteDialog onClose={close} /> : null}
    </>
  )
}

interface UserListProps {
  onEdit: (user: User) => void
  onDelete: (user: User) => void
}

function UserList({ onEdit, onDelete }: UserListProps) {
  const { organisation } = useWorkspace()
  const { data, error, refetch } = useQuery(memberList(organisation.Id))
  const term = useSearchTerm()
  const clear = useClearSearch()
  if (data === undefined) {
    if (error !== null) return <LoadFailure message={messageOf(error)} onRetry={() => void refetch()} />
    return <SkeletonCards count={6} height={160} />
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
            <UserCard key={user.Id} user={user} onEdit={() => onEdit(user)} onDelete={() => onDelete(user)} />
          ))}
        </CardGrid>
      )}
    </>
  )
}
