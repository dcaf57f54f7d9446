/** Actions on the selected users. */
import type { ListedUser } from '@tributary/contract/organisations'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useMay } from '../../api/session/workspace.ts'
import { lazyDialog } from '../../ui/lazy.tsx'
import type { BulkStatus } from './bulk-status-dialog.tsx'
import css from './users.module.css'

const LazyBulkStatusDialog = lazyDialog(() => import('./bulk-status-dialog.tsx'), 'BulkStatusDialog')
const LazyAddToGroupDialog = lazyDialog(() => import('./add-to-group-dialog.tsx'), 'AddToGroupDialog')

const statusLabels: readonly { readonly status: BulkStatus; readonly label: string }[] = [
  { status: 'locked', label: 'Lock' },
  { status: 'archived', label: 'Archive' },
  { status: 'active', label: 'Activate' },
]

interface BulkBarProps {
  users: readonly ListedUser[]
  /** Called with the ids of the users who need no further action. */
  onDeselect: (ids: readonly string[]) => void
}

export function BulkBar({ users, onDeselect }: BulkBarProps) {
  const may = useMay()
  const [opened, setOpened] = useState<BulkStatus | 'group' | null>(null)
  const close = () => setOpened(null)
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a fieldset cannot be laid out in a row in every browser.
    <div className={css.bulk} role="group" aria-label="Selected users">
      <output>{users.length === 1 ? '1 selected' : `${users.length} selected`}</output>
      {statusLabels.map(({ status, label }) => (
        <Button key={status} variant="default" size="compact-sm" onClick={() => setOpened(status)}>
          {label}
        </Button>
      ))}
      {may('editStructure') ? (
        <Button variant="default" size="compact-sm" onClick={() => setOpened('group')}>
          Add to group
        </Button>
      ) : null}
      <Button variant="subtle" size="compact-sm" onClick={() => onDeselect(users.map(({ Id }) => Id))}>
        Clear selection
      </Button>
      {opened === 'group' ? <LazyAddToGroupDialog users={users} onDone={onDeselect} onClose={close} /> : null}
      {opened === null || opened === 'group' ? null : (
        <LazyBulkStatusDialog users={users} status={opened} onDone={onDeselect} onClose={close} />
      )}
    </div>
  )
}
