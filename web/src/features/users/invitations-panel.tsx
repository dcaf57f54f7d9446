import type { OpenInvitation } from '@tributary/contract/users'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { useRoleName } from '../../api/queries/common-queries.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { useOrganisationId } from '../../api/session/workspace.ts'
import { announceToScreenReader } from '../../ui/feedback/toasts.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { RelativeTime } from '../../domain/time/relative-time.tsx'
import css from '../../domain/admin/admin.module.css'
import { MutationError } from '../../domain/requests/mutation-error.tsx'
import { callQuery } from '../../api/call-query.ts'
import { useInvalidate } from '../../api/use-invalidate.ts'

export const invitationList = (orgId: string) =>
  callQuery(['invitations', orgId], 'GET /invitations', { query: { orgId } })

/** Hidden if no invitation is pending. */
export function InvitationsPanel() {
  const orgId = useOrganisationId()
  const { data = [] } = useQuery(invitationList(orgId))
  const act = useInvitationActions(orgId)
  if (data.length === 0) return null
  return (
    <Panel title="Invited" aside={<span className="small subtle">Not accepted yet</span>}>
      <MutationError of={act} />
      <ul>
        {data.map((invitation) => (
          <InvitationItem
            key={invitation.Id}
            invitation={invitation}
            isBusy={act.isPending}
            onAct={(what) => act.mutate({ what, invitation })}
          />
        ))}
      </ul>
    </Panel>
  )
}

type InvitationAction = 'send' | 'withdraw'

function InvitationItem({
  invitation,
  isBusy,
  onAct,
}: {
  invitation: OpenInvitation
  isBusy: boolean
  onAct: (what: InvitationAction) => void
}) {
  const roleName = useRoleName()
  const { Id, FirstName, LastName, EmailAddress, Role, SentAtUtc } = invitation
  const nameId = `invitation-${Id}`
  return (
    <li className={css.insight}>
      <span>
        <span id={nameId}>{`${FirstName} ${LastName}`}</span>
        <span className="small subtle">{` · ${EmailAddress} · ${roleName(Role.Name)}`}</span>
      </span>
      <span className={css.rowActions}>
        <span className="small subtle">
          Sent <RelativeTime at={SentAtUtc} />
        </span>
        <Button
          variant="default"
          size="compact-sm"
          aria-describedby={nameId}
          disabled={isBusy}
          onClick={() => onAct('send')}
        >
          Send again
        </Button>
        <Button
          variant="subtle"
          color="red"
          size="compact-sm"
          aria-describedby={nameId}
          disabled={isBusy}
          onClick={() => onAct('withdraw')}
        >
          Withdraw
        </Button>
      </span>
    </li>
  )
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
