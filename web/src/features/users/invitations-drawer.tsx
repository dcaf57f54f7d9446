/** The people who were invited and have not accepted yet. */
import type { OpenInvitation } from '@tributary/contract/users'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { useRoleName } from '../../api/queries/common-queries.ts'
import { useOrganisationId } from '../../api/session/workspace.ts'
import { useInvalidate } from '../../api/use-invalidate.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { MutationError } from '../../domain/requests/mutation-error.tsx'
import { RelativeTime } from '../../domain/time/relative-time.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { announceToScreenReader } from '../../ui/feedback/toasts.tsx'
import { type TableColumn, DataTable } from '../../ui/tables/data-table.tsx'
import { RowActions, RowButton } from '../../ui/tables/row-actions.tsx'
import { invitationList } from './invitation-list.ts'
import css from './users.module.css'

export function InvitationsDrawer({ onClose }: { onClose: () => void }) {
  const orgId = useOrganisationId()
  const { data = [] } = useQuery(invitationList(orgId))
  const act = useInvitationActions(orgId)
  const columns = useInvitationColumns((what, invitation) => act.mutate({ what, invitation }), act.isPending)
  return (
    <Dialog
      kind="wide drawer"
      title="Invited"
      subtitle="These people have not accepted their invitations yet."
      onClose={onClose}
    >
      <MutationError of={act} />
      {data.length === 0 ? (
        <EmptyState kind="noMatch" title="No invitation is open." />
      ) : (
        <DataTable caption="Open invitations" columns={columns} rows={data} rowKey={({ Id }) => Id} />
      )}
    </Dialog>
  )
}

type InvitationAction = 'send' | 'withdraw'

function useInvitationColumns(
  onAct: (what: InvitationAction, invitation: OpenInvitation) => void,
  isBusy: boolean,
): readonly TableColumn<OpenInvitation>[] {
  const roleName = useRoleName()
  const nameId = ({ Id }: OpenInvitation) => `invitation-${Id}`
  return [
    {
      title: 'Name',
      cell: (invitation) => (
        <>
          <span id={nameId(invitation)}>{`${invitation.FirstName} ${invitation.LastName}`}</span>
          <span className={css.address}>{invitation.EmailAddress}</span>
        </>
      ),
    },
    { title: 'Role', cell: ({ Role }) => roleName(Role.Name) },
    { title: 'Sent', cell: ({ SentAtUtc }) => <RelativeTime at={SentAtUtc} /> },
    {
      title: 'Manage',
      isActions: true,
      cell: (invitation) => (
        <RowActions describedBy={nameId(invitation)}>
          <RowButton describedBy={nameId(invitation)} disabled={isBusy} onClick={() => onAct('send', invitation)}>
            Send again
          </RowButton>
          <RowButton
            describedBy={nameId(invitation)}
            isDanger
            disabled={isBusy}
            onClick={() => onAct('withdraw', invitation)}
          >
            Withdraw
          </RowButton>
        </RowActions>
      ),
    },
  ]
}

function useInvitationActions(orgId: string) {
  const invalidate = useInvalidate()
  return useMutation({
    mutationFn: async ({ what, invitation }: { what: InvitationAction; invitation: OpenInvitation }) => {
      const ask = { params: { invitationId: invitation.Id }, query: { orgId } }
      if (what === 'send') await call('POST /invitations/:invitationId/send', ask)
      else await call('DELETE /invitations/:invitationId', ask)
    },
    onSuccess: async (_, { what, invitation }) => {
      await invalidate(invitationList(orgId))
      announceToScreenReader(
        what === 'send'
          ? `Sent again to ${invitation.EmailAddress}.`
          : `The invitation of ${invitation.FirstName} is withdrawn.`,
      )
    },
  })
}
