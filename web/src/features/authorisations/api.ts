import { queryOptions } from '@tanstack/react-query'
import { call } from '../../api/call.ts'

export const appList = (clientId: string) =>
  queryOptions({
    queryKey: ['oauth-apps', clientId],
    queryFn: ({ signal }) => call('GET /tributary/clients/:clientId/oauth-apps', { params: { clientId }, signal }),
  })

export interface AuthorisationPlace {
  readonly clientId: string
  readonly authorisationId: string
}

/** What was opened in a trip to the source. It does not change by itself, and what was ticked must not be forgotten. */
export const authorisationOf = (params: AuthorisationPlace) =>
  queryOptions({
    queryKey: ['authorisation', params.clientId, params.authorisationId],
    queryFn: ({ signal }) =>
      call('GET /tributary/clients/:clientId/authorisations/:authorisationId', { params, signal }),
  })
