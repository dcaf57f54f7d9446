import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useOrganisationId } from '../../api/session/workspace.ts'
import { lazyDialog } from '../../ui/lazy.tsx'
import { invitationList } from './invitation-list.ts'

const LazyInvitationsDrawer = lazyDialog(() => import('./invitations-drawer.tsx'), 'InvitationsDrawer')

/** Hidden if no invitation is pending. */
export function InvitationsButton() {
  const { data = [] } = useQuery(invitationList(useOrganisationId()))
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      {data.length === 0 ? null : (
        <Button variant="subtle" onClick={() => setOpen(true)}>{`${data.length} invited`}</Button>
      )}
      {isOpen ? <LazyInvitationsDrawer onClose={() => setOpen(false)} /> : null}
    </>
  )
}
