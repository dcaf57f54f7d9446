import type { ListedUser, User } from '@tributary/contract/organisations'
import { Button } from '@mantine/core'
import { IconMailPlus, IconUserPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { QueryResult } from '../../domain/requests/query-result.tsx'
import { LayoutSwitch, type ListLayout } from '../../ui/display/layout-switch.tsx'
import { CardGrid } from '../../ui/display/record-card.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { SkeletonCards } from '../../ui/feedback/skeleton.tsx'
import { NoSearchMatch, SearchBox } from '../../ui/forms/search-box.tsx'
import { useUpdateUrlParams, useUrlParams } from '../../ui/hooks/search-params.ts'
import { Page } from '../../ui/layout/page.tsx'
import { lazyDialog } from '../../ui/lazy.tsx'
import { paths } from '../../paths.ts'
import { formatCount } from '../../ui/formats.ts'
import { Pager } from '../../ui/tables/pager.tsx'
import { InvitationsButton } from './invitations-button.tsx'
import { type UserAction, UserCard } from './user-card.tsx'
import { UserFilters } from './user-filters.tsx'
import { UserTable } from './user-table.tsx'
import { useUserList } from './use-user-list.ts'
import css from './users.module.css'

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
      <Users />
    </Page>
  )
}

type OpenUserDialog = { readonly what: 'add' | 'invite' } | { readonly what: UserAction; readonly user: User }

function Users() {
  const { layout, layOut } = useLayout()
  const { opened, setOpened, close } = useUserDialog()
  return (
    <>
      <div className={css.toolbar}>
        <Button leftSection={<IconUserPlus />} onClick={() => setOpened({ what: 'add' })}>
          Add user
        </Button>
        <Button variant="default" leftSection={<IconMailPlus />} onClick={() => setOpened({ what: 'invite' })}>
          Invite by email
        </Button>
        <InvitationsButton />
        <Button variant="subtle" component={Link} to={paths.adminAuditorRooms}>
          Auditor rooms
        </Button>
        <div className={css.layout}>
          <LayoutSwitch layout={layout} onChange={layOut} />
        </div>
      </div>
      <UserFilters />
      <UserList layout={layout} onOpen={(what, user) => setOpened({ what, user })} />
      {opened?.what === 'add' ? <LazyUserDrawer user={null} onClose={close} /> : null}
      {opened?.what === 'edit' ? <LazyUserDrawer user={opened.user} onClose={close} /> : null}
      {opened?.what === 'export' ? <LazyExportPersonalDataDialog user={opened.user} onClose={close} /> : null}
      {opened?.what === 'delete' ? <LazyDeleteUserDialog user={opened.user} onClose={close} /> : null}
      {opened?.what === 'invite' ? <LazyInviteUsersDialog onClose={close} /> : null}
    </>
  )
}

/** The open dialog: a chosen one, or the one of the link that opened the page. */
function useUserDialog() {
  const [chosen, setOpened] = useState<OpenUserDialog | null>(null)
  const updateUrl = useUpdateUrlParams()
  const params = useUrlParams()
  const requested = (['add', 'invite'] as const).find((what) => params.get(what) === 'true')
  const linked: OpenUserDialog | null = requested === undefined ? null : { what: requested }
  function close() {
    setOpened(null)
    if (requested !== undefined) updateUrl({ add: null, invite: null }, { replace: true })
  }
  return { opened: chosen ?? linked, setOpened, close }
}

/** Cards are the default. The address holds the choice, so that a view can be shared as a link. */
function useLayout() {
  const isTable = useUrlParams().get('layout') === 'table'
  const changeAddress = useUpdateUrlParams()
  return {
    layout: isTable ? ('table' as const) : ('cards' as const),
    layOut: (layout: ListLayout) => changeAddress({ layout: layout === 'table' ? 'table' : null }, { replace: true }),
  }
}

interface UserListProps {
  layout: ListLayout
  onOpen: (what: UserAction, user: User) => void
}

function UserList({ layout, onOpen }: UserListProps) {
  const { result, page, pages, goTo, isFiltered, search, listKey } = useUserList()
  return (
    <QueryResult query={result} loading={<SkeletonCards count={6} height={160} />}>
      {({ users, total }) => {
        if (total === 0) return <NoUsers search={search} />
        const summary = formatUserCount(total, isFiltered)
        return (
          <>
            {layout === 'table' ? (
              // A selection does not outlive the list that it was made in.
              <UserTable key={listKey} users={users} summary={summary} onOpen={onOpen} />
            ) : (
              <UserCards users={users} summary={summary} onOpen={onOpen} />
            )}
            <Pager label="Pages of users" page={page} pages={pages} onPage={goTo} />
          </>
        )
      }}
    </QueryResult>
  )
}

function formatUserCount(total: number, isFiltered: boolean): string {
  const words = total === 1 ? '1 user' : `${formatCount(total)} users`
  if (!isFiltered) return words
  return total === 1 ? `${words} matches` : `${words} match`
}

function NoUsers({ search }: { search: string }) {
  if (search !== '') return <NoSearchMatch title={`No user matches '${search}'.`} />
  return <EmptyState kind="noMatch" title="No user matches these filters." />
}

interface UserCardsProps {
  users: readonly ListedUser[]
  summary: string
  onOpen: UserListProps['onOpen']
}

function UserCards({ users, summary, onOpen }: UserCardsProps) {
  return (
    <>
      <output className={css.count}>{summary}</output>
      <CardGrid label="Users">
        {users.map((user) => (
          <UserCard key={user.Id} user={user} onOpen={(what) => onOpen(what, user)} />
        ))}
      </CardGrid>
    </>
  )
}
