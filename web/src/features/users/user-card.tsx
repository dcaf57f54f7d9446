import type { User } from '@tributary/contract/organisations'
import { Button } from '@mantine/core'
import { useRoleLevel, useRoleName } from '../../api/queries/common-queries.ts'
import { useWorkspace } from '../../api/session/workspace.ts'
import { initialsOf } from '../../ui/display/avatar-stack.tsx'
import { RecordCard } from '../../ui/display/record-card.tsx'
import { RelativeTime } from '../../domain/time/relative-time.tsx'
import { StatusBadge } from '../../ui/display/status-badge.tsx'
import { recordStatusBadge } from '../../domain/records/record-status.ts'
import css from '../../domain/admin/admin.module.css'
import { fullName } from '../../domain/users/user-names.ts'

interface UserCardProps {
  user: User
  onOpen: (what: 'edit' | 'export' | 'delete') => void
}

export function UserCard({ user, onOpen }: UserCardProps) {
  const roleName = useRoleName()
  const { identity } = useWorkspace()
  const isSelf = identity.email === user.EmailAddress
  // Users cannot change a user with more rights.
  const isAbove = (useRoleLevel()(user.Role.Name) ?? identity.roleLevel) < identity.roleLevel
  const name = fullName(user)
  const titleId = `user-${user.Id}`
  return (
    <RecordCard
      titleId={titleId}
      mark={
        <span className={css.avatar} aria-hidden>
          {initialsOf(name)}
        </span>
      }
      title={name}
      subtitle={user.EmailAddress}
      footer={
        isAbove ? null : (
          <>
            <Button variant="default" px={12} aria-describedby={titleId} onClick={() => onOpen('edit')}>
              Edit
            </Button>
            <Button variant="subtle" px={12} aria-describedby={titleId} onClick={() => onOpen('export')}>
              Export data
            </Button>
            {isSelf ? null : (
              <Button variant="subtle" color="red" px={12} aria-describedby={titleId} onClick={() => onOpen('delete')}>
                Delete
              </Button>
            )}
          </>
        )
      }
    >
      <div className={css.standing}>
        <span className="small muted">{roleName(user.Role.Name)}</span>
        <StatusBadge {...recordStatusBadge(user.Status.Name)} />
      </div>
      <p className="small subtle">
        {user.LastSignInAtUtc === null ? (
          'Never signed in'
        ) : (
          <>
            Signed in <RelativeTime at={user.LastSignInAtUtc} />
          </>
        )}
      </p>
    </RecordCard>
  )
}
