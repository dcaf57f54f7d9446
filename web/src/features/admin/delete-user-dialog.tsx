import type { User } from '@tributary/contract/organisations'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { memberList } from '../../api/lists.ts'
import { useWorkspace } from '../../api/workspace.ts'
import { DeleteDialog } from '../../ui/delete-dialog.tsx'

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
        {name} leaves {organisation.CompanyName} at once and no longer sees its connectors. Who is in no other organisation loses the
        account, too. The history of what they did stays.
      </p>
      <p className="small subtle">To keep somebody out for a while, edit them and set the status to locked instead.</p>
    </DeleteDialog>
  )
}
