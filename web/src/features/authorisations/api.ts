import { queryOptions } from '@tanstack/react-query'
import { call } from '../../api/call.ts'

export const oauthAppList = (clientId: string) =>
  queryOptions({
    queryKey: ['oauth-apps', clientId],
    queryFn: ({ signal }) => call('GET /tributary/clients/:clientId/oauth-apps', { params: { clientId }, signal }),
  })

export interface AuthorisationParams {
  readonly clientId: string
  readonly authorisationId: string
}

/** The companies granted in one OAuth flow. Never refetched, because a refetch would reset the user's selection. */
export const authorisationQuery = (params: AuthorisationParams) =>
  queryOptions({
    queryKey: ['authorisation', params.clientId, params.authorisationId],
    queryFn: ({ signal }) =>
      call('GET /tributary/clients/:clientId/authorisations/:authorisationId', { params, signal }),
  })
