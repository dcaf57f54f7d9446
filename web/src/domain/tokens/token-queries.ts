/** Access tokens: one’s own, and those of an organisation with its service accounts. */
import { call } from '../../api/call.ts'
import { callQuery } from '../../api/call-query.ts'
import { useOrganisationId } from '../../api/session/workspace.ts'
import { useInvalidate } from '../../api/use-invalidate.ts'
import { useMutation } from '../../api/use-mutation.ts'

export const ownTokenList = callQuery(['tokens', 'own'], 'GET /me/access-tokens')

export function organisationTokenList(clientId: string) {
  return callQuery(['tokens', clientId], 'GET /tributary/clients/:clientId/access-tokens', { params: { clientId } })
}

export function tokenPolicy(clientId: string) {
  return callQuery(['tokenPolicy', clientId], 'GET /tributary/clients/:clientId/access-tokens/policy', {
    params: { clientId },
  })
}

export function serviceAccountList(clientId: string) {
  return callQuery(['serviceAccounts', clientId], 'GET /tributary/clients/:clientId/service-accounts', {
    params: { clientId },
  })
}

/** Call it after every change: a change of one list may change the others. */
export function useRefreshTokens(): () => Promise<void> {
  const clientId = useOrganisationId()
  const invalidate = useInvalidate()
  return async () => {
    await Promise.all([
      invalidate(ownTokenList),
      invalidate(organisationTokenList(clientId)),
      invalidate(serviceAccountList(clientId)),
    ])
  }
}

/** @param whose decides which route revokes the token */
export function useRevokeToken(whose: 'own' | 'organisation', onRevoked: () => void) {
  const clientId = useOrganisationId()
  const refresh = useRefreshTokens()
  return useMutation({
    mutationFn: (accessTokenId: string) =>
      whose === 'own'
        ? call('DELETE /me/access-tokens/:accessTokenId', { params: { accessTokenId } })
        : call('DELETE /tributary/clients/:clientId/access-tokens/:accessTokenId', {
            params: { clientId, accessTokenId },
          }),
    onSuccess: async () => {
      await refresh()
      onRevoked()
    },
  })
}
