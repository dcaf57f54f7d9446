/** Inviting many at once, a line each. */
import { NativeSelect } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { roleList } from '../../api/queries/common-queries.ts'
import { useWorkspace } from '../../api/session/workspace.ts'
import { tell } from '../../ui/feedback/toasts.tsx'
import { BulkDialog } from '../../domain/records/bulk-add-dialog.tsx'
import { type InviteLine, parseInvites } from './parse-invitations.ts'
import { invitationList } from './invitations-panel.tsx'

const field = {
  label: 'People',
  help: 'One a line: First Last <email>, or the address alone.',
  placeholder: 'Ana Ruiz <ana@company.com>',
}
const words = {
  submit: 'Invite',
  done: 'sent',
  summary: (good: number, bad: number) => (bad === 0 ? `${good} to invite` : `${good} to invite, ${bad} not right`),
}

export function InviteDialog({ onClose }: { onClose: () => void }) {
  const { identity, organisation } = useWorkspace()
  const queryClient = useQueryClient()
  const roles = useQuery(roleList).data?.filter((role) => role.RoleLevel >= Math.max(identity.roleLevel, 2)) ?? []
  const [roleId, setRoleId] = useState('')
  const chosenRole = roleId === '' ? (roles.find(({ Name }) => Name === 'user')?.Id ?? '') : roleId

  async function onSent(sent: readonly InviteLine[]) {
    await queryClient.invalidateQueries({ queryKey: invitationList(organisation.Id).queryKey })
    if (sent.length > 0)
      tell(sent.length === 1 ? '1 invitation is on its way.' : `${sent.length} invitations are on their way.`)
  }
  return (
    <BulkDialog
      title="Invite by email"
      subtitle="Each gets a mail with a link that holds for seven days."
      field={field}
      words={words}
      parse={parseInvites}
      send={({ firstName, lastName, emailAddress }) =>
        call('POST /invitations', {
          body: { firstName, lastName, emailAddress, roleId: chosenRole, organisationId: organisation.Id },
        })
      }
      onSent={onSent}
      onClose={onClose}
    >
      <NativeSelect
        label="Role"
        value={chosenRole}
        data={roles.map(({ Id, DisplayName }) => ({ value: Id, label: DisplayName }))}
        onChange={(event) => setRoleId(event.currentTarget.value)}
      />
    </BulkDialog>
  )
}
