/** Invites several users at once, one per line. */
import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { roleList } from '../../api/queries/common-queries.ts'
import { useWorkspace } from '../../api/session/workspace.ts'
import { announceToScreenReader } from '../../ui/feedback/toasts.tsx'
import { BulkAddDialog } from '../../domain/records/bulk-add-dialog.tsx'
import { type InvitationLine, parseInvitations } from './parse-invitations.ts'
import { invitationList } from './invitation-list.ts'
import { useInvalidate } from '../../api/use-invalidate.ts'

const peopleField = {
  label: 'People',
  help: 'One per line: First Last <email>, or only the address.',
  placeholder: 'Ana Ruiz <ana@company.com>',
}
const bulkLabels = {
  submit: 'Invite',
  done: 'sent',
  summary: (good: number, bad: number) => (bad === 0 ? `${good} to invite` : `${good} to invite, ${bad} invalid`),
}

export function InviteUsersDialog({ onClose }: { onClose: () => void }) {
  const { identity, organisation } = useWorkspace()
  const invalidate = useInvalidate()
  const roles = useQuery(roleList).data?.filter((role) => role.RoleLevel >= Math.max(identity.roleLevel, 2)) ?? []
  const [roleId, setRoleId] = useState('')
  const chosenRole = roleId === '' ? (roles.find(({ Name }) => Name === 'user')?.Id ?? '') : roleId

  async function onSent(sent: readonly InvitationLine[]) {
    await invalidate(invitationList(organisation.Id))
    if (sent.length > 0)
      announceToScreenReader(
        sent.length === 1 ? '1 invitation is on its way.' : `${sent.length} invitations are on their way.`,
      )
  }
  return (
    <BulkAddDialog
      title="Invite by email"
      subtitle="Each gets an email with a link that is valid for seven days."
      field={peopleField}
      words={bulkLabels}
      parse={parseInvitations}
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
    </BulkAddDialog>
  )
}
