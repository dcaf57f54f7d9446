/** The query of the Trust page. */
import { pollMs } from '@tributary/contract/limits'
import { callQuery } from '../../api/call-query.ts'

export const organisationTrust = (clientId: string) => ({
  ...callQuery(['trust', clientId], 'GET /tributary/clients/:clientId/trust', { params: { clientId } }),
  refetchInterval: pollMs,
})
