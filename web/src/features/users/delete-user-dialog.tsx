import type { User } from '@tributary/contract/organisations'
import { now } from '@tributary/client/server-clock'
import { call } from '../../api/call.ts'
import { memberList } from '../../api/queries/common-queries.ts'
import { useWorkspace } from '../../api/session/workspace.ts'
import { DeleteDialog } from '../../domain/records/delete-dialog.tsx'
import { useInvalidate } from '../../api/use-invalidate.ts'
import { fullName } from '../../domain/users/user-names.ts'
import { formatMoment } from '../../ui/formats.ts'

/** Default retention of backups, see docs/backup.md. */
const backupRetentionDays = 35

function lastBackupExpiry(): string {
  return formatMoment(now() + backupRetentionDays * 86_400_000, 'longDate')
}

export function DeleteUserDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const { organisation } = useWorkspace()
  const invalidate = useInvalidate()
  const name = fullName(user)
  async function remove() {
    await call('DELETE /users/:userId', { params: { userId: user.Id }, query: { orgId: organisation.Id } })
    await invalidate(memberList(organisation.Id))
  }
  return (
    <DeleteDialog name={name} onDelete={remove} onClose={onClose}>
      <p>
        {name} leaves {organisation.CompanyName} at once and no longer sees its connectors. A user without another
        organisation loses the account, too: name, addresses, sign-in methods and sent emails are erased at once. Their
        actions stay in the history under a number.
      </p>
      <p>
        Older backups contain this data until they expire: on {lastBackupExpiry()} at the latest with the retention of{' '}
        {backupRetentionDays} days that the documentation recommends.
      </p>
      <p className="small subtle">To block a user temporarily, edit the user and set the status to locked instead.</p>
    </DeleteDialog>
  )
}
