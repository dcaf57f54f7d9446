/** Sentences about the servers that hold warehouses, and about moves from one to another. */
import type { AuditAction } from '@tributary/contract/audit-actions'
import { formatRowCount } from '../../../ui/formats.ts'
import { type ActionWording, countOf, detailText, thing, who } from './sentence.ts'

export type DataServerAction = Extract<
  AuditAction,
  `data_server.${string}` | `warehouse.move${string}` | 'warehouse.old_copy_dropped'
>

export const dataServerWording: Readonly<Record<DataServerAction, ActionWording>> = {
  'data_server.removed': { label: 'Data server removed', sentence: () => `${who} removed ${thing}` },
  'data_server.saved': { label: 'Data server saved', sentence: () => `${who} saved ${thing}` },
  'warehouse.move_cancelled': {
    label: 'Move of the warehouse cancelled',
    sentence: () => `${who} cancelled the move of the warehouse`,
  },
  'warehouse.move_failed': {
    label: 'Move of the warehouse failed',
    sentence: (event) =>
      `The warehouse was not moved to another server: ${detailText(event, 'reason') ?? 'unknown reason'}`,
  },
  'warehouse.move_requested': {
    label: 'Move of the warehouse started',
    sentence: (event) =>
      `${who} started to move the warehouse from ${detailText(event, 'before') ?? 'one server'} to ${detailText(event, 'after') ?? 'another'}`,
  },
  'warehouse.moved': {
    label: 'Warehouse moved',
    sentence: (event) =>
      `The warehouse continues on another server, with ${countOf(Number(event.Detail['tables'] ?? 0), 'table', 'tables')} and ${formatRowCount(Number(event.Detail['rows'] ?? 0))} compared`,
  },
  'warehouse.old_copy_dropped': {
    label: 'Old copy of the warehouse deleted',
    sentence: () => 'The old copy of the warehouse was deleted',
  },
}
