import type { PermissionGroup } from '@tributary/contract/groups'
import { call } from '../../api/call.ts'
import { everyStructureList } from '../../api/queries/planning-structure.ts'
import { useOrganisationId } from '../../api/session/workspace.ts'
import { DeleteDialog } from '../../domain/records/delete-dialog.tsx'
import { useInvalidate } from '../../api/use-invalidate.ts'
import { formatCount } from '../../ui/formats.ts'

export function DeleteGroupDialog({ group, onClose }: { group: PermissionGroup; onClose: () => void }) {
  const orgId = useOrganisationId()
  const invalidate = useInvalidate()
  async function remove() {
    await call('DELETE /permission-groups/groups', { body: { groupId: group.Id } })
    await invalidate({ queryKey: everyStructureList(orgId) })
  }
  return (
    <DeleteDialog name={group.Name} onDelete={remove} onClose={onClose}>
      <p>{`${membersSentence(group)} it. They lose what only this group grants.`}</p>
      <p className="small subtle">This cannot be undone. To disable it instead, click its status and choose Archive.</p>
    </DeleteDialog>
  )
}

function membersSentence({ Members }: PermissionGroup): string {
  if (Members === 0) return 'No one is in'
  return Members === 1 ? '1 person leaves' : `${formatCount(Members)} people leave`
}
