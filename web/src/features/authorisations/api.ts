import { callQuery } from '../../api/call-query.ts'

export const oauthAppList = (clientId: string) =>
  callQuery(['oauth-apps', clientId], 'GET /tributary/clients/:clientId/oauth-apps', { params: { clientId } })

export interface AuthorisationParams {
  readonly clientId: string
  readonly authorisationId: string
}

/** The companies granted in one OAuth flow. Never refetched, because a refetch would reset the user's selection. */
export const authorisationQuery = (params: AuthorisationParams) =>
  callQuery(
    ['authorisation', params.clientId, params.authorisationId],
    'GET /tributary/clients/:clientId/authorisations/:authorisationId',
    { params },
  )
