import type { PermissionGroup } from '@tributary/contract/groups'
import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { messageOf } from '../../api/call-error.ts'
import { everyStructureList } from '../../api/structure-lists.ts'
import { useWorkspace } from '../../api/workspace.ts'
import { tell } from '../../ui/announce.tsx'
import { count } from '../../ui/data-table.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorBanner } from '../../ui/error-banner.tsx'

export function DeleteGroupDialog({ group, onClose }: { group: PermissionGroup; onClose: () => void }) {
  const orgId = useWorkspace().organisation.Id
  const queryClient = useQueryClient()
  const remove = useMutation({
    mutationFn: () => call('DELETE /permission-groups/groups', { body: { groupId: group.Id } }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: everyStructureList(orgId) })
      tell(`${group.Name} is deleted.`)
      onClose()
    },
  })
  return (
    <Dialog
      kind="modal"
      title={`Delete ${group.Name}?`}
      onClose={onClose}
      onSubmit={() => remove.mutate()}
      footer={
        <>
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <Button type="submit" color="red" loading={remove.isPending}>
            Delete
          </Button>
        </>
      }
    >
      <ErrorBanner message={remove.error === null ? null : messageOf(remove.error)} onDismiss={remove.reset} />
      <p>{`${membersOf(group)} it, and what only it grants them they may not use any more.`}</p>
      <p className="small subtle">This cannot be undone. To only put it out of use, click its status and choose Archive.</p>
    </Dialog>
  )
}

function membersOf({ Members }: PermissionGroup): string {
  if (Members === 0) return 'Nobody is in'
  return Members === 1 ? '1 person leaves' : `${count(Members)} people leave`
}
