import type { ListedUser } from '@tributary/contract/organisations'
import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { callQuery } from '../../api/call-query.ts'
import { memberList } from '../../api/queries/common-queries.ts'
import { everyStructureList, useRefreshStructure } from '../../api/queries/planning-structure.ts'
import { useInvalidate } from '../../api/use-invalidate.ts'
import { useOrganisationId } from '../../api/session/workspace.ts'
import { BulkActionDialog } from '../../domain/records/bulk-action-dialog.tsx'
import { fullName } from '../../domain/users/user-names.ts'

const activeGroups = (orgId: string) =>
  callQuery([...everyStructureList(orgId), 'active groups'], 'GET /permission-groups', { query: { orgId } })

interface AddToGroupDialogProps {
  users: readonly ListedUser[]
  onDone: (ids: readonly string[]) => void
  onClose: () => void
}

/** Puts several users into a security group, after one confirmation that lists them. Members of the group stay in it. */
export function AddToGroupDialog({ users, onDone, onClose }: AddToGroupDialogProps) {
  const orgId = useOrganisationId()
  const groups = useQuery(activeGroups(orgId)).data
  const invalidate = useInvalidate()
  const refreshStructure = useRefreshStructure()
  const [chosen, setChosen] = useState('')
  const groupId = chosen === '' ? (groups?.[0]?.Id ?? '') : chosen
  return (
    <BulkActionDialog
      title={users.length === 1 ? 'Add 1 user to a group?' : `Add ${users.length} users to a group?`}
      submitLabel="Add"
      isSubmitDisabled={groupId === ''}
      items={users.map((user) => ({ id: user.Id, name: fullName(user), detail: user.EmailAddress }))}
      act={({ id: userId }) =>
        call('POST /users/:userId/link-to-group', { params: { userId }, body: { comOrganisationId: orgId, groupId } })
      }
      onDone={async (added) => {
        await Promise.all([invalidate(memberList(orgId)), refreshStructure()])
        onDone(added.map(({ id }) => id))
      }}
      onClose={onClose}
    >
      {groups?.length === 0 ? (
        <p>There are no security groups yet. Create one in Excel, Security.</p>
      ) : (
        <NativeSelect
          label="Security group"
          data-autofocus
          value={groupId}
          data={groups?.map(({ Id, Name }) => ({ value: Id, label: Name })) ?? []}
          onChange={(event) => setChosen(event.currentTarget.value)}
        />
      )}
    </BulkActionDialog>
  )
}
