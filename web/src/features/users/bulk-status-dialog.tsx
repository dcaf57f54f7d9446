import type { ListedUser } from '@tributary/contract/organisations'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { memberList, statusList } from '../../api/queries/common-queries.ts'
import { useInvalidate } from '../../api/use-invalidate.ts'
import { useOrganisationId } from '../../api/session/workspace.ts'
import { BulkActionDialog } from '../../domain/records/bulk-action-dialog.tsx'
import { fullName } from '../../domain/users/user-names.ts'

export type BulkStatus = 'active' | 'locked' | 'archived'

const wording: Readonly<Record<BulkStatus, { readonly verb: string; readonly effect: string }>> = {
  locked: { verb: 'Lock', effect: 'They are signed out everywhere and cannot sign in until you activate them.' },
  archived: {
    verb: 'Archive',
    effect: 'They are signed out everywhere, cannot sign in, and lists show them as archived. Their history stays.',
  },
  active: { verb: 'Activate', effect: 'They can sign in again.' },
}

interface BulkStatusDialogProps {
  users: readonly ListedUser[]
  status: BulkStatus
  onDone: (ids: readonly string[]) => void
  onClose: () => void
}

/** Locks, archives or activates several users, after one confirmation that lists them. */
export function BulkStatusDialog({ users, status, onDone, onClose }: BulkStatusDialogProps) {
  const orgId = useOrganisationId()
  const queryClient = useQueryClient()
  const invalidate = useInvalidate()
  const { verb, effect } = wording[status]
  async function change(userId: string) {
    const statuses = await queryClient.ensureQueryData(statusList)
    const statusId = statuses.find(({ Name }) => Name === status)?.Id
    if (statusId === undefined) throw new Error(`The server knows no status ${status}.`)
    await call('POST /users/:userId', { params: { userId }, query: { orgId }, body: { statusId } })
  }
  return (
    <BulkActionDialog
      title={users.length === 1 ? `${verb} 1 user?` : `${verb} ${users.length} users?`}
      submitLabel={verb}
      isDanger={status !== 'active'}
      items={users.map((user) => ({ id: user.Id, name: fullName(user), detail: user.EmailAddress }))}
      act={({ id }) => change(id)}
      onDone={async (changed) => {
        await invalidate(memberList(orgId))
        onDone(changed.map(({ id }) => id))
      }}
      onClose={onClose}
    >
      <p>{effect}</p>
    </BulkActionDialog>
  )
}
