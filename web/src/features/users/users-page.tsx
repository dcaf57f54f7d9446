import type { ListedUser, SeenUser, User } from '@tributary/contract/organisations'
import { Button } from '@mantine/core'
import { IconMailPlus, IconUserPlus } from '@tabler/icons-react'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { useOrganisationId } from '../../api/session/workspace.ts'
import { QueryPlaceholder } from '../../domain/requests/query-placeholder.tsx'
import { CardGrid } from '../../ui/display/record-card.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { NoSearchMatch, SearchBox, useSearchTerm } from '../../ui/forms/search-box.tsx'
import { useUpdateUrlParams, useUrlParams } from '../../ui/hooks/search-params.ts'
import { SkeletonCards } from '../../ui/feedback/skeleton.tsx'
import { lazyDialog } from '../../ui/lazy.tsx'
import css from '../../domain/admin/admin.module.css'
import { InvitationsPanel } from './invitations-panel.tsx'
import { fullName } from '../../domain/users/user-names.ts'
import { UserCard } from './user-card.tsx'

const LazyDeleteUserDialog = lazyDialog(() => import('./delete-user-dialog.tsx'), 'DeleteUserDialog')
const LazyExportPersonalDataDialog = lazyDialog(
  () => import('./export-personal-data-dialog.tsx'),
  'ExportPersonalDataDialog',
)
const LazyInviteUsersDialog = lazyDialog(() => import('./invite-users-dialog.tsx'), 'InviteUsersDialog')
const LazyUserDrawer = lazyDialog(() => import('./user-drawer.tsx'), 'UserDrawer')

export function UsersPage() {
  return (
    <Page kind="list" search={<SearchBox label="Search users" />}>
      <UserCards />
    </Page>
  )
}

type OpenUserDialog =
  | { readonly what: 'add' | 'invite' }
  | { readonly what: 'edit' | 'export' | 'delete'; readonly user: User }

function UserCards() {
  const changeAddress = useUpdateUrlParams()
  // The checklist of a new organisation links here.
  const isInviting = useUrlParams().get('invite') === 'true'
  const [opened, setOpened] = useState<OpenUserDialog | null>(isInviting ? { what: 'invite' } : null)
  function close() {
    setOpened(null)
    if (isInviting) changeAddress({ invite: null }, { replace: true })
  }
  return (
    <>
      <div className={css.toolbar}>
        <Button leftSection={<IconUserPlus />} onClick={() => setOpened({ what: 'add' })}>
          Add user
        </Button>
        <Button variant="default" leftSection={<IconMailPlus />} onClick={() => setOpened({ what: 'invite' })}>
          Invite by email
        </Button>
      </div>
      <InvitationsPanel />
      <UserList onOpen={(what, user) => setOpened({ what, user })} />
      {opened?.what === 'add' ? <LazyUserDrawer user={null} onClose={close} /> : null}
      {opened?.what === 'edit' ? <LazyUserDrawer user={opened.user} onClose={close} /> : null}
      {opened?.what === 'export' ? <LazyExportPersonalDataDialog user={opened.user} onClose={close} /> : null}
      {opened?.what === 'delete' ? <LazyDeleteUserDialog user={opened.user} onClose={close} /> : null}
      {opened?.what === 'invite' ? <LazyInviteUsersDialog onClose={close} /> : null}
    </>
  )
}

/** Administrators receive all fields of all users. */
function isListedUser(user: SeenUser): user is ListedUser {
  return user.EmailAddress !== undefined
}

/** Members, plus provider users without a membership, whom the server lists only for the provider. */
const usersWithProvider = (orgId: string) =>
  queryOptions({
    queryKey: ['users', orgId, 'with provider'],
    queryFn: async ({ signal }) =>
      (await call('GET /users', { query: { orgId, withProvider: 'true' }, signal })).filter(isListedUser),
    staleTime: 60_000,
  })

function UserList({ onOpen }: { onOpen: (what: 'edit' | 'export' | 'delete', user: User) => void }) {
  const users = useQuery(usersWithProvider(useOrganisationId()))
  const term = useSearchTerm()
  if (users.data === undefined)
    return (
      <QueryPlaceholder of={users}>
        <SkeletonCards count={6} height={160} />
      </QueryPlaceholder>
    )
  const { data } = users
  const shown = data.filter((user) => `${fullName(user)} ${user.EmailAddress}`.toLowerCase().includes(term))
  return (
    <>
      <output className={css.count}>
        {shown.length === data.length ? `${data.length} users` : `${shown.length} of ${data.length} users`}
      </output>
      {shown.length === 0 ? (
        <NoSearchMatch title={`No user matches '${term}'.`} />
      ) : (
        <CardGrid label="Users">
          {shown.map((user) => (
            <UserCard key={user.Id} user={user} onOpen={(what) => onOpen(what, user)} />
          ))}
        </CardGrid>
      )}
    </>
  )
}
