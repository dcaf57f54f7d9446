/** The users as a table instead of cards, with actions on several of them. */
import type { ListedUser } from '@tributary/contract/organisations'
import { IconDownload, IconShieldCheck, IconShieldOff, IconTrash } from '@tabler/icons-react'
import { useRoleName } from '../../api/queries/common-queries.ts'
import { useMay } from '../../api/session/workspace.ts'
import { recordStatusBadge } from '../../domain/records/record-status.ts'
import { MutationError } from '../../domain/requests/mutation-error.tsx'
import { RelativeTime } from '../../domain/time/relative-time.tsx'
import { fullName } from '../../domain/users/user-names.ts'
import { Avatar } from '../../ui/display/avatar.tsx'
import { StatusBadge } from '../../ui/display/status-badge.tsx'
import { type TableColumn, DataTable } from '../../ui/tables/data-table.tsx'
import { RowActions, RowButton } from '../../ui/tables/row-actions.tsx'
import { useRowSelection } from '../../ui/tables/row-selection.tsx'
import { BulkBar } from './bulk-bar.tsx'
import type { UserAction } from './user-card.tsx'
import { useExportUsers } from './use-user-list.ts'
import { useIsSelf, useMayChangeUser } from './use-may-change-user.ts'
import css from './users.module.css'

interface UserTableProps {
  users: readonly ListedUser[]
  summary: string
  onOpen: (what: UserAction, user: ListedUser) => void
}

export function UserTable({ users, summary, onOpen }: UserTableProps) {
  const columns = useUserColumns(onOpen)
  const mayChange = useMayChangeUser()
  const isSelf = useIsSelf()
  const selection = useRowSelection()
  const exporting = useExportUsers()
  const selected = users.filter(({ Id }) => selection.selected.has(Id))
  return (
    <>
      <MutationError of={exporting} />
      <DataTable
        caption="Users"
        name="users"
        summary={summary}
        exporting={{ start: exporting.mutate, isPending: exporting.isPending }}
        columns={columns}
        rows={users}
        rowKey={({ Id }) => Id}
        selection={{
          ...selection,
          labelOf: fullName,
          // People cannot lock themselves by selecting all.
          isSelectable: (user) => mayChange(user) && !isSelf(user),
          bar:
            selected.length === 0 ? undefined : (
              <BulkBar
                users={selected}
                onDeselect={(ids) => selection.select(selection.selected.difference(new Set(ids)))}
              />
            ),
        }}
      />
    </>
  )
}

function useUserColumns(onOpen: UserTableProps['onOpen']): readonly TableColumn<ListedUser>[] {
  const roleName = useRoleName()
  const mayChange = useMayChangeUser()
  const isSelf = useIsSelf()
  const seesGroups = useMay()('seeExcel')
  const nameId = ({ Id }: ListedUser) => `user-${Id}`
  const actions = (user: ListedUser) => (
    <RowActions
      describedBy={nameId(user)}
      menu={[
        { label: 'Export data', icon: <IconDownload />, onSelect: () => onOpen('export', user) },
        ...(isSelf(user) ? [] : [{ label: 'Delete', icon: <IconTrash />, onSelect: () => onOpen('delete', user) }]),
      ]}
    >
      <RowButton describedBy={nameId(user)} onClick={() => onOpen('edit', user)}>
        Edit
      </RowButton>
    </RowActions>
  )
  return [
    { title: 'Name', cell: (user) => <UserName user={user} id={nameId(user)} /> },
    { title: 'Role', cell: ({ Role }) => roleName(Role.Name) },
    { title: 'Status', cell: ({ Status }) => <StatusBadge {...recordStatusBadge(Status.Name)} /> },
    {
      title: 'Second factor',
      cell: ({ SecondFactor }) => <StatusBadge {...factorBadges[SecondFactor ? 'on' : 'off']} />,
    },
    {
      title: 'Last sign-in',
      cell: ({ LastSignInAtUtc: at }) => (at === null ? 'Never' : <RelativeTime at={at} />),
    },
    ...(seesGroups
      ? [
          {
            title: 'Security groups',
            isHiddenByDefault: true,
            cell: ({ Groups }: ListedUser) => Groups.map(({ Name }) => Name).join(', ') || '–',
          },
        ]
      : []),
    { title: 'Manage', isActions: true, cell: (user) => (mayChange(user) ? actions(user) : null) },
  ]
}

const factorBadges = {
  on: { label: 'on', tone: 'ok', icon: IconShieldCheck },
  off: { label: 'off', tone: 'quiet', icon: IconShieldOff },
} as const

function UserName({ user, id }: { user: ListedUser; id: string }) {
  const name = fullName(user)
  return (
    <span className={css.person}>
      <Avatar id={user.Id} name={name} size="small" />
      <span>
        <span id={id}>{name}</span>
        <span className={css.address}>{user.EmailAddress}</span>
      </span>
    </span>
  )
}
