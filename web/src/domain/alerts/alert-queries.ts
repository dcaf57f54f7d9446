/** The alert channels of an organisation, or of the person in it, and the calls that change them. */
import type { AlertChannel, AlertChannelInput, AlertChoiceInput } from '@tributary/contract/alert-channels'
import { call } from '../../api/call.ts'
import { callQuery } from '../../api/call-query.ts'
import { useOrganisationId } from '../../api/session/workspace.ts'
import { useInvalidate } from '../../api/use-invalidate.ts'
import { useMutation } from '../../api/use-mutation.ts'

export type AlertOwner = 'organisation' | 'person'

const paths = {
  organisation: '/tributary/clients/:clientId/alert-channels',
  person: '/tributary/clients/:clientId/profile/alert-channels',
} as const

export function alertChannelList(owner: AlertOwner, clientId: string) {
  return callQuery(['alertChannels', owner, clientId], `GET ${paths[owner]}`, { params: { clientId } })
}

/** @param channelId null adds a channel */
export function useSaveChannel(owner: AlertOwner, channelId: string | null, onSaved: (saved: AlertChannel) => void) {
  const clientId = useOrganisationId()
  const refresh = useRefreshChannels(owner)
  return useMutation({
    mutationFn: (body: AlertChannelInput) =>
      channelId === null
        ? call(`POST ${paths[owner]}`, { params: { clientId }, body })
        : call(`PUT ${paths[owner]}/:channelId`, { params: { clientId, channelId }, body }),
    onSuccess: async (saved) => {
      await refresh()
      onSaved(saved)
    },
  })
}

export function useSaveMail(owner: AlertOwner, onSaved: () => void) {
  const clientId = useOrganisationId()
  const refresh = useRefreshChannels(owner)
  return useMutation({
    mutationFn: (choice: AlertChoiceInput | null) =>
      call(`PUT ${paths[owner]}/mail`, { params: { clientId }, body: { choice } }),
    onSuccess: async () => {
      await refresh()
      onSaved()
    },
  })
}

/** @param channelId null tests the mail of the caller */
export function useTestChannel(owner: AlertOwner, channelId: string | null) {
  const clientId = useOrganisationId()
  return useMutation({
    mutationFn: () =>
      channelId === null
        ? call(`POST ${paths[owner]}/mail/test`, { params: { clientId } })
        : call(`POST ${paths[owner]}/:channelId/test`, { params: { clientId, channelId } }),
  })
}

/** Deletes a channel and refreshes the list. */
export function useDeleteChannel(owner: AlertOwner): (channelId: string) => Promise<void> {
  const clientId = useOrganisationId()
  const refresh = useRefreshChannels(owner)
  return async (channelId) => {
    await call(`DELETE ${paths[owner]}/:channelId`, { params: { clientId, channelId } })
    await refresh()
  }
}

function useRefreshChannels(owner: AlertOwner): () => Promise<void> {
  const clientId = useOrganisationId()
  const invalidate = useInvalidate()
  return () => invalidate(alertChannelList(owner, clientId))
}
