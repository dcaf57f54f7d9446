/** Selects the members that see a connector. Read-only without the capability to assign. */
import type { Connector } from '@tributary/contract/connectors'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../api/call.ts'
import { assignedUserIds } from '../../../domain/connectors/connector-state.ts'
import { connectorList, memberList } from '../../../api/queries/common-queries.ts'
import { toUserItem } from '../../../domain/users/user-names.ts'
import { useMay, useOrganisationId } from '../../../api/session/workspace.ts'
import { useMutation } from '../../../api/use-mutation.ts'
import { CancelButton } from '../../../ui/dialogs/dialog.tsx'
import { ErrorBanner } from '../../../ui/feedback/error-banner.tsx'
import { QueryPlaceholder } from '../../../domain/requests/query-placeholder.tsx'
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx'
import { useInvalidate } from '../../../api/use-invalidate.ts'
import { CheckboxList } from '../../../domain/link-editor/checkbox-list.tsx'

const assignFailed =
  'There was a problem with trying to assign the selected connectors. Please try again, but if the problem persists, please contact the provider.'

export function AssignUsersDialog({ connector, onClose }: { connector: Connector; onClose: () => void }) {
  const orgId = useOrganisationId()
  const mayAssign = useMay()('assignConnectorUsers')
  const members = useQuery(memberList(orgId))
  const [before] = useState(() => new Set(assignedUserIds(connector)))
  const [picked, setPicked] = useState<ReadonlySet<string>>(before)
  const save = useAssignUsers(connector, onClose)
  const changes = picked.symmetricDifference(before).size
  const items = members.data?.map(toUserItem)

  return (
    <FormDialog
      title="Manage users"
      subtitle={`Who sees ${connector.Name}. Administrators see every connector.`}
      isDirty={changes > 0}
      isBusy={save.isPending}
      onClose={onClose}
      onSubmit={() => changes > 0 && mayAssign && save.mutate([...picked])}
      submitLabel="Save"
      isSubmitDisabled={changes === 0 || !mayAssign}
      otherButtons={
        <>
          {changes > 0 ? (
            <span className="small subtle">{changes === 1 ? '1 change' : `${changes} changes`}</span>
          ) : null}
          <CancelButton />
        </>
      }
    >
      <ErrorBanner message={save.isError ? assignFailed : null} onDismiss={save.reset} />
      {mayAssign ? null : <p className="small muted">Only administrators of this organisation can change this.</p>}
      {items === undefined ? (
        <QueryPlaceholder of={members} />
      ) : (
        <CheckboxList what="users" items={items} picked={picked} onPick={setPicked} isReadOnly={!mayAssign} hasFocus />
      )}
    </FormDialog>
  )
}

function useAssignUsers(connector: Connector, onAssigned: () => void) {
  const clientId = useOrganisationId()
  const invalidate = useInvalidate()
  return useMutation({
    mutationFn: (users: string[]) =>
      call('POST /tributary/clients/connectors/:connectorId/assign-users', {
        params: { connectorId: connector.Id },
        body: { users },
      }),
    onSuccess: async () => {
      await invalidate(connectorList(clientId))
      onAssigned()
    },
  })
}
