import type { PermissionGroup } from '@tributary/contract/groups'
import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { messageOf } from '@tributary/client/call-error'
import { statusList } from '../../api/queries/common-queries.ts'
import { everyStructureList } from '../../api/queries/planning-structure.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { useWorkspace } from '../../api/session/workspace.ts'
import { CancelButton, Dialog } from '../../ui/dialogs/dialog.tsx'
import { ErrorBanner } from '../../ui/feedback/error-banner.tsx'
import { RadioGroup } from '../../ui/forms/radio-group.tsx'

/** Groups cannot be locked: they are active or archived. */
const statusChoices = [
  { value: 'active', label: 'Active', help: 'Its members may use what it grants.' },
  { value: 'archived', label: 'Archive', help: 'Out of use: it grants nothing, and can be brought back.' },
]

interface GroupStatusDialogProps {
  group: PermissionGroup
  onClose: () => void
}

export function GroupStatusDialog({ group, onClose }: GroupStatusDialogProps) {
  const [status, setStatus] = useState(group.Status.Name)
  const save = useSetGroupStatus(group, onClose)
  return (
    <Dialog
      kind="modal"
      title="Edit Status"
      subtitle={group.Name}
      isDirty={status !== group.Status.Name}
      isBusy={save.isPending}
      onClose={onClose}
      onSubmit={() => (status === group.Status.Name ? onClose() : save.mutate(status))}
      footer={
        <>
          <CancelButton />
          <Button type="submit" loading={save.isPending}>
            Apply
          </Button>
        </>
      }
    >
      <ErrorBanner message={save.error === null ? null : messageOf(save.error)} onDismiss={save.reset} />
      <RadioGroup label="Status" choices={statusChoices} value={status} onChange={setStatus} hasFocus />
    </Dialog>
  )
}

function useSetGroupStatus(group: PermissionGroup, onSaved: () => void) {
  const orgId = useWorkspace().organisation.Id
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (status: string) => {
      const statuses = await queryClient.ensureQueryData(statusList)
      const found = statuses.find(({ Name }) => Name === status)
      if (found === undefined) throw new Error(`The server knows no status ${status}.`)
      await call('POST /permission-groups/status', {
        body: { comOrganisationId: orgId, groupId: group.Id, statusId: found.Id },
      })
      await queryClient.invalidateQueries({ queryKey: everyStructureList(orgId) })
    },
    onSuccess: onSaved,
  })
}
