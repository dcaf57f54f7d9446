import { callQuery } from '../../api/call-query.ts'

export function ownLogin(clientId: string) {
  return callQuery(['logins', clientId, 'me'], 'GET /tributary/clients/:clientId/logins/me', { params: { clientId } })
}

export function organisationLogins(clientId: string) {
  return callQuery(['logins', clientId, 'all'], 'GET /tributary/clients/:clientId/logins', { params: { clientId } })
}
