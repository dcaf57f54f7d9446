import type { User } from '@tributary/contract/organisations'
import { useQueryClient } from '@tanstack/react-query'
import { now } from '@tributary/client/server-clock'
import { call } from '../../api/call.ts'
import { memberList } from '../../api/queries/common-queries.ts'
import { useWorkspace } from '../../api/session/workspace.ts'
import { DeleteDialog } from '../../domain/records/delete-dialog.tsx'

/** As docs/backup.md has them deleted. */
const backupDays = 35

const dates = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric' })

function backupsGone(): string {
  return dates.format(now() + backupDays * 86_400_000)
}

export function DeleteUserDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const { organisation } = useWorkspace()
  const queryClient = useQueryClient()
  const name = `${user.FirstName} ${user.LastName}`
  async function remove() {
    await call('DELETE /users/:userId', { params: { userId: user.Id }, query: { orgId: organisation.Id } })
    await queryClient.invalidateQueries({ queryKey: memberList(organisation.Id).queryKey })
  }
  return (
    <DeleteDialog name={name} onDelete={remove} onClose={onClose}>
      <p>
        {name} leaves {organisation.CompanyName} at once and no longer sees its connectors. Who is in no other
        organisation loses the account, too: name, addresses, ways to sign in and the mails that went to them are erased
        at once. What they did stays in the history, under a number.
      </p>
      <p>
        Backups made until today hold them until they are deleted: on {backupsGone()} at the latest where backups are
        kept for {backupDays} days, as the documentation sets them up.
      </p>
      <p className="small subtle">To keep somebody out for a while, edit them and set the status to locked instead.</p>
    </DeleteDialog>
  )
}
