/** The servers that hold warehouses, and where an organisation's warehouse is. */
import { pollMs } from '@tributary/contract/limits'
import { callQuery } from '../../api/call-query.ts'

export const dataServerList = { ...callQuery(['data-servers'], 'GET /admin/data-servers'), refetchInterval: pollMs }

export const placementQuery = (clientId: string) =>
  callQuery(['data-server', clientId], 'GET /tributary/clients/:clientId/data-server', { params: { clientId } })
