/** One event of each action about data servers and the placement of warehouses, as the server records it, and its sentence. */
import type { AuditAction } from '@tributary/contract/audit-actions'
import { about, type EventSample } from './audit-events.ts'

type DataServerAction = Extract<AuditAction, `data_server.${string}` | 'organisation.data_region_set'>

export const dataServerEventSamples: Readonly<Record<DataServerAction, EventSample>> = {
  'data_server.removed': { ...about('data_server', 'West'), says: 'Amara Okafor removed the data server West' },
  'data_server.saved': { ...about('data_server', 'West'), says: 'Amara Okafor saved the data server West' },
  'organisation.data_region_set': {
    Detail: { before: null, after: 'Dublin' },
    says: 'Amara Okafor set the region of the warehouse to Dublin',
  },
}
