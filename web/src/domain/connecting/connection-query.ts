import { callQuery } from '../../api/call-query.ts'

/** Where tools connect, and as whom; without the password. */
export function connectionQuery(clientId: string) {
  return callQuery(['report-connection', clientId], 'GET /tributary/clients/:clientId/reports/connection', {
    params: { clientId },
  })
}
