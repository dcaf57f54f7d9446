import type { PermissionGroup } from '@tributary/contract/groups'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { statusList } from '../../api/queries/common-queries.ts'
import { everyStructureList } from '../../api/queries/planning-structure.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { useOrganisationId } from '../../api/session/workspace.ts'
import { RadioGroup } from '../../ui/forms/radio-group.tsx'
import { MutationDialog } from '../../domain/requests/mutation-dialog.tsx'

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
    <MutationDialog
      title="Edit Status"
      subtitle={group.Name}
      isDirty={status !== group.Status.Name}
      mutation={save}
      onClose={onClose}
      onSubmit={() => (status === group.Status.Name ? onClose() : save.mutate(status))}
      submitLabel="Apply"
    >
      <RadioGroup label="Status" choices={statusChoices} value={status} onChange={setStatus} hasFocus />
    </MutationDialog>
  )
}

function useSetGroupStatus(group: PermissionGroup, onSaved: () => void) {
  const comOrganisationId = useOrganisationId()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (status: string) => {
      const statuses = await queryClient.ensureQueryData(statusList)
      const found = statuses.find(({ Name }) => Name === status)
      if (found === undefined) throw new Error(`The server knows no status ${status}.`)
      await call('POST /permission-groups/status', {
        body: { comOrganisationId, groupId: group.Id, statusId: found.Id },
      })
      await queryClient.invalidateQueries({ queryKey: everyStructureList(comOrganisationId) })
    },
    onSuccess: onSaved,
  })
}
