/** One event of each action about data servers and the placement of warehouses, as the server records it, and its sentence. */
import type { AuditAction } from '@tributary/contract/audit-actions'
import { about, nobody, type EventSample } from './audit-events.ts'

type DataServerAction = Extract<
  AuditAction,
  `data_server.${string}` | `warehouse.move${string}` | 'warehouse.old_copy_dropped' | 'organisation.data_region_set'
>

export const dataServerEventSamples: Readonly<Record<DataServerAction, EventSample>> = {
  'data_server.removed': { ...about('data_server', 'West'), says: 'Amara Okafor removed the data server West' },
  'data_server.saved': { ...about('data_server', 'West'), says: 'Amara Okafor saved the data server West' },
  'warehouse.move_cancelled': { says: 'Amara Okafor cancelled the move of the warehouse' },
  'warehouse.move_failed': {
    ...nobody,
    Detail: { reason: 'The copy differs.' },
    says: 'The warehouse was not moved to another server: The copy differs.',
  },
  'warehouse.move_requested': {
    Detail: { before: 'Default', after: 'West' },
    says: 'Amara Okafor started to move the warehouse from Default to West',
  },
  'warehouse.moved': {
    ...nobody,
    Detail: { tables: 12, rows: 4711 },
    says: 'The warehouse continues on another server, with 12 tables and 4,711 rows compared',
  },
  'warehouse.old_copy_dropped': { ...nobody, says: 'The old copy of the warehouse was deleted' },
  'organisation.data_region_set': {
    Detail: { before: null, after: 'Dublin' },
    says: 'Amara Okafor set the region of the warehouse to Dublin',
  },
}
