import type { User } from '@tributary/contract/organisations'
import { Button } from '@mantine/core'
import { useRoleName } from '../../api/queries/common-queries.ts'
import { Avatar } from '../../ui/display/avatar.tsx'
import { RecordCard } from '../../ui/display/record-card.tsx'
import { RelativeTime } from '../../domain/time/relative-time.tsx'
import { StatusBadge } from '../../ui/display/status-badge.tsx'
import { recordStatusBadge } from '../../domain/records/record-status.ts'
import css from '../../domain/admin/admin.module.css'
import { fullName } from '../../domain/users/user-names.ts'
import { useIsSelf, useMayChangeUser } from './use-may-change-user.ts'

export type UserAction = 'edit' | 'export' | 'delete'

interface UserCardProps {
  user: User
  onOpen: (what: UserAction) => void
}

export function UserCard({ user, onOpen }: UserCardProps) {
  const roleName = useRoleName()
  const mayChange = useMayChangeUser()
  const isSelf = useIsSelf()
  const name = fullName(user)
  const titleId = `user-${user.Id}`
  return (
    <RecordCard
      titleId={titleId}
      mark={<Avatar id={user.Id} name={name} />}
      title={name}
      subtitle={user.EmailAddress}
      footer={
        mayChange(user) ? (
          <>
            <Button variant="default" px={12} aria-describedby={titleId} onClick={() => onOpen('edit')}>
              Edit
            </Button>
            <Button variant="subtle" px={12} aria-describedby={titleId} onClick={() => onOpen('export')}>
              Export data
            </Button>
            {isSelf(user) ? null : (
              <Button variant="subtle" color="red" px={12} aria-describedby={titleId} onClick={() => onOpen('delete')}>
                Delete
              </Button>
            )}
          </>
        ) : null
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
