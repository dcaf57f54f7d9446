/** Which members see a connector. Everyone may look; those who may assign can change it. */
import type { Connector } from '@tributary/contract/connectors'
import type { User } from '@tributary/contract/organisations'
import { Button, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { messageOf } from '../../api/call-error.ts'
import { assignedUsers } from '../../api/connector-state.ts'
import { connectorList, memberList } from '../../api/lists.ts'
import { useMay, useWorkspace } from '../../api/workspace.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { LoadFailure } from '../../ui/empty-state.tsx'
import { ErrorBanner } from '../../ui/error-banner.tsx'
import { CheckList } from '../../ui/fields.tsx'
import { SkeletonLines } from '../../ui/skeleton.tsx'

const failed =
  'There was a problem with trying to assign the selected connectors. Please try again, but if the problem persists, please contact the provider.'

export function AssignUsersDialog({ connector, onClose }: { connector: Connector; onClose: () => void }) {
  const { organisation } = useWorkspace()
  const may = useMay()
  const members = useQuery(memberList(organisation.Id))
  const [before] = useState(() => new Set(assignedUsers(connector)))
  const [picked, setPicked] = useState<ReadonlySet<string>>(before)
  const save = useAssign(connector, onClose)
  const changes = picked.symmetricDifference(before).size
  const mayAssign = may('assignConnectorUsers')

  return (
    <Dialog
      kind="modal"
      title="Manage users"
      subtitle={`Who sees ${connector.Name}. Administrators see every connector.`}
      isDirty={changes > 0 && !save.isPending}
      onClose={onClose}
      onSubmit={() => changes > 0 && mayAssign && save.mutate([...picked])}
      footer={
        <>
          {changes > 0 ? <span className="small subtle">{changes === 1 ? '1 change' : `${changes} changes`}</span> : null}
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" disabled={changes === 0 || !mayAssign} loading={save.isPending}>
            Save
          </Button>
        </>
      }
    >
      <ErrorBanner message={save.isError ? failed : null} onDismiss={save.reset} />
      {mayAssign ? null : <p className="small muted">Only administrators of this organisation can change this.</p>}
      {members.data === undefined && members.error === null ? <SkeletonLines count={4} height={40} /> : null}
      {members.data === undefined && members.error !== null ? (
        <LoadFailure message={messageOf(members.error)} onRetry={() => void members.refetch()} />
      ) : null}
      {members.data === undefined ? null : (
        <MemberList members={members.data} picked={picked} onToggle={(id) => setPicked(picked.symmetricDifference(new Set([id])))} />
      )}
    </Dialog>
  )
}

function MemberList({
  members,
  picked,
  onToggle,
}: {
  members: readonly User[]
  picked: ReadonlySet<string>
  onToggle: (id: string) => void
}) {
  const [term, setTerm] = useState('')
  const items = members
    .map((user) => ({ id: user.Id, label: `${user.FirstName} ${user.LastName}`, detail: user.EmailAddress }))
    .filter(({ label, detail }) => `${label} ${detail}`.toLowerCase().includes(term.trim().toLowerCase()))
  return (
    <>
      <TextInput
        type="search"
        aria-label="Search users"
        placeholder="Search users"
        leftSection={<IconSearch size={16} aria-hidden />}
        value={term}
        data-autofocus
        onChange={(event) => setTerm(event.currentTarget.value)}
      />
      {items.length === 0 ? (
        <p className="muted">{`No user matches '${term}'.`}</p>
      ) : (
        <CheckList items={items} picked={picked} onToggle={onToggle} />
      )}
    </>
  )
}

function useAssign(connector: Connector, onAssigned: () => void) {
  const clientId = useWorkspace().organisation.Id
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (users: string[]) =>
      call('POST /tributary/clients/connectors/:connectorId/assign-users', { params: { connectorId: connector.Id }, body: { users } }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: connectorList(clientId).queryKey })
      onAssigned()
    },
  })
}
