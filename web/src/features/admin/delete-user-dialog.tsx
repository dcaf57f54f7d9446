import type { User } from '@tributary/contract/organisations'
import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { messageOf } from '../../api/call-error.ts'
import { memberList } from '../../api/lists.ts'
import { useWorkspace } from '../../api/workspace.ts'
import { tell } from '../../ui/announce.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorBanner } from '../../ui/error-banner.tsx'

export function DeleteUserDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const { organisation } = useWorkspace()
  const queryClient = useQueryClient()
  const name = `${user.FirstName} ${user.LastName}`
  const remove = useMutation({
    mutationFn: () => call('DELETE /users/:userId', { params: { userId: user.Id }, query: { orgId: organisation.Id } }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: memberList(organisation.Id).queryKey })
      tell(`${name} is deleted.`)
      onClose()
    },
  })
  return (
    <Dialog
      kind="modal"
      title={`Delete ${name}?`}
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
      <p>
        {name} leaves {organisation.CompanyName} at once and no longer sees its connectors. Who is in no other organisation loses the
        account, too. The history of what they did stays.
      </p>
      <p className="small subtle">To keep somebody out for a while, edit them and set the status to locked instead.</p>
    </Dialog>
  )
}
